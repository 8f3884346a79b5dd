from __future__ import annotations

from collections.abc import Callable

import pytest


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("code_generation")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "target-clones",
            ("template <class T> void f(T* a) { for (int i = 0; i < 9; ++i) a[i] = 0; } int main() { return 0; }"),
        ),
        ("math-no-errno", "#include <cerrno>\ndouble f(double x) { errno = 0; return sqrt(x); }"),
        ("math-no-errno", "int f(int x) { return x; }"),
        ("optimize-pragma", '#pragma GCC optimize("O3,unroll-loops")\nint main() { return 0; }'),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
