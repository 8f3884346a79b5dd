from __future__ import annotations

import pytest

from .conftest import BehavesAlike, HoldsBack


def test_programs_behave_alike(behaves_alike: BehavesAlike) -> None:
    behaves_alike("sequences")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("contiguous-sequence", "void f() { list<int> l; l.push_front(1); }"),
        ("contiguous-sequence", "void f() { deque<int> d; d.pop_front(); }"),
        ("contiguous-sequence", "void f() { list<int> l; g(l); }"),
        ("stack-vector", "void f() { stack<int, vector<int>> s; }"),
        ("vector-bool", "void f() { vector<bool> v; v.flip(); }"),
        ("vector-bool", "void f() { vector<bool> v(3); cout << v[1]; }"),
        (
            "reserve-before-loop",
            "void f(int n) { vector<int> v; v.reserve(n); for (int i = 0; i < n; ++i) v.push_back(i); }",
        ),
        ("reserve-before-loop", "void f() { vector<int> v; for (int i = 0; g(i); ++i) v.push_back(i); }"),
        ("deque-for-front", "void f() { vector<int> v; v.erase(v.begin()); g(v.data()); }"),
        ("deque-for-front", "void f() { vector<int> v; v.erase(v.end() - 1); }"),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)
