// The main thread sleeps while another one works, hoping that only the main thread's time counts.
#include <atomic>
#include <cstdio>
#include <thread>
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

int main() {
    std::atomic<bool> done = false;
    std::thread([&] {
        work();
        done = true;
    }).detach();
    while (!done) usleep(300);
    return 0;
}
