"""Programs and generators for tests of the engine."""

from __future__ import annotations

from pathlib import Path

COPIES = """#include <iostream>
#include <string>
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
    int count;
    std::cin >> count;
    std::vector<int> values(count);
    for (int i = 0; i < count; ++i) std::cin >> values[i];
    long total = 0;
    for (int i = 0; i < count; ++i) {
        total += score(values, i);
        if (i % 50 == 0) std::cout << i << ' ' << total << std::endl;
    }
    std::cout << total << std::endl;
    return 0;
}
"""
GENERATOR = """import random
import sys

# size: 2000
draw = random.Random(int(sys.argv[1]))
size = int(sys.argv[2])
print(size)
print(*[draw.randrange(100000) for _ in range(size)])
"""
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


def project(folder: Path, source: str = COPIES, generator: str | None = GENERATOR, name: str = "solve.cpp") -> Path:
    """A folder with one program; returns the program's path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_bytes(source.encode())
    if generator is not None:
        (folder / "gen.py").write_text(generator)
    return file
