// Honest: equal numbers are looked at once.
#include <cstdio>
#include <map>

static long gcd(long a, long b) {
    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main() {
    std::map<long, long> times;
    long value, total = 0;
    while (std::scanf("%ld", &value) == 1) {
        long coprime = 0;
        for (const auto &[other, count] : times) coprime += gcd(other, value) == 1 ? count : 0;
        times[value]++;
        total += coprime;
        std::printf("%ld %ld\n", value, coprime);
    }
    std::printf("total %ld\n", total);
    return 0;
}
