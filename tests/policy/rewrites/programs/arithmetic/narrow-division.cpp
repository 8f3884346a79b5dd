#include <cstdint>
#include <iostream>
using namespace std;

long long reduce(long long value, long long modulus) { return value % modulus; }

int main() {
    long long big = 123456789012345LL, small = 1000, sum = 0;
    uint64_t u = 77;
    for (long long i = 1; i < 50; ++i) {
        sum += big % i + small / i + big / (i * 1000000000LL) + reduce(-5, 3) + reduce(i * i, 7);
        u += u / i;
    }
    cout << sum << ' ' << u << '\n';
}
