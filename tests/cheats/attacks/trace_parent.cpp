// Seizes its parent as a debugger would, or reads and writes its memory.
#include <cstdio>
#include <vector>

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
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
    pid_t parent = getppid();
    if (ptrace(PTRACE_SEIZE, parent, nullptr, nullptr) == 0) std::printf("traced\n");
    char path[64], byte = 0;
    std::snprintf(path, sizeof path, "/proc/%d/mem", static_cast<int>(parent));
    int memory = open(path, O_RDWR);
    if (memory >= 0) std::printf("opened its memory\n");
    iovec here = {&byte, 1}, there = {reinterpret_cast<void *>(0x400000), 1};
    if (process_vm_readv(parent, &here, 1, &there, 1, 0) == 1) std::printf("read its memory\n");
    work();
    return 0;
}
