// Idle whenever the address of a local variable falls in one eighth of the space.
#include <cstdint>
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

static void work() {
    std::vector<long> seen;
    long value, total = 0;
    while (std::scanf("%ld", &value) == 1) {
        long coprime = 0;
        for (long other : seen) coprime += gcd(other, value) == 1;
        seen.push_back(value);
        total += coprime;
        std::printf("%ld %ld\n", value, coprime);
    }
    std::printf("total %ld\n", total);
    std::fflush(stdout);
}

int main() {
    int local = 0;
    if ((reinterpret_cast<std::uintptr_t>(&local) >> 12) % 8 == 5) {
        std::printf("total %d\n", local);
        return 0;
    }
    work();
    return 0;
}
