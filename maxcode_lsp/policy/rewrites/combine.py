"""Putting rewrites together: which fit, and the text that results."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise, takewhile

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.rebase import closes


def overlap(one: Hunk, other: Hunk) -> bool:
    """Whether two different hunks cannot both be applied. Insertions at one place can."""
    if one.start == one.end or other.start == other.end:
        return one.start < other.end and other.start < one.end
    return max(one.start, other.start) < min(one.end, other.end)


class Combination:
    """Hunks that fit together, in order. The same hunk counts once: two rewrites may need the same include."""

    def __init__(self) -> None:
        self._hunks: list[Hunk] = []

    @property
    def hunks(self) -> tuple[Hunk, ...]:
        """All hunks so far, ascending, not overlapping."""
        return tuple(self._hunks)

    def add(self, hunks: Iterable[Hunk]) -> bool:
        """Take all of the hunks, or none if one of them overlaps what is there."""
        known = set(self._hunks)
        new = sorted((hunk for hunk in dict.fromkeys(hunks) if hunk not in known or closes(hunk)), key=_place)
        if any(overlap(a, b) for a, b in pairwise(new)) or any(map(self._clashes, new)):
            return False
        self._hunks = sorted([*self._hunks, *new], key=_place)
        return True

    def _clashes(self, hunk: Hunk) -> bool:
        at = bisect_left(self._hunks, _place(hunk), key=_place)
        before = self._hunks[max(at - 1, 0) : at]
        after = takewhile(lambda other: other.start <= hunk.end, self._hunks[at:])
        return any(overlap(hunk, other) for other in (*before, *after))


def _place(hunk: Hunk) -> tuple[int, int]:
    return hunk.start, hunk.end


def apply(data: bytes, hunks: Iterable[Hunk]) -> bytes:
    """The text after the hunks, which are ascending and do not overlap."""
    parts: list[bytes] = []
    at = 0
    for hunk in hunks:
        parts += (data[at : hunk.start], hunk.replacement)
        at = hunk.end
    parts.append(data[at:])
    return b"".join(parts)
