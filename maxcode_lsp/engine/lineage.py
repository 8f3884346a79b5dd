"""A winner's lineage as separate pieces, and versions of it with some of them left out."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from msgspec import Struct

from maxcode_lsp.records import Hunk, Part
from maxcode_lsp.search.trials import Node
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.rebase import rebase, splice

SEPARATE = 8
"""With more pieces than this, those of the same actions are one piece."""


class Step(Struct, frozen=True):
    """One step of the search: the parts it took at once, and the text it led to."""

    parts: tuple[Part, ...]
    text: bytes


class Piece(Struct, frozen=True):
    """Parts (step and index within it) that are left out together, and what they do."""

    places: frozenset[tuple[int, int]]
    actions: tuple[str, ...]
    lines: int
    """How many it adds."""


class Stage(Struct, frozen=True):
    """A text on the way, and the actions that led to it."""

    text: bytes
    actions: tuple[str, ...]


class Lineage:
    """From the original to a winner."""

    def __init__(self, winner: Node) -> None:
        path = [winner]
        while (parent := path[-1].parent) is not None:
            path.append(parent)
        path.reverse()
        self.original = path[0].text
        self.steps = tuple(_step(parent, node) for parent, node in pairwise(path))
        self.pieces = _pieces(self.steps)
        self.why = {action: part.rationale for step in self.steps for part in step.parts for action in part.actions}

    def stages(self, without: Collection[Piece] = ()) -> list[Stage] | None:
        """All texts on the way, the last being the version; None where the pieces cannot be taken out."""
        left_out = {place for piece in without for place in piece.places}
        stages: list[Stage] = []
        old = new = self.original
        for number, step in enumerate(self.steps):
            done: dict[Hunk, None] = {}
            start = new
            for index, part in enumerate(step.parts):
                if (number, index) in left_out:
                    continue
                moved = rebase(part.hunks, old, start)
                if moved is None:
                    return None
                done |= dict.fromkeys(moved)
                new = splice(start, done)
                stages.append(Stage(new, part.actions))
            old = step.text
        return stages


def _step(parent: Node, node: Node) -> Step:
    assert node.candidate is not None
    origin = node.candidate.origin
    parts = origin.parts or (Part(origin.actions, origin.rationale, diff(parent.text, node.text)),)
    return Step(parts, node.text)


def _pieces(steps: tuple[Step, ...]) -> tuple[Piece, ...]:
    places = [(number, index) for number, step in enumerate(steps) for index in range(len(step.parts))]
    if len(places) <= SEPARATE:
        return tuple(_piece(steps, {(n, i)}) for n, i in places)
    grouped: dict[tuple[str, ...], set[tuple[int, int]]] = {}
    for n, i in places:
        grouped.setdefault(steps[n].parts[i].actions, set()).add((n, i))
    return tuple(_piece(steps, some) for some in grouped.values())


def _piece(steps: tuple[Step, ...], places: Collection[tuple[int, int]]) -> Piece:
    parts = [steps[n].parts[i] for n, i in sorted(places)]
    hunks = dict.fromkeys(hunk for part in parts for hunk in part.hunks)
    return Piece(frozenset(places), parts[0].actions, sum(hunk.replacement.count(b"\n") for hunk in hunks))
