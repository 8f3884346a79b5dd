// Sends signals (harmless ones here) to its parent, to process 1 and to everything it may reach, and says so if it could.
#include <cstdio>
#include <vector>

#include <signal.h>
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

int main() {
    if (kill(getppid(), SIGCONT) == 0) std::printf("reached the parent\n");
    if (kill(1, 0) == 0) std::printf("reached process 1\n");
    if (kill(-1, 0) == 0) std::printf("reached everybody\n");
    work();
    return 0;
}
