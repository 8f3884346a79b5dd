from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("hints")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("loop-ivdep", "int f(int* a) { int s = 0; for (int i = 0; i < 9; ++i) s += a[i]; return s; }"),
        ("loop-ivdep", "void f(int* a) {\n#pragma GCC ivdep\nfor (int i = 0; i < 9; ++i) a[i] = 0; }"),
        ("loop-unroll", "void f(int* a) { for (int i = 0; i < 9; ++i) for (int& x : v) x = g(i); }"),
        ("restrict-parameters", "void f(int* a, int n) { for (int i = 0; i < n; ++i) a[i] = 0; }"),
        ("restrict-parameters", "void f(int* a, int* b) { *a = *b; }"),
        ("always-inline", "int f(int n) { return n ? f(n - 1) : 0; } void g() { for (;;) f(3); }"),
        ("always-inline", "int f(int n) { return n; } void g() { f(3); }"),
        ("constant-global", "int n; int m = 5; double s = 1; void f() { cin >> n; m++; s = 2; }"),
        ("constant-global", "const int m = 5; extern int k; void f() { int local = 4; }"),
        ("internal-linkage", "static int f() { return 1; } int main() { return f(); }"),
        ("internal-linkage", "struct S { friend int g(S); }; int g(S) { return 1; } int main() { return 0; }"),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
