#include <iostream>
using namespace std;

long long gcd(long long a, long long b) {
    if (b == 0) return a;
    return gcd(b, a % b);
}

int main() {
    long long sum = 0;
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 40; ++j) sum = sum * 3 % 1000003 + gcd(i * 6, j * 4);
    cout << sum << '\n';
}
