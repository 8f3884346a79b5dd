from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("memo")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("memo-recursion", "int calls; int fib(int n) { calls++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }"),
        (
            "memo-recursion",
            ("int f(int n, vector<int>& v) { v.push_back(n); return n < 2 ? n : f(n - 1, v) + f(n - 2, v); }"),
        ),
        ("memo-recursion", "int f(int n, int* p) { return n < 2 ? *p : f(n - 1, p + 1) + f(n - 2, p); }"),
        ("memo-recursion", "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }"),
        ("memo-recursion", "int fib(int n) { cout << n; return n < 2 ? n : fib(n - 1) + fib(n - 2); }"),
        (
            "memo-recursion",
            (
                "#include <thread>\nint fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } void "
                "g() { std::thread t(fib, 3); }"
            ),
        ),
        (
            "memo-pure-call",
            (
                "int mod; int f(int n) { int s = 0; while (n) { s += n % mod; n /= 10; } return s; } void "
                "g() { for (;;) f(3); }"
            ),
        ),
        (
            "memo-pure-call",
            ("int f(int n) { int s = 0; while (n) { s += n % 7; n /= 10; } return s; } void g() { f(3); }"),
        ),
        (
            "memo-lambda",
            ("void g() { function<int(int)> f = [&](int n) { seen++; return n < 2 ? n : f(n - 1) + f(n - 2); }; }"),
        ),
        ("memo-lambda", "void g() { function<int(int)> f = [](int n) { return n * 2; }; }"),
        (
            "orbit-memo",
            ("int f(int n) { int s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; } return s + n; }"),
        ),
        (
            "orbit-memo",
            ("int f(int n, int m) { int s = 0; while (n != 1) { n = n % m ? 3 * n + 1 : n / 2; s++; } return s; }"),
        ),
        ("orbit-memo", "int f(int n) { int s = 0; while (n != 1) { if (n == 7) break; n = n / 2; s++; } return s; }"),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
