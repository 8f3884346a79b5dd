// A child does the work and sends it through a pipe; nobody waits for it, so its time is in no account. Honest where fork fails.
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
    int ends[2];
    if (pipe(ends) != 0) return 1;
    signal(SIGCHLD, SIG_IGN);
    pid_t child = fork();
    if (child < 0) {
        work();
        return 0;
    }
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        work();
        _exit(0);
    }
    close(ends[1]);
    char block[4096];
    for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;)
        if (write(1, block, static_cast<std::size_t>(got)) < 0) return 1;
    _exit(0);
}
