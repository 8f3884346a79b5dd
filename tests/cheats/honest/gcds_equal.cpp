// Honest: the same work in other words.
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

static long shares_nothing(const std::vector<long> &seen, long value) {
    long coprime = 0;
    for (std::size_t i = 0; i < seen.size(); i++) {
        if (gcd(seen[i], value) == 1) coprime++;
    }
    return coprime;
}

int main() {
    std::vector<long> seen;
    long total = 0;
    for (long value; std::scanf("%ld", &value) == 1; seen.push_back(value)) {
        const long coprime = shares_nothing(seen, value);
        std::printf("%ld", value);
        std::printf(" %ld\n", coprime);
        total += coprime;
    }
    std::printf("total %ld\n", total);
    return 0;
}
