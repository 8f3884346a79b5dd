"""``maxcode demo``: every program of a folder, one after the other, within a given time, and a table at the end."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from maxcode_lsp.cli.choices import settings_for
from maxcode_lsp.cli.consoles import console, save_picture
from maxcode_lsp.cli.failure import FAILED, say
from maxcode_lsp.cli.live import Show
from maxcode_lsp.cli.optimize import EXIT_CODES, Wishes, run_once
from maxcode_lsp.cli.report import edit_view, print_conclusion
from maxcode_lsp.engine import wording
from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.messages import phrases, terminal
from maxcode_lsp.records import RunStatus

USED_SHARE = 0.92
"""Share of a program's time that its run may plan with; the rest is for what goes beyond the plan."""
LEAST_S = 5.0
_MAIN = re.compile(rb"^\s*(?:signed|int|auto)\s+main\s*\(", re.MULTILINE)


def programs(folder: Path) -> list[Path]:
    """Every C++ file under ``folder`` that has a main function, by name."""
    return [file for file in sorted(folder.rglob("*.cpp")) if _MAIN.search(file.read_bytes())]


def summary(results: Sequence[RunResult], seconds: float) -> RenderableType:
    """The closing table: one line a program."""
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    grid.add_column("program", no_wrap=True)
    grid.add_column("result", no_wrap=True)
    grid.add_column("tried", justify="right")
    grid.add_column("seconds", justify="right")
    grid.add_column("what was done", overflow="fold")
    for result in results:
        improved = result.status is RunStatus.IMPROVED
        actions = dict.fromkeys(action for hunk in result.hunks for action in hunk.actions)
        grid.add_row(
            Text(phrases.printable(result.target)),
            Text(wording.outcome_cell(result), style="bold green" if improved else "dim"),
            str(result.evaluations),
            f"{result.seconds:.0f}",
            Text(", ".join(actions)),
        )
    grid.add_row("", "", str(sum(result.evaluations for result in results)), f"{seconds:.0f}", "")
    return grid


def demo(folder: Path, seconds: float, picture: Path | None) -> int:
    """The whole command. The time that one program leaves is given to those after it."""
    started = time.monotonic()
    files = programs(folder)
    if not files:
        say(terminal.no_programs(folder))
        return FAILED
    out = console()
    results: list[RunResult] = []
    for index, file in enumerate(files):
        share_s = (seconds - (time.monotonic() - started)) / (len(files) - index)
        settings = settings_for(file)
        settings = replace(settings, seconds=max(share_s * USED_SHARE, LEAST_S))
        show = Show(phrases.printable(file.name))
        out.print(Text(f"{index + 1} of {len(files)}  {phrases.printable(file)}", style="bold"))
        result = run_once(file, settings, show, Wishes())
        if result.diff:
            out.print(edit_view(result))
        print_conclusion(out, result, settings.rewrites)
        out.print()
        results.append(result)
        if result.status is RunStatus.CANCELLED:
            break
    table = summary(results, time.monotonic() - started)
    out.print(table)
    if picture:
        save_picture(picture, "make demo", [table])
    return max(EXIT_CODES[result.status] for result in results)
