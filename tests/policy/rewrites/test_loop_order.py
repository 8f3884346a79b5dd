from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

MATMUL = Path(__file__).parent / "programs/loop_order/loop-interchange.matmul.cpp"


def test_every_rewrite_keeps_the_output(behaves_alike: Callable[[str], None]) -> None:
    behaves_alike("loop_order")


def test_the_innermost_loop_walks_along_memory(rewritten: Callable[[str, str], list[str]]) -> None:
    (text,) = rewritten("loop-interchange", MATMUL.read_text())
    order = [line.split()[2] for line in text.splitlines() if "for (int" in line and "=" in line]
    assert order[1:4] == ["i", "k", "j"]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "loop-interchange",
            "void f(int a[9][9]) { for (int i = 0; i < 9; i++) for (int j = i; j < 9; j++) a[j][i]++; }",
        ),
        ("loop-tiling", "void f(int a[9][9]) { for (int i = 0; i < 9; i++) for (int j = i; j < 9; j++) a[j][i]++; }"),
        (
            "loop-interchange",
            "void f(int a[9][9]) { for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) a[i][j]++; }",
        ),
        (
            "loop-interchange",
            """void f(int a[9][9]) {
            for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) printf("%d", a[j][i]); }""",
        ),
        (
            "loop-interchange",
            """int f(int a[9][9]) {
            for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) if (a[j][i]) return i; return 0; }""",
        ),
        (
            "loop-interchange",
            """void f(vector<vector<int>>& a, int n) {
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[j][i]++; n--; } }""",
        ),
        (
            "loop-accumulate-order",
            """void f(int a[9][9], int b[9][9], int c[9][9]) {
            for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) {
            int s = 0; for (int k = 0; k < 9; k++) { s += a[i][k] * b[k][j]; c[k][k] = s; } c[i][j] = s; } }""",
        ),
        (
            "loop-accumulate-order",
            """void f(int a[9][9], int b[9][9], int c[9]) {
            for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) {
            int s = 0; for (int k = 0; k < 9; k++) s += a[i][k] * b[k][j]; c[i] += s * j; } }""",
        ),
    ],
)
def test_it_holds_back(rule: str, text: str, holds_back: Callable[[str, str], None]) -> None:
    holds_back(rule, text)
