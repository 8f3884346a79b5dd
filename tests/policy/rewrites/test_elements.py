from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("elements")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("row-reference", "void f(int a[9][9], int i) { for (int j = 0; j < 9; ++j) a[i][j] = 1; }"),
        (
            "row-reference",
            ("void f(vector<vector<int>>& a, int i) { for (int j = 0; j < 9; ++j) { a[i][j] = 1; a.push_back({}); } }"),
        ),
        ("row-reference", "void f(vector<vector<int>>& a, int i) { for (int j = 0; j < 9; ++j) a[j][i] = 1; }"),
        ("data-pointer", "void f(vector<int>& v) { for (int i = 0; i < 9; ++i) { v[i] = i; v.push_back(i); } }"),
        ("data-pointer", "void f(vector<bool>& v, map<int, int>& m) { for (int i = 0; i < 9; ++i) v[i] = m[i]; }"),
        ("hoist-element", "void f(vector<int>& v, int k) { for (int i = 0; i < 9; ++i) v[k] += v[i]; }"),
        ("hoist-element", "void f(vector<int>& v, int k) { for (int i = 0; i < 9; ++i) { use(v[k + 1]); k++; } }"),
        ("accumulate-scalar", "void f(vector<int>& v, int k) { for (int i = 0; i < 9; ++i) v[k] += v[i]; }"),
        (
            "accumulate-scalar",
            ("void f(vector<int>& v, int k) { for (int i = 0; i < 9; ++i) { v[k] += i; if (i == k) break; } }"),
        ),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
