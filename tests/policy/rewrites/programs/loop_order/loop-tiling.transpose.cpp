#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n = 33, total = 0;
    vector<int> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; ++i) { a[i] = i % 7; b[i] = i % 5; }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            total = (total + c[i * n + j]) % 10007;
    for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) b[j * n + i] = c[i * n + j];
    cout << total << ' ' << b[17] << '\n';
}
