from __future__ import annotations

import pytest

from .conftest import BehavesAlike, HoldsBack

HAND = """void f(int* a, int n) {{
    for (int i = {}; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            if (a[j] > a[{}]) {{ swap(a[j], a[j + 1]); {} }}
}}"""


def test_programs_behave_alike(behaves_alike: BehavesAlike) -> None:
    behaves_alike("sorting")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "comparator-references",
            "void f(vector<string> v) { sort(v.begin(), v.end(), [](string a, string b) { a += b; b = a; }); }",
        ),
        (
            "comparator-references",
            "void f(vector<int> v) { sort(v.begin(), v.end(), [](int a, int b) { return a > b; }); }",
        ),
        ("comparator-references", "bool less(string a, string b) { return a < b; }"),
        ("stable-to-plain-sort", "void f(vector<int> v) { sort(v.begin(), v.end()); }"),
        ("partial-sort", "void f(vector<int> v) { sort(v.begin(), v.end()); for (int x : v) g(x); }"),
        ("partial-sort", "void f(vector<int> v) { sort(v.begin(), v.end()); g(v); }"),
        ("partial-sort", "void f(vector<int>& v) { sort(v.begin(), v.end()); g(v[0]); }"),
        ("sort-before-loop", "void f(vector<int> v) { for (;;) { sort(v.begin(), v.end()); v.push_back(1); } }"),
        ("sort-before-loop", "void f(vector<int> v) { for (;;) { g(v[0]); sort(v.begin(), v.end()); } }"),
        ("sort-before-loop", "void f() { for (;;) { vector<int> v; sort(v.begin(), v.end()); } }"),
        ("insert-in-order", "void f(vector<int> v) { v.push_back(1); g(); sort(v.begin(), v.end()); }"),
        (
            "hand-sort",
            HAND.format(1, "j + 1", ""),
        ),
        (
            "hand-sort",
            HAND.format(0, "i", ""),
        ),
        (
            "hand-sort",
            HAND.format(0, "j + 1", "c++;"),
        ),
    ],
)
def test_held_back(holds_back: HoldsBack, rule: str, text: str) -> None:
    holds_back(rule, text)
