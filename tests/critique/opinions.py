"""What the tests of opinions share: a program, what is known of it, and replies about it."""

from __future__ import annotations

import json
from typing import Any

from maxcode_lsp.model.markers import marker
from maxcode_lsp.model.model import Answer, Ending, Usage
from maxcode_lsp.records import Critique, Finding, Span

SECRET = b"a secret of this user's own"
PROGRAM = b"""#include <algorithm>
#include <cstdio>
#include <vector>
int count(const std::vector<int>& v, int x) {
    int n = 0;
    for (int one : v) n += one == x;
    return n;
}
int main() {
    std::vector<int> v(1000);
    for (int i = 0; i < 1000; ++i) v[i] = i * 7 % 13;
    long sum = 0;
    for (int x = 0; x < 1000; ++x) sum += count(v, x);
    std::printf("%ld\\n", sum);
}
"""
LINES = PROGRAM.count(b"\n")
KNOWN = Critique(
    findings=(
        Finding("linear-search:13", "linear-search", Span(13, 13), "The vector is searched 1000 times.", "source", 0.9),
    ),
    hot_lines={6: 0.7, 13: 0.2, 11: 0.004},
    profile_source="share of time",
)
WHY = "The whole vector is walked for each x; count each value once instead."
GOOD = {"first": 4, "last": 8, "message": WHY, "evidence": ["E1", "E2"]}
MARK = marker(SECRET, PROGRAM, ())


def findings(*some: dict[str, Any]) -> str:
    return json.dumps({"findings": some})


def answer(text: str, ending: Ending = Ending.STOP) -> Answer:
    return Answer(model="fake/critic", text=text, ending=ending, usage=Usage(10, 10, 0.0))
