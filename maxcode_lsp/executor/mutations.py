"""Further inputs made from given ones, for targets without a generator.

Most changes keep values inside the ranges that are already there (tokens change places); some draw
new digits or letters of the same length. The first line often holds counts and stays as it is.
Whether the original accepts such an input is for the caller to find out by running it.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator

_TOKEN = re.compile(rb"[^\s]+")
_INTEGER = re.compile(rb"[+-]?\d+")
Spot = tuple[int, int, int]
"""Row, start and end of a token."""
MUTABLE_BYTES = 4 << 20
"""Larger inputs are not changed."""


def mutations(inputs: list[bytes], rng: random.Random, count: int) -> Iterator[bytes]:
    """At most ``count`` changed inputs, all different from each other and from ``inputs``."""
    sources = [data for data in inputs if 0 < len(data) <= MUTABLE_BYTES]
    seen = set(inputs)
    made = 0
    for attempt in range(count * 8):
        if made == count or not sources:
            return
        changed = mutate(sources[attempt % len(sources)], rng)
        if changed not in seen:
            seen.add(changed)
            made += 1
            yield changed


def mutate(data: bytes, rng: random.Random) -> bytes:
    """One changed input; the same bytes where there is nothing to change."""
    lines = data.split(b"\n")
    # With a single line, all of it but its first token is fair game.
    first = 1 if len(lines) > 2 else 0
    spots = [
        (row, match.start(), match.end())
        for row in range(first, len(lines))
        for match in _TOKEN.finditer(lines[row])
        if row > 0 or match.start() > 0
    ]
    if not spots:
        return data
    change = rng.choice((_swap_tokens, _swap_tokens, _swap_lines, _redraw))
    return change(lines, spots, rng)


def _shape(token: bytes) -> str:
    return "integer" if _INTEGER.fullmatch(token) else "word"


def _swap_tokens(lines: list[bytes], spots: list[Spot], rng: random.Random) -> bytes:
    values = [lines[row][start:end] for row, start, end in spots]
    for _ in range(max(1, len(spots) // 10)):
        a, b = rng.randrange(len(spots)), rng.randrange(len(spots))
        # Values of one column mean the same; across columns only the shape must agree.
        if _shape(values[a]) == _shape(values[b]) and (spots[a][0] != spots[b][0] or rng.random() < 0.3):
            values[a], values[b] = values[b], values[a]
    return _rebuild(lines, spots, values)


def _swap_lines(lines: list[bytes], spots: list[Spot], rng: random.Random) -> bytes:
    rows = list(range(spots[0][0], len(lines)))
    out = list(lines)
    for _ in range(max(1, len(rows) // 10)):
        a, b = rng.choice(rows), rng.choice(rows)
        if len(out[a].split()) == len(out[b].split()):
            out[a], out[b] = out[b], out[a]
    return b"\n".join(out)


def _redraw(lines: list[bytes], spots: list[Spot], rng: random.Random) -> bytes:
    values = [lines[row][start:end] for row, start, end in spots]
    for _ in range(max(1, len(spots) // 20)):
        at = rng.randrange(len(spots))
        values[at] = _same_shape(values[at], rng)
    return _rebuild(lines, spots, values)


def _same_shape(token: bytes, rng: random.Random) -> bytes:
    out = bytearray(token)
    lead = True
    for i, code in enumerate(token):
        char = chr(code)
        if not char.isascii():
            continue
        if char.isdigit():
            out[i] = ord(rng.choice("123456789" if lead and len(token) > 1 else string.digits))
            lead = False
        elif char.isalpha():
            out[i] = ord(rng.choice(string.ascii_lowercase if char.islower() else string.ascii_uppercase))
    return bytes(out)


def _rebuild(lines: list[bytes], spots: list[Spot], values: list[bytes]) -> bytes:
    out = list(lines)
    for (row, start, end), value in reversed(list(zip(spots, values, strict=True))):
        out[row] = out[row][:start] + value + out[row][end:]
    return b"\n".join(out)
