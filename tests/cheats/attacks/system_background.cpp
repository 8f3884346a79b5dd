// Lets a shell start a copy of itself in the background and returns.
#include <cstdio>
#include <cstdlib>
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
    std::string command = std::string("exec 3<&0; '") + self + "' worker <&3 &";
    return std::system(command.c_str()) == 0 ? 0 : 1;
}
