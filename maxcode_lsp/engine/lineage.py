"""A winner's lineage as separate pieces, and versions of it with some of them left out."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from msgspec import Struct

from maxcode_lsp.records import Hunk, Part
from maxcode_lsp.search.trials import Node
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.rebase import closes, rebase, splice

SEPARATE = 8
"""With more pieces than this, those of the same actions are one piece."""

Place = str
"""Where a part stands in a lineage: ``STEP.INDEX``."""


class Step(Struct, frozen=True):
    """One step of the search: the parts it took at once, and the text it led to."""

    parts: dict[Place, Part]
    text: bytes


class Piece(Struct, frozen=True):
    """Parts that are left out together, and what they do."""

    places: frozenset[Place]
    actions: tuple[str, ...]
    lines: int
    """How many it adds."""


class Stage(Struct, frozen=True):
    """A text on the way, and the part that led to it."""

    text: bytes
    place: Place


class Lineage:
    """From the original to a winner."""

    def __init__(self, winner: Node) -> None:
        path = [winner]
        while (parent := path[-1].parent) is not None:
            path.append(parent)
        path.reverse()
        self.original = path[0].text
        self.steps = tuple(_step(number, *pair) for number, pair in enumerate(pairwise(path)))
        self.parts = {place: part for step in self.steps for place, part in step.parts.items()}
        self.pieces = self._pieces()

    def stages(self, without: Collection[Piece] = ()) -> list[Stage] | None:
        """All texts on the way, the last being the version; None where the pieces cannot be taken out."""
        left_out = {place for piece in without for place in piece.places}
        stages: list[Stage] = []
        old = new = self.original
        for step in self.steps:
            done: list[Hunk] = []
            start = new
            for place, part in step.parts.items():
                if place in left_out:
                    continue
                moved = rebase(part.hunks, old, start)
                if moved is None:
                    return None
                done += [hunk for hunk in dict.fromkeys(moved) if hunk not in done or closes(hunk)]
                new = splice(start, done)
                stages.append(Stage(new, place))
            old = step.text
        return stages

    def lines_of(self, piece: Piece, without: Collection[Piece], text: bytes) -> set[int] | None:
        """Lines (from 0) of ``text``, the version without ``without``, that are there because of a piece.

        None where it cannot be taken out by itself. Lines that say nothing (braces, blanks) do not count.
        """
        stages = self.stages({*without, piece})
        if stages is None:
            return None
        less = stages[-1].text if stages else self.original
        rows = text.split(b"\n")
        lines: set[int] = set()
        shift = 0
        for hunk in diff(less, text):
            first = text.count(b"\n", 0, hunk.start + shift)
            shift += len(hunk.replacement) - (hunk.end - hunk.start)
            lines |= {n for n in range(first, first + hunk.replacement.count(b"\n")) if rows[n].strip(b" \t{};")}
        return lines

    def _pieces(self) -> tuple[Piece, ...]:
        groups: dict[object, list[Place]] = {}
        for place, part in self.parts.items():
            groups.setdefault(place if len(self.parts) <= SEPARATE else part.actions, []).append(place)
        return tuple(map(self._piece, groups.values()))

    def _piece(self, places: list[Place]) -> Piece:
        parts = [self.parts[place] for place in places]
        hunks = dict.fromkeys(hunk for part in parts for hunk in part.hunks)
        return Piece(frozenset(places), parts[0].actions, sum(hunk.replacement.count(b"\n") for hunk in hunks))


def _step(number: int, parent: Node, node: Node) -> Step:
    assert node.candidate is not None
    origin = node.candidate.origin
    parts = origin.parts or (Part(origin.actions, origin.rationale, diff(parent.text, node.text)),)
    return Step({f"{number}.{index}": part for index, part in enumerate(parts)}, node.text)
