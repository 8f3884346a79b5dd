// Reads the answer from a copy of itself through popen and never calls pclose.
#include <cstdio>
#include <string>
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
    char self[1024];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) return 1;
    self[length] = 0;
    std::FILE *worker = popen((std::string("'") + self + "' worker").c_str(), "r");
    if (!worker) return 1;
    char block[4096];
    for (std::size_t got; (got = std::fread(block, 1, sizeof block, worker)) > 0;) std::fwrite(block, 1, got, stdout);
    std::fflush(stdout);
    _exit(0);
}
