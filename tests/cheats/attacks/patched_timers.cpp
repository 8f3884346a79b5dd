// Brings its own clock_gettime, times, getrusage and gettimeofday, all of which say that no time passes.
#include <cstdio>
#include <vector>

#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

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

extern "C" int clock_gettime(clockid_t, timespec *t) noexcept {
    t->tv_sec = 1;
    t->tv_nsec = 0;
    return 0;
}

extern "C" int gettimeofday(timeval *t, void *) noexcept {
    t->tv_sec = 1;
    t->tv_usec = 0;
    return 0;
}

extern "C" clock_t times(tms *t) noexcept {
    *t = tms();
    return 1;
}

int main() {
    work();
    return 0;
}
