"""Trimming a winner: each part of the edit is left out in turn, and what is worth nothing is dropped.

The smallest edit wins. Every version is compared with the full winner, so that many small losses
cannot add up to a large one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec
from msgspec import Struct

from maxcode_lsp.engine.events import HunkReport
from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.records import Candidate, Change, Hunk, Origin, Outcome, Verdict
from maxcode_lsp.search.trials import Node, candidate_id
from maxcode_lsp.text.blame import Blame
from maxcode_lsp.text.edits import apply
from maxcode_lsp.text.source import SourceText

WORTH = 1.02
"""A part worth less than this is dropped (design §5)."""
TEST = PairedTest(threshold=WORTH, tail=0.02, max_pairs=16)
"""Ours: a mistake here costs little, for what is left is confirmed afterwards."""
SEPARATE = 8
"""With more hunks than this, those of one action are left out together."""


class Piece(Struct):
    """Hunks that are left out together, and what they turned out to be worth."""

    hunks: list[Hunk]
    actions: tuple[str, ...]
    worth: float | None = None
    worth_ci95: tuple[float, float] | None = None


class Trimmed(Struct, frozen=True):
    """The edit that is left."""

    candidate: Candidate
    reports: tuple[HunkReport, ...]


def lineage(node: Node) -> list[Node]:
    """From the original to ``node``."""
    path = [node]
    while (parent := path[-1].parent) is not None:
        path.append(parent)
    return path[::-1]


def pieces_of(winner: Node) -> list[Piece]:
    """The winner's hunks with the actions that wrote them, grouped where there are many."""
    path = lineage(winner)
    blame = Blame.start(path[0].text)
    for parent, node in pairwise(path):
        assert node.candidate is not None
        for text, actions in _steps(parent, node, node.candidate.origin):
            blame = blame.step(text, actions)
    assert winner.candidate is not None
    pieces = [Piece([hunk], blame.of(hunk)) for hunk in winner.candidate.change.hunks]
    if len(pieces) <= SEPARATE:
        return pieces
    grouped: dict[tuple[str, ...], Piece] = {}
    for piece in pieces:
        grouped.setdefault(piece.actions, Piece([], piece.actions)).hunks.extend(piece.hunks)
    return list(grouped.values())


def _steps(parent: Node, node: Node, origin: Origin) -> Iterator[tuple[bytes, tuple[str, ...]]]:
    """The texts on the way from ``parent`` to ``node``, one for each part of a combined step."""
    done: dict[Hunk, None] = {}
    for part in origin.parts[:-1]:
        done |= dict.fromkeys(part.hunks)
        yield splice(parent.text, list(done)), part.actions
    yield node.text, origin.parts[-1].actions if origin.parts else origin.actions


def splice(text: bytes, hunks: Sequence[Hunk]) -> bytes:
    """The text after hunks of several parts: insertions at one place follow each other."""
    pieces: list[bytes] = []
    at = 0
    for hunk in sorted(hunks, key=lambda hunk: (hunk.start, hunk.end)):
        pieces += (text[at : hunk.start], hunk.replacement)
        at = hunk.end
    return b"".join((*pieces, text[at:]))


async def trim(
    executor: Executor, base: Baseline, source: SourceText, winner: Node, left_s: Callable[[], float]
) -> Trimmed:
    """Drop what is worth nothing while ``left_s()`` is positive."""
    full = winner.candidate
    assert full is not None
    pieces = pieces_of(winner)
    kept = list(pieces)
    if len(pieces) > 1:
        for piece in pieces:
            if left_s() <= 0 or len(kept) == 1:
                break
            rest = [p for p in kept if p is not piece]
            if await _worthless(executor, base, source, full, piece, rest):
                kept = rest
    final = _version(source, full, kept)
    return Trimmed(final, _reports(source, winner, kept))


async def _worthless(
    executor: Executor, base: Baseline, source: SourceText, full: Candidate, piece: Piece, rest: Sequence[Piece]
) -> bool:
    evaluation = await executor.compare(base, _version(source, full, rest), full, TEST)
    if evaluation.outcome is Outcome.IDENTICAL:
        return True
    taken = evaluation.measurement
    if evaluation.outcome is not Outcome.CORRECT or taken is None:
        return False
    piece.worth = 1 / taken.speedup
    piece.worth_ci95 = (1 / taken.ci95[1], 1 / taken.ci95[0])
    return taken.verdict is not Verdict.SLOWER


def _version(source: SourceText, full: Candidate, pieces: Sequence[Piece]) -> Candidate:
    """The winner with only these pieces."""
    hunks = tuple(sorted(hunk for piece in pieces for hunk in piece.hunks))
    change = Change(full.change.path, source.sha256, hunks)
    return msgspec.structs.replace(full, id=candidate_id(apply(source.data, hunks)), change=change)


def _reports(source: SourceText, winner: Node, pieces: Sequence[Piece]) -> tuple[HunkReport, ...]:
    origins = [node.candidate.origin for node in lineage(winner) if node.candidate is not None]
    said = [(step.actions, step.rationale) for origin in origins for step in (origin.parts or (origin,))]
    why = {action: rationale for actions, rationale in said for action in actions}
    reports = [
        HunkReport(
            hunk=hunk,
            first_line=source.line_at(hunk.start),
            actions=piece.actions,
            why=" ".join(dict.fromkeys(why[action] for action in piece.actions if action in why)),
            worth=piece.worth,
            worth_ci95=piece.worth_ci95,
        )
        for piece in pieces
        for hunk in piece.hunks
    ]
    return tuple(sorted(reports, key=lambda report: report.hunk))
