"""Moving hunks and stretches from one version of a text to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.edits import diff


def closes(hunk: Hunk) -> bool:
    """A closing brace alone: it belongs to an opening one that an equal hunk of another part does not have."""
    return hunk.start == hunk.end and hunk.replacement.strip() == b"}"


def splice(text: bytes, hunks: Iterable[Hunk]) -> bytes:
    """The text after hunks that may insert at one place: they follow each other in the given order."""
    pieces: list[bytes] = []
    at = 0
    for hunk in sorted(hunks, key=lambda hunk: (hunk.start, hunk.end)):
        pieces += (text[at : hunk.start], hunk.replacement)
        at = hunk.end
    return b"".join((*pieces, text[at:]))


def rebase(hunks: Sequence[Hunk], old: bytes, new: bytes) -> tuple[Hunk, ...] | None:
    """Hunks against ``old`` as hunks against ``new``; None where one lies in what differs.

    An insertion right before or after a difference is kept there.
    """
    moved: list[Hunk] = []
    differences = diff(old, new)
    for hunk in hunks:
        shift = 0
        for change in differences:
            if change.end <= hunk.start and not (change.start == change.end == hunk.start == hunk.end):
                shift += len(change.replacement) - (change.end - change.start)
            elif change.start < hunk.end or change.start < hunk.start < change.end:
                return None
        moved.append(Hunk(hunk.start + shift, hunk.end + shift, hunk.replacement))
    return tuple(moved)


def moved(stretches: Sequence[tuple[int, int]], old: bytes, new: bytes) -> list[tuple[int, int] | None]:
    """Where stretches (start, end) of ``old`` are in ``new``; None for one in whose lines something differs."""
    differences = diff(old, new)
    return [_moved(start, end, differences) for start, end in stretches]


def _moved(start: int, end: int, differences: Sequence[Hunk]) -> tuple[int, int] | None:
    shift = 0
    for change in differences:
        if change.end <= start:
            shift += len(change.replacement) - (change.end - change.start)
        elif change.start < end:
            return None
    return start + shift, end + shift
