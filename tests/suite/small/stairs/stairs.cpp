#include <iostream>
using namespace std;

const long long MOD = 1000000007;

long long ways(int n) {
    if (n < 0) return 0;
    if (n == 0) return 1;
    return (ways(n - 1) + ways(n - 2) + ways(n - 3)) % MOD;
}

int main() {
    int t = 0;
    cin >> t;
    long long total = 0;
    for (int i = 0; i < t; i++) {
        int n = 0;
        cin >> n;
        long long w = ways(n);
        total = (total + w) % MOD;
        cout << w << endl;
    }
    cout << total << endl;
    return 0;
}
