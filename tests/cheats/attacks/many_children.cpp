// Sixteen children, each with a share of the work, none of them waited for.
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

int main() {
    std::vector<long> values;
    long value, total = 0;
    while (std::scanf("%ld", &value) == 1) values.push_back(value);
    signal(SIGCHLD, SIG_IGN);
    std::vector<long> counts(values.size());
    const std::size_t share = values.size() / 16 + 1;
    for (std::size_t first = 0; first < values.size(); first += share) {
        int ends[2];
        if (pipe(ends) != 0) return 1;
        pid_t child = fork();
        if (child < 0) return 1;
        const std::size_t last = first + share < values.size() ? first + share : values.size();
        if (child == 0) {
            for (std::size_t i = first; i < last; i++) {
                long coprime = 0;
                for (std::size_t j = 0; j < i; j++) coprime += gcd(values[j], values[i]) == 1;
                if (write(ends[1], &coprime, sizeof coprime) < 0) _exit(1);
            }
            _exit(0);
        }
        close(ends[1]);
        for (std::size_t i = first; i < last; i++)
            if (read(ends[0], &counts[i], sizeof(long)) != static_cast<ssize_t>(sizeof(long))) return 1;
        close(ends[0]);
    }
    for (std::size_t i = 0; i < values.size(); i++) {
        total += counts[i];
        std::printf("%ld %ld\n", values[i], counts[i]);
    }
    std::printf("total %ld\n", total);
    return 0;
}
