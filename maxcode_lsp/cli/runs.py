"""``maxcode runs``: the journals of this user, listed, shown, resumed, applied and removed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from maxcode_lsp.cli.consoles import console, print_json
from maxcode_lsp.cli.optimize import Report, Wishes, optimize, report_of
from maxcode_lsp.cli.report import print_report
from maxcode_lsp.cli.writing import write_whole
from maxcode_lsp.engine import wording
from maxcode_lsp.engine.board import Board, Improvement, advance, ended_early, fate, row_of
from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Event, Observed, Prepared, RunResult
from maxcode_lsp.engine.journal.files import journals, remove_unless_live
from maxcode_lsp.engine.journal.listing import summaries, summary
from maxcode_lsp.engine.journal.places import is_id, runs_folder
from maxcode_lsp.engine.journal.reader import Recorded, read
from maxcode_lsp.engine.journal.records import Summary
from maxcode_lsp.errors import JournalError
from maxcode_lsp.messages import phrases, terminal, troubles
from maxcode_lsp.records import RunStatus

_STYLES = {"improved": "bold green", "running": "cyan", "interrupted": "yellow", "failed": "red"}
_FILE, _STATUS = 2, 3
"""Columns of the list."""
_GAP = 2
"""Columns of the terminal between those."""
_LEAST = 12
"""Characters of a path that are always shown."""


class Judged(Struct, frozen=True):
    """One candidate of a run, for ``--json``."""

    number: int
    candidate: str | None
    actions: tuple[str, ...]
    fate: str
    speedup: float | None
    best: bool


def find(run: str) -> Path:
    """The journal of a run, by its id or the end of it. Raises JournalError."""
    wanted = [path for path in journals(runs_folder()) if path.stem == run or path.stem.endswith(f"-{run}")]
    if not wanted:
        raise JournalError(troubles.journal_missing(run) if is_id(run) else troubles.no_such_run(run))
    return wanted[0]


def list_runs(limit: int, *, json: bool) -> None:
    """``maxcode runs``."""
    found = summaries(runs_folder(), limit)
    if json:
        print_json({"runs": [_plain(each) for each in found]})
    elif found:
        console().print(table(found, Path.cwd(), console().width))
    else:
        console().print(terminal.no_runs(), soft_wrap=True)


def table(found: Sequence[Summary], folder: Path, width: int) -> RenderableType:
    """The list, newest first, one line each; files below ``folder`` are told from there.

    What does not fit into ``width`` columns is cut from the left of the file's path.
    """
    heads = ("id", "when", "file", "status", "best", "tried")
    grid = Table(box=None, padding=(0, _GAP, 0, 0), header_style="bold", show_edge=False)
    for head in heads:
        grid.add_column(head, no_wrap=True, justify="right" if head == "tried" else "left")
    rows = [_cells(each, folder) for each in found]
    widest = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
    most = max(width - sum(widest) + widest[_FILE] - _GAP * len(heads), _LEAST)
    for each, cells in zip(found, rows, strict=True):
        cells[_FILE] = phrases.shortened(cells[_FILE], most)
        styles = {_STATUS: _STYLES.get(each.status, "")}
        grid.add_row(*(Text(cell, style=styles.get(at, "")) for at, cell in enumerate(cells)))
    return grid


def _cells(each: Summary, folder: Path) -> list[str]:
    path = Path(each.file)
    near = path.relative_to(folder) if path.is_relative_to(folder) else path
    return [
        _short(each.run),
        _when(each.created),
        phrases.printable(near),
        each.status.replace("_", " "),
        _best(each),
        f"{each.evaluations} of {each.budget}",
    ]


def _short(run: str) -> str:
    """What is enough of an id."""
    return run.rpartition("-")[2]


def _best(each: Summary) -> str:
    if each.best is None:
        return ""
    proven = each.status == RunStatus.IMPROVED.value
    return phrases.times(each.best) if proven else f"≈ {phrases.times(each.best)}"


def show(run: str, *, json: bool) -> None:
    """``maxcode runs show``."""
    path = find(run)
    about, recorded = summary(path), read(path)
    board = _board(recorded)
    unfinished = terminal.unfinished(about.run, about.target, live=about.live)
    result = board.result or ended_early(board, RunStatus.CANCELLED, unfinished, _seconds(recorded))
    if json:
        judged = [_judged(each) for each in recorded.evaluated]
        how = recorded.opened.settings
        print_json(
            {
                "run": _plain(about),
                "search": {"strategy": how.search, "plain": how.strategy.plain, "effort": how.effort, "seed": how.seed},
                "path": [_said(one) for one in board.path],
                "result": _result(board.result),
                "candidates": judged,
            }
        )
        return
    out = console()
    head = f"{about.run}  {_when(about.created)}  {phrases.printable(about.file)}"
    out.print(Text(head, style="bold"), soft_wrap=True)
    out.print(Text(wording.how(recorded.opened.settings), style="dim"), soft_wrap=True)
    for one in board.path:
        out.print(Text(wording.improvement(one)), soft_wrap=True)
    if said := _search_ended(recorded):
        out.print(Text(said, style="dim"), soft_wrap=True)
    print_report(out, board, result, recorded.opened.settings.rewrites)


def resume(run: str, wishes: Wishes) -> int:
    """``maxcode runs resume``; the exit code is that of ``maxcode optimize``."""
    recorded = read(find(run))
    opened = recorded.opened
    return optimize(Path(opened.file), opened.settings, wishes, run=opened.run, measured=opened.source)


def apply(run: str) -> None:
    """``maxcode runs apply``; there is nothing to do where the file holds the result already.

    Raises JournalError or NotWritten where the result is not in the file.
    """
    recorded = read(find(run))
    result, file = recorded.result, Path(recorded.opened.file)
    if result is None or result.edited is None:
        raise JournalError(terminal.nothing_to_apply(recorded.opened.run))
    if _holds(file, result.edited):
        console().print(terminal.applied_before(_short(recorded.opened.run), file), soft_wrap=True)
        return
    write_whole(file, result.edited, expected=recorded.opened.source)
    console().print(terminal.applied(file), soft_wrap=True)


def _holds(file: Path, data: bytes) -> bool:
    try:
        return file.stat().st_size == len(data) and file.read_bytes() == data
    except OSError:
        return False


def remove(run: str | None) -> None:
    """``maxcode runs remove``; None: all. Raises JournalError where a run is going on."""
    paths = journals(runs_folder()) if run is None else [find(run)]
    removed = sum(map(remove_unless_live, paths))
    if run is not None and not removed:
        raise JournalError(troubles.journal_live(paths[0].stem))
    console().print(terminal.removed(removed, len(paths) - removed), soft_wrap=True)


def _board(recorded: Recorded) -> Board:
    """The picture at the end. A result of before the run went on is not its end."""
    events: list[Event] = [
        line.record
        for line in recorded.lines
        if isinstance(line.record, Prepared | Critiqued | Observed | Evaluated | Decided)
    ]
    if recorded.result is not None:
        events.append(recorded.result)
    return reduce(advance, events, Board(target=recorded.opened.target))


def _search_ended(recorded: Recorded) -> str:
    """Why nothing more was tried; empty where the search did not come to an end."""
    decided = [line.record for line in recorded.lines if isinstance(line.record, Decided)]
    stops = [terminal.search_ended(each.why) for each in decided if each.what == "stopped"]
    return phrases.printable(stops[-1]) if stops else ""


def _seconds(recorded: Recorded) -> float:
    return max((line.at_s for line in recorded.lines), default=0.0)


def _judged(each: Evaluated) -> Judged:
    return Judged(
        number=each.number,
        candidate=each.candidate.id if each.candidate is not None else None,
        actions=each.actions,
        fate=fate(row_of(each)),
        speedup=each.speedup,
        best=each.best,
    )


def _said(one: Improvement) -> Improvement:
    """With texts that JSON has words for."""
    texts_of = {name: phrases.printable(getattr(one, name)) for name in ("origin", "why", "because")}
    return msgspec.structs.replace(one, **texts_of)


def _result(result: RunResult | None) -> Report | None:
    return report_of(result) if result is not None else None


def _plain(each: Summary) -> Summary:
    """With texts that JSON has words for: names of files need not be Unicode."""
    texts_of = {name: phrases.printable(getattr(each, name)) for name in ("file", "target", "reason")}
    return msgspec.structs.replace(each, **texts_of)


def _when(created: str) -> str:
    """A time of a journal in the user's own zone."""
    try:
        return dt.datetime.fromisoformat(created).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return phrases.printable(created)
