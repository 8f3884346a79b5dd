"""Programs for measuring the measuring: of known relative speed, and of equal speed but other layout."""

from __future__ import annotations

import random

_SHAPES = (
    # Integer mixing with a data-dependent branch.
    """
static unsigned work(unsigned rounds) {
    unsigned x = 2463534242u, hits = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        x ^= x << 13; x ^= x >> 17; x ^= x << 5;
        if (x & 64u) hits += x >> 7; else hits ^= i;
    }
    return hits;
}
constexpr unsigned kRounds = 9000000;
""",
    # Table walks over 256 KB.
    """
static unsigned table[65536];
static unsigned work(unsigned rounds) {
    for (unsigned i = 0; i < 65536; ++i) table[i] = i * 40503u + 7u;
    unsigned at = 1, sum = 0;
    for (unsigned i = 0; i < rounds; ++i) { at = table[(at ^ i) & 65535u]; sum += at >> 3; }
    return sum;
}
constexpr unsigned kRounds = 7000000;
""",
    # Floating point recurrence.
    """
static unsigned work(unsigned rounds) {
    double x = 0.5, sum = 0.0;
    for (unsigned i = 0; i < rounds; ++i) { x = 3.7 * x * (1.0 - x); sum += x > 0.6 ? x : 0.25; }
    return static_cast<unsigned>(sum);
}
constexpr unsigned kRounds = 5000000;
""",
)

SHAPES = len(_SHAPES)


def program(shape: int, *, slower_pct: float = 0.0, layout: int | None = None) -> bytes:
    """A C++ program that prints one number and reads nothing; about 30 ms.

    ``slower_pct``: this much more work of the same kind (a constant changes, no code does). The work
    beyond the plain amount does not change what is printed. ``layout``: a seed for functions put
    before and after, so that the same code lies elsewhere.
    """
    body = _SHAPES[shape]
    before, after = ("", "") if layout is None else _padding(layout)
    # The printed number comes from the plain amount of work; the rest is work whose result is only looked at.
    return f"""#include <cstdio>
{before}{body}
constexpr unsigned kExtra = static_cast<unsigned>(kRounds * {slower_pct / 100:.6f});
{after}
int main() {{
    unsigned result = work(kRounds);
    volatile unsigned rounds = kExtra;
    volatile unsigned seen = work(rounds);
    (void)seen;
    std::printf("%u\\n", result);
}}
""".encode()


def _padding(seed: int) -> tuple[str, str]:
    """Functions that are never called but stay in the program, of random length."""
    rng = random.Random(seed)  # noqa: S311 - repeatable padding

    def filler(name: str) -> str:
        steps = "".join(
            f" v = v * {rng.randrange(3, 99)}u + {rng.randrange(1, 99)}u;" for _ in range(rng.randrange(1, 40))
        )
        return f"[[gnu::used, gnu::noinline]] static unsigned {name}(volatile unsigned& v) {{{steps} return v; }}\n"

    before = "".join(filler(f"before{i}") for i in range(rng.randrange(1, 4)))
    after = "".join(filler(f"after{i}") for i in range(rng.randrange(0, 3)))
    return before, after
