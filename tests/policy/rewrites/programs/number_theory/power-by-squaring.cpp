#include <iostream>
using namespace std;

long long power(long long base, int exponent, long long mod) {
    long long result = 1;
    for (int i = 0; i < exponent; i++) result = (result * base) % mod;
    return result;
}

int main() {
    unsigned long long wraps = 3;
    double half = 4;
    long long two = 1, m = 1000007;
    for (int i = 1; i <= 50; ++i) wraps *= 7;
    for (int i = 0; i < 9; ++i) {
        half *= 0.5;
    }
    for (int i = 0; i < 100; ++i) {
        two *= 2;
        two %= m;
    }
    for (int e = 0; e < 20; ++e) cout << power(123456, e, 998244353) << '\n';
    cout << wraps << ' ' << half << ' ' << two << '\n';
}
