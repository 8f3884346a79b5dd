"""The runs that this server knows, each with its board folded from events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.engine.board import Board, advance
from maxcode_lsp.engine.events import Critiqued, Evaluated, Event, Judgement, RunResult
from maxcode_lsp.records import Critique, RunStatus
from maxcode_lsp.settings.schema import Settings
from maxcode_lsp.text.source import SourceText

KEPT = 8
"""Finished runs of one document that stay in memory; all are in the journals."""


class Applied(Struct, frozen=True):
    """What became of a result that was put into the document."""

    sha256: str
    """Of the normalised text right after it."""
    judgement: Judgement | None = None
    """Of the verification that follows; None: it is going on, or it could not be judged."""
    trouble: str = ""
    """Why it could not be judged, one sentence."""


class Run:
    """One run as the editor sees it. Changed only on the event loop."""

    def __init__(self, run: str, generation: int, uri: str, file: Path, base: SourceText, settings: Settings) -> None:
        self.id = run
        self.generation = generation
        """Runs that began later have a higher one: what an older one says about the document is stale."""
        self.uri = uri
        """Of the document, normalised; follows a rename."""
        self.file = file
        self.base = base
        """The text that the run is about."""
        self.settings = settings
        self.board = Board(target=file.name)
        self.evaluated: dict[str, Evaluated] = {}
        """What was judged, by candidate id, in its order."""
        self.applied: Applied | None = None
        self.seen = False
        """The user was told of the end."""
        self.discarded = False
        """The user does not want the result."""
        self.critiques: dict[str | None, Critique] = {}
        """By candidate id; None: of the original."""

    @property
    def target(self) -> str:
        """The target's name, for people."""
        return self.board.target

    @property
    def result(self) -> RunResult | None:
        """The end, once it is there."""
        return self.board.result

    @property
    def status(self) -> RunStatus:
        """``running`` until there is a result."""
        return self.board.result.status if self.board.result is not None else RunStatus.RUNNING

    @property
    def running(self) -> bool:
        """It has no result yet."""
        return self.board.result is None

    @property
    def best(self) -> float | None:
        """The best speedup so far: the confirmed one at the end, an estimate before."""
        if self.board.result is not None:
            return self.board.result.speedup
        return self.board.best.speedup if self.board.best is not None else None

    def happened(self, event: Event) -> None:
        """Fold an event in. After the result nothing more counts."""
        if self.board.result is None:
            self.board = advance(self.board, event)
            if isinstance(event, Evaluated):
                self.evaluated[event.evaluation.candidate] = event
            elif isinstance(event, Critiqued):
                self.critiques[event.candidate] = event.critique

    def version(self, candidate: str | None) -> bytes | None:
        """The whole file of a candidate, exact bytes; ``candidate`` None: the original. None: it is not known."""
        if candidate is None:
            return self.base.raw
        if self.result is not None and self.result.winner == candidate and self.result.edited is not None:
            return self.result.edited
        judged = self.evaluated.get(candidate)
        if judged is None or judged.candidate is None:
            return None
        return self.base.render(judged.candidate.change.hunks)


class Runs:
    """All runs of this server, by document."""

    def __init__(self) -> None:
        self._by_id: dict[str, Run] = {}
        self._generation = 0

    def begin(self, run: str, uri: str, file: Path, base: SourceText, settings: Settings) -> Run:
        """A new run of a document; the one that counts from now on."""
        self._generation += 1
        made = Run(run, self._generation, uri, file, base, settings)
        self._by_id[run] = made
        old = [r for r in self.of(uri) if not r.running]
        for forgotten in old[: max(0, len(old) - KEPT)]:
            del self._by_id[forgotten.id]
        return made

    def forget(self, run: Run) -> None:
        """It is not known any more."""
        self._by_id.pop(run.id, None)

    def get(self, run: str) -> Run | None:
        """By id."""
        return self._by_id.get(run)

    def of(self, uri: str) -> list[Run]:
        """The runs of a document, oldest first."""
        return sorted((run for run in self._by_id.values() if run.uri == uri), key=lambda run: run.generation)

    def latest(self, uri: str) -> Run | None:
        """The run of a document that counts."""
        known = self.of(uri)
        return known[-1] if known else None

    def __iter__(self) -> Iterator[Run]:
        return iter(list(self._by_id.values()))
