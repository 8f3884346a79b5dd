"""Where edits fit in the program that was shown: each at exactly one place, or none is made."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from maxcode_lsp.messages import replies as complaints
from maxcode_lsp.policy.llm.replies.edits import Edit
from maxcode_lsp.policy.llm.replies.wrappings import without_numbers
from maxcode_lsp.text.edits import diff, split_lines

_MOST_PLACES = 100
"""Ours: an edit that fits at more places is not counted further."""
_SHOWN_LINES = 6
_COMMON = 50
"""Ours: lines that occur more often say nothing about where an edit was meant to fit."""
_ALIKE = 0.3
"""Ours: lines that share a smaller part of their words are not alike."""

Half = tuple[str, ...]


class Fit(Struct, frozen=True):
    """What came of edits."""

    text: bytes | None
    complaint: str = ""


class _Place(Struct, frozen=True):
    """Lines ``[first, last)`` of the program, and those that replace them."""

    first: int
    last: int
    new: Half
    number: int = 0


class _Lines:
    """The program by lines, and its lines as they are looked for."""

    def __init__(self, data: bytes) -> None:
        self.raw = split_lines(data)
        self.said = [_said(line) for line in self.raw]
        self._joined: dict[Callable[[str], str], tuple[str, list[int]]] = {}

    def find(self, sought: Half, key: Callable[[str], str]) -> list[int]:
        """Lines at which ``sought`` stands, both seen through ``key``; at most ``_MOST_PLACES`` and one."""
        if key not in self._joined:
            starts, at = list[int](), 0
            keys = [key(line) for line in self.said]
            for line in keys:
                starts.append(at)
                at += len(line) + 1
            self._joined[key] = "".join(f"\n{line}" for line in keys) + "\n", starts
        text, starts = self._joined[key]
        needle = "".join(f"\n{key(line)}" for line in sought) + "\n"
        found: list[int] = []
        at = text.find(needle)
        while at >= 0 and len(found) <= _MOST_PLACES:
            found.append(bisect_left(starts, at))
            at = text.find(needle, at + 1)
        return found


def fit(edits: Sequence[Edit], shown: bytes) -> Fit:
    """The text after all edits, each of which is sought in the text as it was shown; or what is wrong."""
    lines = _Lines(shown)
    places: list[_Place] = []
    for edit in edits:
        place = _place(edit, lines)
        if isinstance(place, str):
            return Fit(None, place)
        if not any((place.first, place.last, place.new) == (one.first, one.last, one.new) for one in places):
            places.append(place)
    places.sort(key=lambda place: (place.first, place.last))
    for one, other in pairwise(places):
        if other.first < one.last or other.first == one.first:
            low, high = sorted((one.number, other.number))
            return Fit(None, complaints.hunks_overlap(high, low))
    pieces: list[bytes] = []
    at = 0
    for place in places:
        old, new = b"".join(lines.raw[place.first : place.last]), "".join(f"{line}\n" for line in place.new)
        pieces += (*lines.raw[at : place.first], keeping(old, new.encode(errors="replace")))
        at = place.last
    return Fit(b"".join((*pieces, *lines.raw[at:])))


def keeping(old: bytes, new: bytes) -> bytes:
    """The new text; lines that differ from the old one only by white space at their end, or by bytes that no model
    can say, are the old ones.
    """
    before, behind = split_lines(old), split_lines(new)
    a, b = ([f"{_said(line).rstrip()}\n".encode(errors="replace") for line in side] for side in (before, behind))
    old_keys, new_keys = b"".join(a), b"".join(b)
    pieces: list[bytes] = []
    at = to = start = 0
    for hunk in diff(old_keys, new_keys):
        same = old_keys.count(b"\n", start, hunk.start)
        removed, added = old_keys.count(b"\n", hunk.start, hunk.end), hunk.replacement.count(b"\n")
        pieces += (*before[at : at + same], *behind[to + same : to + same + added])
        at, to, start = at + same + removed, to + same + added, hunk.end
    pieces += before[at:]
    return b"".join(piece if piece.endswith(b"\n") else piece + b"\n" for piece in pieces)


def _place(edit: Edit, lines: _Lines) -> _Place | str:
    """Where an edit fits, or the complaint."""
    # What divides may be a line of the program, too: then more of the lines that follow fit.
    for old, new in reversed(edit.ways):
        found = _one_way(edit, old, new, lines)
        if found is not None:
            return found
    sought = edit.ways[0][0]
    first = next((line for line in sought if line.strip()), "")
    at, last = _nearest(sought, lines)
    return complaints.hunk_not_found(edit.number, first, at + 1, lines.said[at:last])


def _one_way(edit: Edit, old: Half, new: Half, lines: _Lines) -> _Place | str | None:
    if not any(line.strip() for line in old):
        return _Place(0, 0, new, edit.number) if edit.anchored else complaints.hunk_says_nothing(edit.number)
    for sought, put in _forms(old, new):
        for find in (_exactly, _but_for_ends, _but_for_indentation):
            places = find(sought, put, lines)
            if len(places) == 1:
                return _Place(places[0].first, places[0].last, places[0].new, edit.number)
            if places:
                first = next(line for line in sought if line.strip())
                at = [place.first + 1 for place in places[:_MOST_PLACES]]
                return complaints.hunk_fits_often(edit.number, first, at, more=len(places) > _MOST_PLACES)
    return None


def _forms(old: Half, new: Half) -> list[tuple[Half, Half]]:
    """As it stands; without empty lines around it; without the line numbers that the program was shown with."""
    forms = [(old, new)]
    head = next(at for at, line in enumerate(old) if line.strip())
    tail = next(at for at, line in enumerate(reversed(old)) if line.strip())
    if head or tail:
        put = list(new)
        for _ in range(head):
            put = put[1:] if put and not put[0].strip() else put
        for _ in range(tail):
            put = put[:-1] if put and not put[-1].strip() else put
        forms.append((old[head : len(old) - tail], tuple(put)))
    bare = without_numbers("\n".join(old))
    if bare is not None:
        put = without_numbers("\n".join(new))
        forms.append((tuple(bare.split("\n")[:-1]), new if put is None else tuple(put.split("\n")[:-1])))
    return forms


def _exactly(old: Half, new: Half, lines: _Lines) -> list[_Place]:
    return [_Place(at, at + len(old), new) for at in lines.find(old, _as_it_is)]


def _but_for_ends(old: Half, new: Half, lines: _Lines) -> list[_Place]:
    return [_Place(at, at + len(old), new) for at in lines.find(old, str.rstrip)]


def _but_for_indentation(old: Half, new: Half, lines: _Lines) -> list[_Place]:
    found: list[_Place] = []
    for at in lines.find(old, str.strip):
        there = lines.said[at : at + len(old)]
        shift = _shift(old, there)
        if shift is not None:
            found.append(_Place(at, at + len(old), tuple(_shifted(line, *shift) for line in new)))
    return found


def _shift(old: Half, there: Sequence[str]) -> tuple[str, str] | None:
    """What to take off, and what to put on, at the start of each line; None where that is not the same for all."""
    leads = {(_lead(line), _lead(other)) for line, other in zip(old, there, strict=True) if line.strip()}
    offs = {lead.removesuffix(other) for lead, other in leads if lead.endswith(other) and lead != other}
    ons = {other.removesuffix(lead) for lead, other in leads if other.endswith(lead) and lead != other}
    if len(offs) + len(ons) != 1 or any(lead == other for lead, other in leads):
        return None
    off, on = "".join(offs), "".join(ons)
    return (off, on) if all(lead.removeprefix(off) == other.removeprefix(on) for lead, other in leads) else None


def _shifted(line: str, off: str, on: str) -> str:
    if not line.strip():
        return line
    if off and not line.startswith(off):
        return line.lstrip(" \t")
    return on + line.removeprefix(off)


def _lead(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _said(line: bytes) -> str:
    return line.removesuffix(b"\n").decode(errors="replace")


def _as_it_is(line: str) -> str:
    return line


def _nearest(sought: Half, lines: _Lines) -> tuple[int, int]:
    """Lines ``[first, last)`` that were probably meant: where most of the sought ones stand, else where most of
    their words do.
    """
    where: dict[str, list[int]] = {}
    for at, line in enumerate(lines.said):
        where.setdefault(line.strip(), []).append(at)
    votes: Counter[int] = Counter()
    for at, line in enumerate(sought):
        places = where.get(line.strip(), []) if line.strip() else []
        votes.update(max(0, place - at) for place in places if len(places) <= _COMMON)
    height = min(len(sought), _SHOWN_LINES)
    if votes:
        most = max(votes.values())
        best = min(at for at, count in votes.items() if count == most)
        return best, min(best + height, len(lines.said))
    words = _words(max(sought, key=len, default=""))
    scores = [len(words & there) / len(words | there or {""}) for line in lines.said for there in [_words(line)]]
    most = max(scores, default=0.0)
    if most < _ALIKE:
        return 0, 0
    best = scores.index(most)
    return best, min(best + height, len(lines.said))


def _words(line: str) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() or c == "_" else " " for c in line[:400]).split())
