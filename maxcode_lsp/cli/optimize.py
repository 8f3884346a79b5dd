"""``maxcode optimize``: one run of the engine, shown while it goes on, and its result put where it was asked for."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp.cli import texts
from maxcode_lsp.cli.consoles import PICTURE_WIDTH, console, save_picture
from maxcode_lsp.cli.failure import CANCELLED, FAILED, Interrupted, say, sentence_for
from maxcode_lsp.cli.interruption import run_interruptible
from maxcode_lsp.cli.live import Show
from maxcode_lsp.cli.report import conclusion, print_report, report
from maxcode_lsp.cli.writing import NotWritten, write_whole
from maxcode_lsp.engine.board import Board
from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.errors import Refused, SettingsError
from maxcode_lsp.records import RunStatus
from maxcode_lsp.settings import Settings

EXIT_CODES = {
    RunStatus.IMPROVED: 0,
    RunStatus.NO_IMPROVEMENT: 0,
    RunStatus.UNMEASURED: 0,
    RunStatus.REFUSED: 1,
    RunStatus.FAILED: 1,
    RunStatus.CANCELLED: CANCELLED,
}


class Report(Struct, frozen=True):
    """The one object that ``--json`` prints."""

    target: str
    status: RunStatus
    speedup: float | None
    ci95: tuple[float, float] | None
    evaluations: int
    outcomes: dict[str, int]
    seconds: float
    diff: str
    reason: str


class Wishes(Struct, frozen=True):
    """What is to be done with the result."""

    apply: bool = False
    output: Path | None = None
    json: bool = False
    unsafe: bool = False
    """Run even where no sandbox level holds."""
    picture: Path | None = None
    """Save the final report as an SVG picture here."""


def as_json(result: RunResult) -> bytes:
    """The object for ``--json``, one line."""
    known = Report(
        target=texts.printable(result.target),
        status=result.status,
        speedup=result.speedup,
        ci95=result.ci95,
        evaluations=result.evaluations,
        outcomes=result.outcomes,
        seconds=round(result.seconds, 3),
        diff=result.diff.encode(errors="surrogateescape").decode(errors="replace"),
        reason=texts.printable(result.reason),
    )
    return msgspec.json.encode(known)


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
    )


def run_once(file: Path, settings: Settings, show: Show, wishes: Wishes) -> RunResult:
    """Run the engine on a file to its end, whatever that is. Raises only SettingsError."""
    started = time.monotonic()

    def early(status: RunStatus, reason: str) -> RunResult:
        return ended_early(show.board, status, reason, time.monotonic() - started)

    def give_up() -> None:
        if wishes.json:
            sys.stdout.buffer.write(as_json(early(RunStatus.CANCELLED, texts.cancelled(show.board.target))) + b"\n")
            sys.stdout.buffer.flush()

    out = console(stderr=wishes.json)
    try:
        from maxcode_lsp.engine.run import optimize

        with show.live(out, quiet=wishes.json):
            return run_interruptible(
                optimize(file, settings, show.on_event, allow_unsafe=wishes.unsafe),
                on_signal=show.stop,
                on_deadline=give_up,
            )
    except (Interrupted, KeyboardInterrupt):
        return early(RunStatus.CANCELLED, texts.cancelled(show.board.target))
    except SettingsError:
        raise
    except Refused as error:
        return early(RunStatus.REFUSED, str(error))
    except Exception as error:  # noqa: BLE001 (the outermost edge: any fault becomes a sentence and a log)
        return early(RunStatus.FAILED, sentence_for(error))


def put(result: RunResult, file: Path, before: bytes, wishes: Wishes) -> list[str]:
    """Write the edited file where it was asked for; sentences that say what was done. Raises NotWritten."""
    if result.edited is None:
        return [texts.not_written(wishes.output)] if wishes.output else []
    if wishes.apply:
        write_whole(file, result.edited, expected=before)
        return [texts.applied(file)]
    if wishes.output:
        write_whole(wishes.output, result.edited)
        return [texts.written(wishes.output)]
    return [texts.how_to_apply()]


def optimize(file: Path, settings: Settings, wishes: Wishes) -> int:
    """The whole command; the exit code."""
    before = file.read_bytes() if wishes.apply else b""
    show = Show(texts.printable(file.name))
    result = run_once(file, settings, show, wishes)
    code = EXIT_CODES[result.status]
    told: list[str] = []
    try:
        told = put(result, file, before, wishes)
    except NotWritten as error:
        say(str(error))
        code = FAILED
    if wishes.json:
        sys.stdout.buffer.write(as_json(result) + b"\n")
        sys.stdout.buffer.flush()
        return code
    out = console()
    print_report(out, show.board, result, settings.rewrites)
    for sentence in told:
        out.print(sentence, soft_wrap=True)
    if wishes.picture:
        save_picture(
            wishes.picture,
            f"maxcode optimize {file}",
            [report(show.board, result, PICTURE_WIDTH, rows=5, findings=3), conclusion(result)],
        )
    return code
