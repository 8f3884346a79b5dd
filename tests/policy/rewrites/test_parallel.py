from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("behaves_alike", [("-fopenmp",)], indirect=True)
def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("parallel")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "omp-parallel-for",
            ("int f(int* a) { for (int i = 1; i < 9; ++i) { a[0] += g(i); } return a[0]; } int g(int x) { return x; }"),
        ),
        ("omp-parallel-for", "void f() { for (int i = 1; i < 9; ++i) for (int j = 0; j < i; ++j) cout << i; }"),
        (
            "omp-parallel-for",
            (
                "int f(int n) { int last = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) last "
                "= i * j; return last; }"
            ),
        ),
        (
            "omp-parallel-for",
            ("int f(vector<bool>& v, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) v[i] = j > i; }"),
        ),
        (
            "omp-parallel-for",
            (
                "int f(int n) { for (int i = 0; i < n; ++i) { for (int j = 0; j < n; ++j) {} if (i > 3) "
                "return i; } return 0; }"
            ),
        ),
        ("omp-simd", "int f(int n) { int m = 0; for (int i = 0; i < n; ++i) m = m * 3 + i; return m; }"),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[..., None]) -> None:
    holds_back(rule, text, ("-fopenmp",))


@pytest.mark.parametrize("rule", ["omp-parallel-for", "omp-simd"])
def test_a_build_without_openmp_stays_so(rule: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, "void f(int* a) { for (int i = 0; i < 9; ++i) for (int j = 0; j < 9; ++j) a[i] += j; }")
