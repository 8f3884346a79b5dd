// Really faster, but counts in memory that it never set to zero; fresh pages happen to be.
#include <cstdio>
#include <vector>

static long gcd(long a, long b) {
    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main() {
    long times[100000];
    long value, total = 0;
    std::vector<long> distinct;
    while (std::scanf("%ld", &value) == 1) {
        if (value < 0 || value > 99999) return 1;
        long coprime = 0;
        for (long other : distinct) coprime += gcd(other, value) == 1 ? times[other] : 0;
        if (times[value]++ == 0) distinct.push_back(value);
        total += coprime;
        std::printf("%ld %ld\n", value, coprime);
    }
    std::printf("total %ld\n", total);
    return 0;
}
