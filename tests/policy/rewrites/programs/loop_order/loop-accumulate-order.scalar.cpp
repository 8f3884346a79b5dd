#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n = 40, m = 30;
    vector<vector<long long>> a(n, vector<long long>(m, 3)), b(m, vector<long long>(n, 2)), c(n, vector<long long>(n, 1));
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { a[i][j] += i * j; b[j][i] -= i; }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            long long sum = 0;
            for (int k = 0; k < m; ++k) {
                sum = (sum + a[i][k] * b[k][j]) % 1000007;
            }
            c[i][j] = sum;
        }
    }
    vector<long long> column(n);
    for (int j = 0; j < n; ++j) {
        long long total = 0;
        for (int i = 0; i < n; ++i) total += c[i][j];
        column[j] += total;
    }
    long long all = 0;
    for (int j = 0; j < n; ++j) all = all * 31 + column[j];
    cout << all << '\n';
}
