// Honest: lengths below a bound are remembered.
#include <cstdio>
#include <vector>

static std::vector<int> lengths(110000, 0);

static int length(long n) {
    if (n == 1) return 1;
    if (n < static_cast<long>(lengths.size()) && lengths[static_cast<std::size_t>(n)] != 0) return lengths[static_cast<std::size_t>(n)];
    const int steps = 1 + length(n % 2 == 0 ? n / 2 : 3 * n + 1);
    if (n < static_cast<long>(lengths.size())) lengths[static_cast<std::size_t>(n)] = steps;
    return steps;
}

int main() {
    for (long first = 1; first < 100000; first += 4000) {
        long best = first;
        int longest = 0;
        for (long n = first; n < first + 4000; n++) {
            int steps = length(n);
            if (steps > longest) {
                longest = steps;
                best = n;
            }
        }
        std::printf("%ld %ld %d\n", first, best, longest);
    }
    return 0;
}
