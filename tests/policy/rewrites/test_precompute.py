from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("precompute")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "range-sum-prefix",
            (
                "void f(int n) { for (int i = 0; i < n; ++i) { int s = 0; for (int k = 0; k < i; ++k) s += "
                "a[k]; a[i] = s; } }"
            ),
        ),
        (
            "range-sum-prefix",
            ("int f(vector<int>& a, int l, int r) { int s = 0; for (int k = l; k < r; ++k) s += a[k]; return s; }"),
        ),
        (
            "range-sum-prefix",
            ("void f(int* a) { for (;;) { int s = 0; for (int k = 0; k < 9; ++k) s += a[k]; use(s); } }"),
        ),
        ("popcount-loop", "int f(int x) { int c = 0; while (x > 0) { c += x % 3; x /= 3; } return c; }"),
        ("popcount-loop", "int f(string x) { int c = 0; while (x > 0) { c += x & 1; x >>= 1; } return c; }"),
        (
            "pair-count",
            (
                "void f(vector<int>& a, int n) { for (int i = 0; i < n; ++i) for (int j = i + 1; j < n; "
                "++j) if (a[i] + a[j] == i) c++; }"
            ),
        ),
        (
            "pair-count",
            (
                "void f(vector<int>& a, int n) { for (int i = 0; i < n; ++i) for (int j = i + 1; j < n; "
                "++j) if (a[i] < a[j]) c++; }"
            ),
        ),
        (
            "pair-count",
            (
                "void f(vector<int>& a, int n) { for (int i = 0; i < n; ++i) for (int j = i + 1; j < n; "
                "++j) if (a[i] == a[j]) p = j; }"
            ),
        ),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
