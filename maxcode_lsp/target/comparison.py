"""When two outputs count as the same. The whole policy is in ``docs/output-comparison.md``.

In short: line by line, the same tokens in the same order on both sides, and the same number of
lines. Only a token that is a decimal *float in the expected output* may differ, by a relative
tolerance; integers, words and hexadecimal are compared byte for byte.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal

from msgspec import Struct

from maxcode_lsp.settings.patterns import pattern

FLOAT = re.compile(rb"[+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")
NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
NAN = re.compile(rb"-?(?:nan|NAN)")
SHOWN = 40
"""Most characters of a token that a sentence shows."""
BLOCK = 1 << 20
"""Bytes looked at at once; bounds the memory that a comparison takes besides the outputs."""


class OutputPolicy(Struct, frozen=True):
    """How outputs are compared."""

    float_tolerance: float = 1e-9
    """Largest ``|got - expected| / |expected|`` of a float; 0: floats too are compared as text."""
    ignore: tuple[str, ...] = ()
    """Regular expressions (``settings.patterns``); a line of either output in which one is found is left out."""
    white_space: Literal["runs", "exact"] = "runs"
    """``runs``: how much white space stands between tokens or before the first does not matter;
    ``exact``: it does. At the end of a line or of the output it never matters."""


def compare(expected: bytes, actual: bytes, policy: OutputPolicy) -> str | None:
    """None where ``actual`` is as good as ``expected``, else one clause that names line and difference,
    to stand in a sentence: ``line 3: expected “12”, got “13”``.

    An expected output without a token proves nothing and is never equal to anything. Takes time
    linear in the outputs; call it in a thread where they may be large.
    """
    if is_empty(expected, policy):
        return "there is nothing to compare, the expected output is empty"
    if expected == actual:
        return None
    expected, actual = expected.rstrip(), actual.rstrip()
    start = _common_lines(expected, actual)
    line = expected.count(b"\n", 0, start) + 1
    pairs = zip_longest(_lines(expected, start, line, policy), _lines(actual, start, line, policy))
    for want, got in pairs:
        if want and got and want[1] == got[1]:
            continue
        difference = _line_difference(want and want[1], got and got[1], policy)
        if difference:
            number, _ = want or got or (line, b"")
            return f"line {number}: {difference}"
    return None


def is_empty(output: bytes, policy: OutputPolicy) -> bool:
    """Whether the output has no token once ignored lines are left out."""
    if not policy.ignore:
        return not output or output.isspace()
    return all(not text or text.isspace() for _, text in _lines(output, 0, 1, policy))


def _common_lines(a: bytes, b: bytes) -> int:
    """Offset of the first line that is not the same in both."""
    at, end = 0, min(len(a), len(b))
    while at < end and a[at : at + BLOCK] == b[at : at + BLOCK]:
        at += BLOCK
    size = BLOCK
    while size > 64:
        size //= 8
        while at < end and a[at : at + size] == b[at : at + size]:
            at += size
    return a.rfind(b"\n", 0, min(at, end)) + 1


def _lines(data: bytes, start: int, first: int, policy: OutputPolicy) -> Iterator[tuple[int, bytes]]:
    """Lines from ``start`` (line ``first``) on with their numbers, without the ignored ones."""
    ignored = [pattern(text) for text in policy.ignore]
    while start < len(data):
        end = data.find(b"\n", start + BLOCK)
        end = len(data) if end < 0 else end
        texts = data[start:end].split(b"\n")
        for number, text in enumerate(texts, first):
            if not ignored or not any(one.search(text) for one in ignored):
                yield number, text
        first += len(texts)
        start = end + 1


def _line_difference(want: bytes | None, got: bytes | None, policy: OutputPolicy) -> str | None:
    wanted, gotten = (want or b"").split(), (got or b"").split()
    if wanted == gotten and policy.white_space == "runs":
        return None
    for w, g in zip_longest(wanted, gotten):
        if w == g:
            continue
        if w is None:
            place = "the end of the output" if want is None else "the end of the line"
            return f"expected {place}, got {_quote(g)}"
        if g is None:
            place = "the output ends" if got is None else "the line ends"
            return f"expected {_quote(w)}, but {place} there"
        if not _same_token(w, g, policy.float_tolerance):
            return _token_difference(w, g, policy)
    if policy.white_space == "exact" and not _same_spaces(want or b"", got or b""):
        return (
            f"the white space differs, expected {_quote((want or b'').rstrip())}, got {_quote((got or b'').rstrip())}"
        )
    return None


def _same_token(want: bytes, got: bytes, tolerance: float) -> bool:
    if FLOAT.fullmatch(want) and tolerance:
        if not NUMBER.fullmatch(got):
            return False
        reference, value = float(want), float(got)
        return math.isfinite(reference) and abs(value - reference) <= tolerance * abs(reference)
    return bool(NAN.fullmatch(want) and NAN.fullmatch(got)) and want.lstrip(b"-") == got.lstrip(b"-")


def _token_difference(want: bytes, got: bytes, policy: OutputPolicy) -> str:
    said = f"expected {_quote(want, got)}, got {_quote(got, want)}"
    if not policy.float_tolerance or not FLOAT.fullmatch(want) or not NUMBER.fullmatch(got):
        return said
    reference, value = float(want), float(got)
    if not math.isfinite(reference) or not math.isfinite(value):
        return said
    if not reference:
        return f"{said}; beside 0 no difference is allowed"
    off = abs(value - reference) / abs(reference)
    return f"{said}, off by {off:.2g} of the value where {policy.float_tolerance:.2g} is allowed"


def _same_spaces(want: bytes, got: bytes) -> bool:
    return re.findall(rb"\s+", want.rstrip()) == re.findall(rb"\s+", got.rstrip())


def _quote(token: bytes, other: bytes = b"") -> str:
    """The token in quotation marks, for people: at most ``SHOWN`` characters, around the place where
    it first differs from ``other``, and with nothing in it that a terminal would act on.
    """
    at = next((i for i, (x, y) in enumerate(zip(token, other, strict=False)) if x != y), min(len(token), len(other)))
    start = max(0, at - SHOWN // 2) if len(token) > SHOWN else 0
    window = token[start : start + SHOWN]
    text = window.decode(errors="backslashreplace")
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return f"“{'…' if start else ''}{text}{'…' if start + SHOWN < len(token) else ''}”"
