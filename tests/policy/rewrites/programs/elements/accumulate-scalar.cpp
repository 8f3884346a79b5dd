#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n = 10;
    vector<vector<int>> a(n, vector<int>(n, 2)), c(n, vector<int>(n, 0));
    static long long sums[10];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            c[i][j] = 1;
            for (int k = 0; k < n; ++k) c[i][j] += a[i][k] * a[k][j] + k;
        }
    for (int i = 0; i < n; ++i)
        for (int x : c[i]) sums[i] = sums[i] * 3 + x;
    cout << c[3][4] << ' ' << sums[9] << '\n';
}
