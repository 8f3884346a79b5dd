// Returns while detached threads are still at work.
#include <cstdio>
#include <thread>
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
    std::thread(work).detach();
    return 0;
}
