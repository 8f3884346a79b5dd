"""``maxcode optimize``: one run of the engine, shown while it goes on, and its result put where it was asked for."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.cli.consoles import PICTURE_WIDTH, console, print_json, save_picture
from maxcode_lsp.cli.failure import CANCELLED, FAILED, Interrupted, say
from maxcode_lsp.cli.interruption import run_interruptible
from maxcode_lsp.cli.live import Show
from maxcode_lsp.cli.report import conclusion, print_report, report
from maxcode_lsp.cli.writing import NotWritten, write_whole
from maxcode_lsp.engine.board import ended_early
from maxcode_lsp.engine.events import RunResult, Spent
from maxcode_lsp.engine.faults import sentence_for
from maxcode_lsp.engine.journal.lines import without_secrets
from maxcode_lsp.engine.journal.places import journal_file, new_id, runs_folder
from maxcode_lsp.errors import Refused, SettingsError
from maxcode_lsp.messages import phrases, terminal
from maxcode_lsp.records import RunStatus
from maxcode_lsp.settings import Settings

SHOW_CURSOR = b"\x1b[?25h"
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
    notes: tuple[str, ...]
    spent: Spent | None
    replies: dict[str, int]
    unasked: tuple[str, ...]


class Wishes(Struct, frozen=True):
    """What is to be done with the result."""

    apply: bool = False
    output: Path | None = None
    json: bool = False
    unsafe: bool = False
    """Run even where no sandbox level holds."""
    picture: Path | None = None
    """Save the final report as an SVG picture here."""


def report_of(result: RunResult) -> Report:
    """The object for ``--json``."""
    return Report(
        target=phrases.printable(result.target),
        status=result.status,
        speedup=result.speedup,
        ci95=result.ci95,
        evaluations=result.evaluations,
        outcomes=result.outcomes,
        seconds=round(result.seconds, 3),
        diff=result.diff.encode(errors="surrogateescape").decode(errors="replace"),
        reason=phrases.printable(result.reason),
        notes=tuple(map(phrases.printable, result.notes)),
        spent=result.spent,
        replies=result.replies,
        unasked=tuple(map(phrases.printable, result.unasked)),
    )


def run_once(
    file: Path, settings: Settings, show: Show, wishes: Wishes, *, run: str | None = None, resume: bool = False
) -> RunResult:
    """Run the engine on a file to its end, whatever that is; ``run``: the id, ``resume``: go on with it.

    Raises only SettingsError.
    """
    started = time.monotonic()

    def early(status: RunStatus, reason: str) -> RunResult:
        return ended_early(show.board, status, reason, time.monotonic() - started)

    def give_up() -> None:
        if wishes.json:
            print_json(report_of(early(RunStatus.CANCELLED, terminal.cancelled(show.board.target))))
            return
        said = [terminal.cancelled(show.board.target), *kept(run)]
        # Past all buffers, which may be locked; a live view had hidden the cursor.
        os.write(sys.stdout.fileno(), "".join(f"{line}\n" for line in said).encode() + SHOW_CURSOR * out.is_terminal)

    out = console(stderr=wishes.json)
    try:
        from maxcode_lsp.engine.run import optimize

        with show.live(out, quiet=wishes.json):
            result = run_interruptible(
                optimize(file, settings, show.on_event, run=run, resume=resume, allow_unsafe=wishes.unsafe),
                on_signal=show.stop,
                on_deadline=give_up,
            )
            return without_secrets(result)
    except (Interrupted, KeyboardInterrupt):
        return early(RunStatus.CANCELLED, terminal.cancelled(show.board.target))
    except SettingsError:
        raise
    except Refused as error:
        return early(RunStatus.REFUSED, str(error))
    except Exception as error:  # noqa: BLE001 (the outermost edge: any fault becomes a sentence and a log)
        return early(RunStatus.FAILED, sentence_for(error))


def kept(run: str | None) -> list[str]:
    """How to go on with a run that was stopped; nothing where it has no journal."""
    if run is None or not journal_file(runs_folder(), run).exists():
        return []
    return [terminal.how_to_go_on(run)]


def put(result: RunResult, file: Path, before: bytes, wishes: Wishes, run: str) -> list[str]:
    """Write the edited file where it was asked for; sentences that say what was done. Raises NotWritten."""
    if result.status is RunStatus.CANCELLED:
        return kept(run)
    if result.edited is None:
        return [terminal.not_written(wishes.output)] if wishes.output else []
    if wishes.apply:
        write_whole(file, result.edited, expected=before)
        return [terminal.applied(file)]
    if wishes.output:
        write_whole(wishes.output, result.edited)
        return [terminal.written(wishes.output)]
    return [terminal.how_to_apply()]


def optimize(
    file: Path, settings: Settings, wishes: Wishes, *, run: str | None = None, measured: bytes | None = None
) -> int:
    """The whole command; the exit code.

    ``run``: go on with this one, which is about the bytes ``measured``; None: a new one about the file as it is.
    """
    before = measured if measured is not None else file.read_bytes() if wishes.apply else b""
    show = Show(phrases.printable(file.name))
    chosen = run or new_id()
    result = run_once(file, settings, show, wishes, run=chosen, resume=run is not None)
    code = EXIT_CODES[result.status]
    told: list[str] = []
    try:
        told = put(result, file, before, wishes, chosen)
    except NotWritten as error:
        say(str(error))
        code = FAILED
    if wishes.json:
        print_json(report_of(result))
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
