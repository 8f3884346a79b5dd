#include <iostream>
#include <vector>

using namespace std;

int main() {
    int n;
    long long seed;
    cin >> n >> seed;

    vector<vector<long long>> a(n, vector<long long>(n));
    vector<vector<long long>> b(n, vector<long long>(n));
    vector<vector<long long>> c(n, vector<long long>(n));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            seed = (seed * 1103515245 + 12345) % 2147483648LL;
            a[i][j] = seed % 1000 - 500;
            seed = (seed * 1103515245 + 12345) % 2147483648LL;
            b[i][j] = seed % 1000 - 500;
        }
    }

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            long long sum = 0;
            for (int k = 0; k < n; k++) {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }

    long long trace = 0;
    long long largest = 0;
    for (int i = 0; i < n; i++) {
        trace += c[i][i];
        for (int j = 0; j < n; j++) {
            if ((i == 0 && j == 0) || c[i][j] > largest) {
                largest = c[i][j];
            }
        }
    }
    cout << trace << " " << largest << "\n";
    return 0;
}
