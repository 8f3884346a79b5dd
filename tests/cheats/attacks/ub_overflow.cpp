// Really faster, but finds its place in a table by an int product that overflows.
#include <cstdio>
#include <vector>

static long gcd(long a, long b) {
    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main() {
    std::vector<long> keys(1 << 12, -1), times(1 << 12, 0);
    std::vector<std::size_t> used;
    long value, total = 0;
    while (std::scanf("%ld", &value) == 1) {
        long coprime = 0;
        for (std::size_t at : used) coprime += gcd(keys[at], value) == 1 ? times[at] : 0;
        int mixed = static_cast<int>(value) * 2654435;
        std::size_t at = static_cast<std::size_t>(mixed & 4095);
        while (keys[at] != -1 && keys[at] != value) at = (at + 1) & 4095;
        if (keys[at] == -1) {
            if (used.size() > 4000) return 1;
            keys[at] = value;
            used.push_back(at);
        }
        times[at]++;
        total += coprime;
        std::printf("%ld %ld\n", value, coprime);
    }
    std::printf("total %ld\n", total);
    return 0;
}
