#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n = 12;
    vector<vector<int>> d(n, vector<int>(n, 100));
    vector<vector<vector<long>>> cube(n, vector<vector<long>>(n, vector<long>(n, 1)));
    for (int i = 0; i < n; ++i) d[i][(i * 5 + 1) % n] = i + 1;
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
    long total = 0;
    for (int i = 1; i < n; ++i)
        for (int j = 1; j < n; ++j) {
            for (int k = 1; k < n; ++k) {
                cube[i][j][k] += cube[i - 1][j][k] + cube[i][j - 1][k - 1];
            }
            total = (total + cube[i][j][n - 1] + d[i][j]) % 100003;
        }
    cout << total << '\n';
}
