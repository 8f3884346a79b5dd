"""The view while a run goes on: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from maxcode_lsp.cli.findings import findings_view
from maxcode_lsp.engine import wording
from maxcode_lsp.engine.board import Board, Row, advance, fate
from maxcode_lsp.engine.events import Critiqued, Evaluated, Event, Prepared, Progress, Replied
from maxcode_lsp.engine.journal.lines import without_secrets
from maxcode_lsp.messages import phrases, terminal

_STYLES = {"faster": "green", "slower": "yellow", "no_difference": "dim", "identical": "dim", "rejected": "dim"}
_NARROW = 76
"""Columns below which the seconds are left out."""


def table(rows: tuple[Row, ...], best: Row | None, width: int) -> Table:
    """The candidates as a table: the best pinned on top, then ``rows`` in the given order."""
    grid = Table(box=None, padding=(0, 2, 0, 0), expand=True, header_style="bold", show_edge=False)
    grid.add_column("", justify="right", no_wrap=True)
    grid.add_column("candidate", ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column("outcome", no_wrap=True)
    # Not the speedup of the result: that comes from the confirmation alone.
    grid.add_column("speedup in search" if width >= _NARROW else "in search", no_wrap=True)
    if width >= _NARROW:
        grid.add_column("seconds", justify="right", no_wrap=True)
    if best is not None:
        grid.add_row(*_cells(best, width, mark="best"), style="bold green")
    for row in rows:
        if best is None or row.number != best.number:
            grid.add_row(*_cells(row, width, mark=str(row.number)), style=_STYLES.get(fate(row), ""))
    return grid


def _cells(row: Row, width: int, mark: str) -> list[Text]:
    ci95 = row.ci95 if width >= _NARROW else None
    speedup = wording.speedup_cell(row.speedup, ci95) if ci95 or row.ci95 is None else phrases.times(row.speedup or 1.0)
    cells = [mark, phrases.printable(row.origin), wording.outcome(row), speedup]
    if width >= _NARROW:
        cells.append(f"{row.elapsed_s:.1f}")
    return [Text(cell) for cell in cells]


def progress_line(board: Board) -> str:
    """``matmul — best 1.9× · 14 of 64 · building 2, measuring 1``."""
    best = board.best.speedup if board.best else None
    return wording.progress(phrases.printable(board.target), best, board.progress)


def view(board: Board, width: int, height: int, *, stopping: bool = False) -> RenderableType:
    """The live view, newest candidates first, cut to the terminal's height."""
    head = f"{phrases.printable(board.target)} — {terminal.stopping()}" if stopping else progress_line(board)
    fitting = max(height - 4, 3)
    newest = tuple(reversed(board.rows[-fitting:]))
    parts: list[RenderableType] = [Text(head, style="bold", no_wrap=True, overflow="ellipsis")]
    if board.rows:
        parts.append(table(newest[: fitting - 1], board.best, width))
    elif board.critique is not None:
        parts.append(findings_view(board.critique, most=fitting // 3))
    return Group(*parts)


def line(board: Board, event: Event) -> str | None:
    """One plain line for an event, for logs and pipes; None for events that say nothing new there."""
    match event:
        case Prepared():
            limits = f"{phrases.counted(event.budget, 'candidate')} or {event.seconds:.0f} s"
            facts = f"one run takes {event.run_ns / 1e6:.0f} ms, {limits}"
            return "\n".join([f"{phrases.printable(event.target)}: {facts}", *map(phrases.printable, event.notes)])
        case Critiqued(candidate=None) if event.critique.findings:
            return phrases.counted(len(event.critique.findings), "finding")
        case Progress(phase="confirming" | "trimming") if board.progress is None or board.progress.phase != event.phase:
            return progress_line(advance(board, event))
        case Replied(asked_by="llm"):
            return wording.reply_line(event)
        case Evaluated():
            row = advance(board, event).rows[-1]
            speedup = wording.speedup_cell(row.speedup, row.ci95)
            facts = [f"#{row.number}", phrases.printable(row.origin), wording.outcome(row), speedup]
            return "  ".join(fact for fact in facts if fact) + ("  (best so far)" if event.best else "")
        case _:
            return None


class Show:
    """Folds the events of one run and shows them; ``board`` is the picture so far."""

    def __init__(self, target: str) -> None:
        self.board = Board(target=target)
        self._print: Callable[[str], None] | None = None
        self._moving = False
        self._stopping = False

    def stop(self) -> None:
        """Say at once that a signal was heard. Called in a signal handler, so nothing is printed through buffers."""
        self._stopping = True
        if not self._moving:
            os.write(2, f"{terminal.stopping()}\n".encode())

    def on_event(self, event: Event) -> None:
        """To be given to the engine; never raises for what it shows."""
        event = without_secrets(event)
        text = line(self.board, event) if self._print else None
        self.board = advance(self.board, event)
        if text and self._print:
            self._print(text)

    @contextmanager
    def live(self, console: Console, *, quiet: bool = False) -> Generator[None]:
        """Show the run on ``console`` until the block ends: live on a terminal, else as plain lines.

        ``quiet``: nothing where the console is not a terminal.
        """
        if console.is_terminal and not console.is_dumb_terminal:
            moving = Live(
                console=console,
                get_renderable=lambda: view(self.board, console.width, console.height, stopping=self._stopping),
                refresh_per_second=8,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._moving = True
            try:
                with moving:
                    yield
            finally:
                self._moving = False
        else:
            self._print = None if quiet else lambda text: console.print(Text(text), soft_wrap=True)
            try:
                yield
            finally:
                self._print = None
