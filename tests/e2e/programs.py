"""Programs for end-to-end tests: small, slow for one plain reason, and quick to judge."""

from __future__ import annotations

SLOW = """#include <cstdio>
#include <string>
#include <vector>

static long weight(std::vector<std::string> words, int from) {
    long sum = 0;
    for (int step = 0; step < 8; ++step) sum += words[(from + step * 7) % words.size()].size();
    return sum;
}

int main() {
    std::vector<std::string> words;
    unsigned x = 1;
    for (int i = 0; i < 400; ++i) {
        x = x * 1103515245u + 12345u;
        words.push_back(std::string(20 + (x >> 16) % 40, static_cast<char>('a' + i % 26)));
    }
    long total = 0;
    for (int i = 0; i < 8000; ++i) {
        total += weight(words, i);
        if (i % 500 == 0) std::printf("%d %ld\\n", i, total);
    }
    std::printf("%ld\\n", total);
    return 0;
}
"""
"""Copies a vector of strings for each call: made many times faster by one ``const &``."""

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
    std::printf("%ld\\n", now.tv_nsec);
}
"""
"""Prints something else each time: refused."""
