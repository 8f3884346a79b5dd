"""Trimming a winner: each piece of the edit is left out in turn, and what is worth nothing is dropped.

The smallest edit wins. Every version is compared with the full winner, so that many small losses
cannot add up to a large one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence

import msgspec
from msgspec import Struct

from maxcode_lsp.engine.events import HunkReport
from maxcode_lsp.engine.lineage import Lineage, Piece
from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.records import Candidate, Change, Hunk, Outcome, candidate_id
from maxcode_lsp.search.trials import Node
from maxcode_lsp.text.blame import Blame
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText

WORTH = 1.02
"""A piece worth less than this is dropped (design §5)."""
LONG_LINES, LONG_WORTH = 20, 1.05
"""Ours: a piece that adds more lines than this must be worth more: somebody will have to read it."""


def test_of(pieces: Collection[Piece]) -> PairedTest:
    """When leaving these out counts as a loss. A mistake here costs little: what is left is confirmed."""
    long = any(piece.lines > LONG_LINES for piece in pieces)
    return PairedTest(threshold=LONG_WORTH if long else WORTH, tail=0.02, max_pairs=24)


class Worth(Struct, frozen=True):
    """What leaving a piece out has shown."""

    needed: bool
    """Without it the program is wrong, does not build, or is slower."""
    speedup: float | None = None
    """Of having it; None: not measurable, as the rest does not work without it."""
    ci95: tuple[float, float] | None = None


class Trimmed(Struct, frozen=True):
    """The edit that is left."""

    candidate: Candidate
    reports: tuple[HunkReport, ...]
    left_out: tuple[tuple[str, float | None], ...] = ()
    """Each part that was dropped, by its actions, and what it was worth; None: nothing, it is the same machine code."""


async def trim(
    executor: Executor, base: Baseline, source: SourceText, winner: Node, left_s: Callable[[], float]
) -> Trimmed:
    """Drop what is worth nothing while ``left_s()`` is positive; what was not looked at is kept."""
    assert winner.candidate is not None
    task = _Trim(executor, base, source, winner.candidate, Lineage(winner))
    return await task.run(left_s)


class _Trim:
    def __init__(
        self, executor: Executor, base: Baseline, source: SourceText, full: Candidate, lineage: Lineage
    ) -> None:
        self._executor = executor
        self._base = base
        self._source = source
        self._full = full
        self._lineage = lineage
        self._worth: dict[Piece, Worth] = {}

    async def run(self, left_s: Callable[[], float]) -> Trimmed:
        pieces = self._lineage.pieces
        dropped: set[Piece] = set()
        if len(pieces) > 1 and left_s() > 0:
            await self._look_at_each(left_s())
            worthless = [piece for piece in pieces if piece in self._worth and not self._worth[piece].needed]
            if len(worthless) == len(pieces):
                worthless = worthless[1:]
            dropped = await self._droppable(worthless, left_s)
        return self._trimmed(dropped)

    async def _look_at_each(self, limit_s: float) -> None:
        """Leave each piece out alone; the builds overlap."""

        async def look(piece: Piece) -> None:
            self._worth[piece] = await self._without({piece})

        tasks = [asyncio.create_task(look(piece)) for piece in self._lineage.pieces]
        try:
            done, _ = await asyncio.wait(tasks, timeout=limit_s)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _droppable(self, worthless: Sequence[Piece], left_s: Callable[[], float]) -> set[Piece]:
        """All of the worthless pieces where the rest works as well; else as many as go one by one."""
        together = set(worthless)
        if len(together) <= 1:
            return together
        if not (await self._without(together)).needed:
            return together
        dropped: set[Piece] = set()
        for piece in worthless:
            if left_s() <= 0:
                break
            if not dropped or not (await self._without(dropped | {piece})).needed:
                dropped.add(piece)
        return dropped

    async def _without(self, pieces: Collection[Piece]) -> Worth:
        stages = self._lineage.stages(pieces)
        if stages is None:
            return Worth(needed=True)
        text = stages[-1].text if stages else self._lineage.original
        test = test_of(pieces)
        evaluation = await self._executor.compare(self._base, self._version(text), self._full, test)
        if evaluation.outcome is Outcome.IDENTICAL:
            return Worth(needed=False)
        taken = evaluation.measurement
        if evaluation.outcome is not Outcome.CORRECT or taken is None:
            return Worth(needed=True)
        # By its estimate: neither is a piece kept because the noise could hide a gain, nor dropped because
        # it could hide that there is none.
        worth = 1 / taken.speedup
        return Worth(needed=worth >= test.threshold, speedup=worth, ci95=(1 / taken.ci95[1], 1 / taken.ci95[0]))

    def _version(self, text: bytes) -> Candidate:
        change = Change(self._full.change.path, self._source.sha256, diff(self._source.data, text))
        return msgspec.structs.replace(self._full, id=candidate_id(text), change=change)

    def _trimmed(self, dropped: Collection[Piece]) -> Trimmed:
        lineage = self._lineage
        stages = lineage.stages(dropped) or []
        final = self._version(stages[-1].text) if dropped else self._full
        text = stages[-1].text
        blame = Blame.start(lineage.original)
        for stage in stages:
            blame = blame.step(stage.text, (stage.place,))
        owned = {piece: lineage.lines_of(piece, dropped, text) for piece in lineage.pieces if piece not in dropped}
        reports: list[HunkReport] = []
        shift = 0
        for hunk in final.change.hunks:
            first = text.count(b"\n", 0, hunk.start + shift)
            lines = range(first, first + hunk.replacement.count(b"\n") + 1)
            shift += len(hunk.replacement) - (hunk.end - hunk.start)
            owners = {p for piece, own in owned.items() if own and not own.isdisjoint(lines) for p in piece.places}
            knotted = {p for piece, own in owned.items() if own is None for p in piece.places}
            blamed = set(blame.of(hunk))
            places = owners | (blamed & knotted) or blamed
            reports.append(self._report(hunk, tuple(place for place in lineage.parts if place in places)))
        left_out = [(" + ".join(p.actions), self._worth[p].speedup) for p in lineage.pieces if p in dropped]
        return Trimmed(final, tuple(reports), tuple(left_out))

    def _report(self, hunk: Hunk, places: tuple[str, ...]) -> HunkReport:
        parts = [self._lineage.parts[place] for place in places]
        known = [worth for piece, worth in self._worth.items() if piece.places & set(places)]
        best = max(known, key=lambda worth: worth.speedup or 0.0, default=None)
        return HunkReport(
            hunk=hunk,
            first_line=self._source.line_at(hunk.start),
            actions=tuple(dict.fromkeys(action for part in parts for action in part.actions)),
            why=" ".join(dict.fromkeys(part.rationale for part in parts)),
            worth=best.speedup if best else None,
            worth_ci95=best.ci95 if best else None,
        )
