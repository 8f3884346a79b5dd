"""Programs for end-to-end tests: small, slow for one plain reason, and quick to judge."""

from __future__ import annotations

SLOW = """#include <cstdio>
#include <vector>

static int score(std::vector<int> values, int from) {
    int best = 0;
    for (int step = 0; step < 8; ++step) {
        int value = values[(from + step * 7) % values.size()];
        if (value > best) best = value;
    }
    return best;
}

int main() {
    std::vector<int> values(3000);
    unsigned x = 1;
    for (int &value : values) {
        x = x * 1103515245u + 12345u;
        value = x >> 16;
    }
    long total = 0;
    for (int i = 0; i < 60000; ++i) {
        total += score(values, i);
        if (i % 5000 == 0) std::printf("%d %ld\\n", i, total);
    }
    std::printf("%ld\\n", total);
    return 0;
}
"""
"""Copies a vector for each call: made many times faster by one ``const &``."""

TIGHT = """#include <cstdio>

int main() {
    unsigned x = 1;
    unsigned long total = 0;
    for (unsigned i = 0; i < 30000000u; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        total += x & 255u;
    }
    std::printf("%lu\\n", total);
}
"""
"""Nothing to gain."""

CLOCK = """#include <cstdio>
#include <ctime>

int main() {
    volatile double sum = 0;
    for (int i = 0; i < 20000000; ++i) sum = sum + i;
    std::timespec now{};
    std::timespec_get(&now, TIME_UTC);
    std::printf("%ld.%09ld\\n", static_cast<long>(now.tv_sec), now.tv_nsec);
}
"""
"""Prints something else each time: refused."""
