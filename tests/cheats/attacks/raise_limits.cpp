// Raises its own hard limits and looks at its parent's, and says so if it may.
#include <cstdio>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

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

static bool raised(int what) {
    rlimit limit;
    if (prlimit(0, static_cast<__rlimit_resource>(what), nullptr, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return false;
    limit.rlim_cur = limit.rlim_max = limit.rlim_max * 2;
    return prlimit(0, static_cast<__rlimit_resource>(what), &limit, nullptr) == 0;
}

int main() {
    if (raised(RLIMIT_CPU) || raised(RLIMIT_AS) || raised(RLIMIT_FSIZE)) std::printf("raised\n");
    rlimit limit;
    if (prlimit(getppid(), RLIMIT_CPU, nullptr, &limit) == 0) std::printf("reached the parent\n");
    work();
    return 0;
}
