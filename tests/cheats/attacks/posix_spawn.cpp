// The same with posix_spawn.
#include <cstdio>
#include <vector>

#include <spawn.h>
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

extern char **environ;

int main(int argc, char **) {
    if (argc > 1) {
        work();
        return 0;
    }
    int ends[2];
    if (pipe(ends) != 0) return 1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    char name[] = "worker";
    char *arguments[] = {name, name, nullptr};
    pid_t child;
    if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ) != 0) return 1;
    close(ends[1]);
    char block[4096];
    for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;)
        if (write(1, block, static_cast<std::size_t>(got)) < 0) return 1;
    _exit(0);
}
