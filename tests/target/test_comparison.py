from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.target.comparison import OutputPolicy, compare, is_empty

PLAIN = OutputPolicy()


def same(expected: bytes, actual: bytes, policy: OutputPolicy = PLAIN) -> bool:
    return compare(expected, actual, policy) is None


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (b"1 2 3\n", b"1 2 3"),
        (b"1 2 3\n", b"1  2\t3 \r\n\n\n"),
        (b"  a\nb", b"a\n b\n"),
        (b"a\n\nb\n", b"a\n \nb"),
        (b"1.0", b"1.0000000001"),
        (b"1.50", b"1.5"),
        (b"1e5", b"100000"),
        (b"-0.0", b"0.0"),
        (b"nan", b"-nan"),
        (b"x -inf", b"x -inf"),
        (b".5 5. -1E-3", b"0.5 5 -0.001"),
        (b"\xff\xfe", b"\xff\xfe\n"),
    ],
)
def test_equal(expected: bytes, actual: bytes) -> None:
    assert compare(expected, actual, PLAIN) is None


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        (b"1\n2\n", b"1\n3\n", "line 2: expected “2”, got “3”"),
        (b"1 2\n", b"1\n2\n", "line 1: expected “2”, but the line ends there"),
        (b"1\n2\n", b"1 2\n", "line 1: expected the end of the line, got “2”"),
        (b"1\n", b"1\n2\n", "line 2: expected the end of the output, got “2”"),
        (b"1\n2\n", b"1\n", "line 2: expected “2”, but the output ends there"),
        (b"1\n", b"", "line 1: expected “1”, but the output ends there"),
        (b"a\n\nb\n", b"a\nb\n", "line 2: expected the end of the line, got “b”"),
        (b"100000", b"1e5", "line 1: expected “100000”, got “1e5”"),
        (b"5", b"5.0", "line 1: expected “5”, got “5.0”"),
        (b"-0", b"0", "line 1: expected “-0”, got “0”"),
        (b"+1", b"1", "line 1: expected “+1”, got “1”"),
        (b"0x10", b"16", "line 1: expected “0x10”, got “16”"),
        (b"0x1.8p1", b"0x1.80p1", "line 1: expected “0x1.8p1”, got “0x1.80p1”"),
        (b"1.5", b"0x1.8p0", "line 1: expected “1.5”, got “0x1.8p0”"),
        (b"1.5", b"nan", "line 1: expected “1.5”, got “nan”"),
        (b"nan", b"1.5", "line 1: expected “nan”, got “1.5”"),
        (b"Nan", b"nan", "line 1: expected “Nan”, got “nan”"),
        (b"inf", b"-inf", "line 1: expected “inf”, got “-inf”"),
        (b"1e999", b"1e998", "line 1: expected “1e999”, got “1e998”"),
        (b"1.5", b"1_.5", "line 1: expected “1.5”, got “1_.5”"),
        (b"0.0", b"1e-300", "line 1: expected “0.0”, got “1e-300”; beside 0 no difference is allowed"),
        (
            b"1.0",
            b"1.001",
            "line 1: expected “1.0”, got “1.001”, off by 0.001 of the value where 1e-09 is allowed",
        ),
        (b"(1.0,", b"(1.00,", "line 1: expected “(1.0,”, got “(1.00,”"),
        (b"", b"", "there is nothing to compare, the expected output is empty"),
        (b" \n", b" \n", "there is nothing to compare, the expected output is empty"),
    ],
)
def test_different(expected: bytes, actual: bytes, said: str) -> None:
    assert compare(expected, actual, PLAIN) == said


def test_tolerance_is_scaled_to_the_reference() -> None:
    loose = OutputPolicy(float_tolerance=1e-3)
    assert same(b"1000000.0", b"1000500.0", loose)
    assert not same(b"0.000001", b"0.000002", loose)
    assert not same(b"1.50", b"1.5", OutputPolicy(float_tolerance=0))


def test_exact_white_space() -> None:
    exact = OutputPolicy(white_space="exact")
    assert same(b"  *\n ***\n", b"  * \n ***", exact)
    assert not same(b"  *\n ***\n", b"*\n***\n", exact)
    assert not same(b"a b", b"a\tb", exact)


def test_ignored_lines_are_left_out_of_both() -> None:
    policy = OutputPolicy(ignore=("^took ", "(?i)DEBUG"))
    assert same(b"took 1 s\n7\n", b"7\ntook 3 s\ndebug x\n", policy)
    assert not same(b"took 1 s\n7\n", b"8\ntook 1 s\n", policy)
    assert is_empty(b"took 1 s\n\n", policy)
    assert not same(b"took 1 s\n", b"took 1 s\n", policy)
    # The line number is that of the whole expected output.
    assert compare(b"took 1\n7\n", b"8\n", policy) == "line 2: expected “7”, got “8”"


def test_sentence_is_bounded_and_safe_for_a_terminal() -> None:
    said = compare(b"a" * 5000 + b"\x1b[31m", b"a" * 5000 + b"\x1b[32m\x9f\xe2\x80\xae", PLAIN)
    assert said is not None
    assert len(said) < 200 and said.isprintable()
    assert "[31m" in said and "[32m" in said, "the sentence shows the place that differs"


def test_large_outputs() -> None:
    lines = b"".join(b"%d %d.5\n" % (i, i) for i in range(300_000))
    assert same(lines, lines.replace(b"\n", b" \n"))
    assert same(lines, lines.replace(b".5", b".50"))
    said = compare(lines + b"1\n", lines + b"2\n", PLAIN)
    assert said == "line 300001: expected “1”, got “2”"


TOKENS = st.sampled_from(
    [b"0", b"-0", b"1", b"12", b"1.5", b"-2.25e3", b"nan", b"inf", b"-inf", b"a", b"0x1f", b"\xff"]
)
GRID = st.lists(st.lists(TOKENS, max_size=4), min_size=1, max_size=5)
SPACE = st.text(" \t\r\v\f", min_size=1, max_size=3).map(str.encode)


@st.composite
def spelled(draw: st.DrawFn, grid: list[list[bytes]]) -> bytes:
    """The grid with white space of any kind between, before and behind its tokens."""
    spaces = st.one_of(st.just(b""), SPACE)
    rows = [draw(spaces) + draw(SPACE).join(row) + draw(spaces) for row in grid]
    return b"\n".join(rows) + b"\n" * draw(st.integers(0, 3))


@given(st.data(), GRID)
def test_white_space_never_matters(data: st.DataObject, grid: list[list[bytes]]) -> None:
    one, two = data.draw(spelled(grid)), data.draw(spelled(grid))
    assert same(one, two) == any(grid)


def trimmed(grid: list[list[bytes]]) -> list[list[bytes]]:
    while grid and not grid[-1]:
        grid = grid[:-1]
    return grid


@given(st.data(), GRID, GRID)
def test_text_tokens_decide_both_ways(data: st.DataObject, one: list[list[bytes]], two: list[list[bytes]]) -> None:
    a, b = data.draw(spelled(one)), data.draw(spelled(two))
    policy = OutputPolicy(float_tolerance=0)
    equal = trimmed(one) == trimmed(two)
    assert same(a, b, policy) == (equal and any(one))
    assert same(b, a, policy) == (equal and any(two))


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes(a: bytes, b: bytes) -> None:
    said = compare(a, b, PLAIN)
    assert said is None or (said.isprintable() and len(said) < 300)
    assert same(a, a) == bool(a.split())
    if said is None:
        assert same(b, a) or any(re.search(rb"[.eE]", token) for token in b.split() + a.split())


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_floats_within_tolerance_only(a: float, b: float) -> None:
    policy = OutputPolicy(float_tolerance=1e-6)
    expected = b"%r" % a
    if re.search(rb"[.e]", expected):
        near = abs(a - b) <= 1e-6 * abs(a)
        assert same(expected, b"%r" % b, policy) == near
