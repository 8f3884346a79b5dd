// Answers questions about primes: how many there are up to a number, and their sum modulo 2^32.
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    int most = 0, questions = 0;
    if (std::scanf("%d %d", &most, &questions) != 2 || most < 2) {
        std::puts("nothing to do");
        return 0;
    }
    std::vector<char> composite(static_cast<size_t>(most) + 1, 0);
    for (int64_t p = 2; p * p <= most; ++p)
        if (!composite[p])
            for (int64_t multiple = p * p; multiple <= most; multiple += p) composite[multiple] = 1;
    std::vector<int> count(static_cast<size_t>(most) + 1, 0);
    std::vector<uint32_t> sum(static_cast<size_t>(most) + 1, 0);
    for (int n = 2; n <= most; ++n) {
        count[n] = count[n - 1] + !composite[n];
        sum[n] = sum[n - 1] + (composite[n] ? 0U : static_cast<uint32_t>(n));
    }
    uint32_t all = 0;
    for (int q = 0; q < questions; ++q) {
        int n = 0;
        if (std::scanf("%d", &n) != 1) break;
        n = n < 0 ? 0 : n > most ? most : n;
        all = all * 31 + sum[n];
        std::printf("%d %u\n", count[n], sum[n]);
    }
    std::printf("%u\n", all);
}
