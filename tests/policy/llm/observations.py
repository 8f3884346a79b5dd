"""Observations to be put into words."""

from __future__ import annotations

import re

from maxcode_lsp.model.model import Message
from maxcode_lsp.policy.policy import Attempt, Observation
from maxcode_lsp.records import Critique, Finding, Outcome, Span, Verdict

INITIAL = b"""#include <iostream>
#include <map>
int main() {
    std::map<int, int> seen;
    int x;
    while (std::cin >> x) seen[x]++;
    for (auto& [key, n] : seen) std::cout << key << ' ' << n << std::endl;
}
"""
CURRENT = INITIAL.replace(b"std::endl", b"'\\n'")
BEST = CURRENT.replace(b"    int x;", b"    std::ios::sync_with_stdio(false);\n    int x;")
FINDINGS = (
    Finding("a", "ordered-container", Span(4, 6), "std::map “seen” is filled.", "perf, 812 samples: 61 %", 0.61),
    Finding("b", "stream-input", Span(6, 6), "operator>> reads each number.", "perf, 812 samples: 30 %", 0.3),
    Finding("c", "hot-lines", Span(6, 7), "Most of the time is here.", "perf, 812 samples: 91 %", None),
)
FAILED = Attempt(
    ("llm:m",), "Uses a hash table.", "--- a/a.cpp\n+++ b/a.cpp\n-old\n+hash\n", Outcome.COMPILE_ERROR, None, None,
    "error: ‘unordered_map’ is not a member of ‘std’",
)  # fmt: skip
SLOWER = Attempt(
    ("llm:m",), "Sorts at the end.", "-old\n+sorted\n", Outcome.CORRECT, Verdict.SLOWER, 0.81, "Correct; 0.81×."
)


def observation(text: bytes = CURRENT, **more: object) -> Observation:
    """One with all parts."""
    parts: dict[str, object] = {
        "critique": Critique(FINDINGS, {6: 0.6, 7: 0.3}),
        "original": INITIAL,
        "speedup": 1.5,
        "best": BEST,
        "best_speedup": 2.31,
        "u": 2.31,
        "attempts": (FAILED, SLOWER),
    }
    return Observation(text, ("-O3", "-std=c++20"), **(parts | more))  # pyright: ignore[reportArgumentType]: by name


def outside(message: Message | str) -> str:
    """What stands outside of all data: all that a model is to obey."""
    text = message if isinstance(message, str) else message.text
    return re.sub(r"^<data (\w+)>\n.*?^</data \1>$", "<data>", text, flags=re.DOTALL | re.MULTILINE)
