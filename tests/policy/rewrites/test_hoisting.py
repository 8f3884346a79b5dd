from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("hoisting")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("hoist-call", "void f(char* s) { for (size_t i = 0; i < strlen(s); ++i) s = g(s); }"),
        ("hoist-call", "void f(string s) { for (size_t i = 0; i < s.size(); ++i) s.pop_back(); }"),
        ("hoist-call", "int g(int x) { count++; return x; } void f(int n) { for (int i = 0; i < n; ++i) use(g(n)); }"),
        ("hoist-call", "void f(double a) { for (int i = 0; i < 9; ++i) { a += 1; use(sqrt(a)); } }"),
        ("repeated-call", "void f(double a) { x = sin(a); a = x; y = sin(a); }"),
        ("repeated-call", "void f(double a) { x = a > 0 ? sin(a) : 0; y = a > 1 ? sin(a) : 0; }"),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
