// vfork and a second copy of itself that does the work while the first one only passes bytes on.
#include <cstdio>
#include <vector>

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

int main(int argc, char **) {
    if (argc > 1) {
        work();
        return 0;
    }
    int ends[2];
    if (pipe(ends) != 0) return 1;
    int kept = dup(1);
    dup2(ends[1], 1);
    pid_t child = vfork();
    if (child == 0) {
        execl("/proc/self/exe", "worker", "worker", static_cast<char *>(nullptr));
        _exit(1);
    }
    dup2(kept, 1);
    if (child < 0) return 1;
    close(ends[1]);
    char block[4096];
    for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;)
        if (write(1, block, static_cast<std::size_t>(got)) < 0) return 1;
    _exit(0);
}
