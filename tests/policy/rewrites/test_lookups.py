from __future__ import annotations

import pytest

from .conftest import BehavesAlike, HoldsBack


def test_programs_behave_alike(behaves_alike: BehavesAlike) -> None:
    behaves_alike("lookups")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("count-then-index", "void f(map<int, int> m, int k) { if (m.count(k)) { k++; g(m[k]); } }"),
        ("count-then-index", "void f(map<int, int> m, int k) { if (m.count(k)) { m.erase(k); g(m[k]); } }"),
        ("count-then-index", "void f(map<int, int> m, int k) { if (m.count(k)) g(m[k]); else m[k] = 1; }"),
        ("count-then-index", "void f(multiset<int> m, int k) { if (m.count(k)) g(m[k]); }"),
        ("one-lookup", "void f(map<int, int> m, int k) { m[k] = m[k + 1]; }"),
        ("one-lookup", "void f(map<int, int> m, int k) { g(a ? m[k] : 0, m[k]); }"),
        ("one-lookup", "void f(map<int, int> m, int k) { if (g()) m[k] = m[k] + 1; }"),
        ("one-lookup", "void f(vector<int> m, int k) { m[k] = m[k] + 1; }"),
        ("one-lookup", "void f(map<int, int> m, int k) { m[k] = m[k] + (k = 3); }"),
        ("one-lookup", "void f(map<int, int> m, int k) { m[k] = m[k] + m.erase(k); }"),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)
