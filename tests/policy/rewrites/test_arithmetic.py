from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("arithmetic")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("pow-product", "double f(double x, int n) { return pow(x, n) + pow(x, 7) + pow(x, y); }"),
        (
            "pow-product",
            ("double pow(double x, int n) { return n ? x * pow(x, n - 1) : 1; } double f() { return pow(3, 2); }"),
        ),
        ("sqrt-compare", "bool f(double x, double y) { return sqrt(x) < y + g(); }"),
        ("sqrt-compare", "bool f(double x) { return sqrt(x) == 2 || sqrt(x) > -1; }"),
        ("reciprocal", "void f(int d) { for (int i = 0; i < 9; ++i) s += i / d; }"),
        ("reciprocal", "void f(double d) { for (int i = 0; i < 9; ++i) { s += i / d; d += 1; } }"),
        ("modulo-wrap", "int f(int a, int b, int m) { return a * b % m + (a * b + 1) % m; }"),
        ("modulo-wrap", "int f(int a, int m) { return (next() + 1) % m; }"),
        ("narrow-division", "int f(int a, int b) { return a % b; }"),
        ("narrow-division", "const long long m = 7; long long f(long long a) { return a % m + a % 9; }"),
        ("float-literal", "double f(double x) { return x * 0.5; }"),
        ("float-literal", "float f(float x, double y) { return y * 0.5; }"),
        ("branch-to-select", "void f(int n) { for (int i = 0; i < n; ++i) if (i > 3) g(i); }"),
        ("branch-to-select", "void f(int n) { for (int i = 0; i < n; ++i) if (i > 3) s += 1; else s -= 1; }"),
        (
            "branch-to-select",
            ("void f(vector<int>& v, int n) { int s = 0; for (int i = 0; i < n; ++i) if (i < 3) s = v[i]; }"),
        ),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
