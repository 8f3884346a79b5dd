"""What is known of a run: a frozen picture, and the pure step from one picture to the next. Every face shows it."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field
from msgspec.structs import replace

from maxcode_lsp.engine.events import (
    Critiqued,
    Decided,
    Evaluated,
    Event,
    Metered,
    Observed,
    Prepared,
    Progress,
    Replied,
    RunResult,
)
from maxcode_lsp.records import Critique, Outcome, RunStatus, Verdict


class Row(Struct, frozen=True):
    """One judged candidate as a line of the table."""

    number: int
    origin: str
    """What was done, for example ``loop-order + restrict``."""
    outcome: Outcome
    verdict: Verdict | None
    """Against the version it was measured with; None: not timed."""
    speedup: float | None
    """Against the original."""
    ci95: tuple[float, float] | None
    """Interval of ``speedup``; None where it was measured against another candidate (then an estimate)."""
    elapsed_s: float


class Improvement(Struct, frozen=True):
    """A candidate that became the best, and how the search came to it."""

    number: int
    candidate: str | None
    origin: str
    depth: int
    speedup: float
    """Over the original, as estimated in the search."""
    u: float
    """Best discounted reward by then."""
    why: str
    """Why the search was at the version that it was made from; empty: it had just begun."""
    because: str
    """The finding that it acts on; empty: on none."""


class Board(Struct, frozen=True):
    """Everything known about a run at one moment."""

    target: str
    prepared: Prepared | None = None
    progress: Progress | None = None
    rows: tuple[Row, ...] = ()
    best: Row | None = None
    critique: Critique | None = None
    """Of the original."""
    result: RunResult | None = None
    tally: dict[str, int] = field(default_factory=dict[str, int])
    """Number of candidates by what a person would call their end (see :func:`fate`)."""
    replies: dict[str, int] = field(default_factory=dict[str, int])
    """How many replies of models ended how."""
    path: tuple[Improvement, ...] = ()
    """The improvements, one after the other."""
    reasons: dict[str | None, str] = field(default_factory=dict[str | None, str])
    """Version (None: the original) to why the search went on from it, the last time."""


def fate(row: Row) -> str:
    """The end of a candidate in one key: an outcome's value, or the verdict's where it was timed."""
    return row.outcome.value if row.verdict is None else row.verdict.value


def row_of(event: Evaluated) -> Row:
    """The table line of a judged candidate."""
    measurement = event.evaluation.measurement
    direct = measurement is not None and event.evaluation.reference is None
    return Row(
        number=event.number,
        origin=" + ".join(event.actions),
        outcome=event.evaluation.outcome,
        verdict=measurement.verdict if measurement else None,
        speedup=event.speedup,
        ci95=measurement.ci95 if measurement and direct else None,
        elapsed_s=event.evaluation.elapsed_s,
    )


def advance(board: Board, event: Event) -> Board:
    """The picture after an event."""
    match event:
        case Prepared():
            return replace(board, target=event.target, prepared=event)
        case Progress():
            return replace(board, progress=event)
        case Critiqued(candidate=None):
            return replace(board, critique=event.critique)
        case Replied():
            return replace(board, replies=dict(Counter(board.replies) + Counter([event.reply])))
        case Decided(what="went_on"):
            return replace(board, reasons={**board.reasons, event.candidate: event.why})
        case Critiqued() | Observed() | Metered() | Decided():
            return board
        case Evaluated():
            row = row_of(event)
            tally = dict(Counter(board.tally) + Counter([fate(row)]))
            path = (*board.path, _improvement(board, event)) if event.best else board.path
            best = row if event.best else board.best
            return replace(board, rows=(*board.rows, row), best=best, tally=tally, path=path)
        case RunResult():
            return replace(board, target=event.target, result=event)


def _improvement(board: Board, event: Evaluated) -> Improvement:
    candidate = event.candidate
    return Improvement(
        number=event.number,
        candidate=candidate.id if candidate is not None else None,
        origin=" + ".join(event.actions),
        depth=event.depth,
        speedup=event.speedup or 1.0,
        u=event.u,
        why=board.reasons.get(candidate.parent, "") if candidate is not None else "",
        because=event.because,
    )


def ended_early(board: Board, status: RunStatus, reason: str, seconds: float) -> RunResult:
    """The result of a run of which only the events are known."""
    outcomes: dict[str, int] = {}
    for row in board.rows:
        outcomes[row.outcome.value] = outcomes.get(row.outcome.value, 0) + 1
    return RunResult(
        target=board.target,
        status=status,
        speedup=None,
        ci95=None,
        evaluations=len(board.rows),
        outcomes=outcomes,
        seconds=seconds,
        diff="",
        reason=reason,
        spent=board.progress.spent if board.progress is not None else None,
        replies=board.replies,
    )
