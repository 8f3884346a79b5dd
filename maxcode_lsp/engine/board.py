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
        case Critiqued() | Observed() | Metered() | Decided():
            return board
        case Evaluated():
            row = row_of(event)
            tally = dict(Counter(board.tally) + Counter([fate(row)]))
            return replace(board, rows=(*board.rows, row), best=row if event.best else board.best, tally=tally)
        case RunResult():
            return replace(board, target=event.target, result=event)


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
