#include <iostream>
#include <vector>
using namespace std;

int main() {
    const int n = 70;
    static double a[70][70], b[70][70], c[70][70];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = i + j; b[i][j] = i - j; }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
    double sum = 0;
    for (int i = 0; i < n; i++) sum += c[i][i] + c[i][n - 1 - i];
    cout << sum << '\n';
}
