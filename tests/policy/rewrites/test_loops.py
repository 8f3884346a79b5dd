from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("loops")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("early-exit", "void f(int n) { for (int i = 0; i < n; ++i) if (g[i]) last = i; }"),
        ("early-exit", "void f(int n) { for (int i = 0; i < n; ++i) { if (a[i]) found = true; else found = false; } }"),
        ("early-exit", "void f(int n) { for (int i = 0; i < n; ++i) if (next() > 3) found = true; }"),
        ("early-exit", "void f(int n) { for (int i = 0; i < n; ++i) if (!found && a[i]) found = true; }"),
        ("running-power", "void f(double x) { for (int i = 0; i < 9; ++i) { s += pow(x, i); x += 1; } }"),
        ("running-power", "void f(double x) { for (int i = 0; i < 9; ++i) { if (i == 3) continue; s += pow(x, i); } }"),
        ("several-accumulators", "void f(int n, int* v) { int s = 0; for (int i = 0; i < n; ++i) s += v[i]; }"),
        (
            "several-accumulators",
            ("void f(int n, double* v) { double s = 0; for (int i = 0; i < n; ++i) s += v[i] * s; }"),
        ),
        (
            "several-accumulators",
            ("void f(int n, double* v) { double s = 0; for (int i = 0; i < n; ++i) s += next(v); }"),
        ),
        ("loop-unswitch", "void f(int n, int m) { for (int i = 0; i < n; ++i) if (m % 2 == i) t += i; }"),
        ("loop-unswitch", "void f(int n, int m) { for (int i = 0; i < n; ++i) if (m % 2 == 1) { m += i; } }"),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
