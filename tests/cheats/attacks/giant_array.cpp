// 80 MB of initialised data, to fill the disk with its builds.
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

static char ballast[80 << 20] = {1};

int main() {
    work();
    return ballast[sizeof ballast - 1];
}
