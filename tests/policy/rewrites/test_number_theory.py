from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("number_theory")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "trial-division-bound",
            ("int f(int n) { int c = 0; for (int i = 2; i < n; ++i) if (n % i == 0) c++; return c; }"),
        ),
        (
            "trial-division-bound",
            ("int f(int n, int m) { for (int i = 2; i < m; ++i) if (n % i == 0) return 0; return 1; }"),
        ),
        ("trial-division-bound", "int f(int n) { for (int i = 2; i < n; ++i) if (n % i == 0) return i; return n; }"),
        ("divisor-pairs", "void f(int n) { for (int i = 1; i <= n; ++i) if (n % i == 0) cout << i; }"),
        ("divisor-pairs", "void f(int n) { int last = 0; for (int i = 1; i <= n; ++i) if (n % i == 0) last = i; }"),
        (
            "prime-sieve",
            ("bool is_prime(int n, int k) { for (int i = 2; i < n; ++i) if (n % i == k) return false; return true; }"),
        ),
        ("prime-sieve", "int next_prime(int n) { while (!ok(n)) n++; return n; }"),
        ("gcd-std", "string gcd(string a, string b) { return a; }"),
        ("gcd-std", "int gcd(int a, int b) { calls++; return b ? gcd(b, a % b) : a; }"),
        ("power-by-squaring", "void f(int n) { long r = 1; for (int i = 1; i <= n; ++i) r *= i; }"),
        ("power-by-squaring", "void f(int n) { long r = 1; for (int i = 1; i <= n; ++i) { r *= n; n--; } }"),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
