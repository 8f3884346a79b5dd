from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit

from .conftest import BehavesAlike, HoldsBack


def test_programs_behave_alike(behaves_alike: BehavesAlike) -> None:
    behaves_alike("containers")


def test_needed_headers_are_included():
    unit = Unit(b"#include <map>\nint main() { std::map<int, int> m; m[1] = 2; }\n")
    [rewrite] = RULES["unordered-container"].find(unit)
    assert b"#include <unordered_map>\n" in apply(unit.data, rewrite.hunks)
    assert b"std::unordered_map<int, int> m" in apply(unit.data, rewrite.hunks)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("unordered-container", "void f() { map<int, int> m; for (auto& p : m) cout << p.first; }"),
        ("unordered-container", "void f() { map<int, int> m; m.lower_bound(3); }"),
        ("unordered-container", "void f() { map<int, int> m; m.begin()->second++; }"),
        ("unordered-container", "void f() { map<int, int> m; g(m); }"),
        ("unordered-container", "void f() { map<int, int> m; auto& n = m; n[1] = 1; }"),
        ("unordered-container", "void f() { map<pair<int, int>, int> m; m[{1, 2}] = 1; }"),
        ("unordered-container", "void f() { map<int, int, greater<int>> m; m[1] = 1; }"),
        ("unordered-container", "void f() { set<int> m; auto it = m.find(1); ++it; }"),
        ("unordered-container", "#define USE(x) for (auto y : m) x += y\nvoid f() { set<int> m; m.insert(1); }"),
        ("unordered-container", "void f(map<int, int>& m) { m[1] = 1; }"),
        ("unordered-everywhere", "void f(set<int>& a, set<int>& b) { for (int x : a) cout << x; }"),
        ("hash-reserve", "void f() { unordered_map<int, int> m; m.reserve(9); m[1]++; }"),
        ("hash-reserve", "void f() { for (;;) { unordered_map<int, int> m; m[1]++; } }"),
        ("character-table", "void f() { map<char, int> m; for (auto& p : m) g(p); }"),
        ("character-table", "void f() { map<char, int> m = {{'a', 1}}; m['b']++; }"),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)
