"""What stands in the terminal at the end of a run: table, findings, annotated diff and the result in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import inf

from msgspec import Struct
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from maxcode_lsp.cli.findings import findings_view
from maxcode_lsp.cli.live import table
from maxcode_lsp.engine import wording
from maxcode_lsp.engine.board import Board, Row
from maxcode_lsp.engine.events import HunkReport, RunResult
from maxcode_lsp.messages import phrases, terminal
from maxcode_lsp.records import RunStatus, Verdict
from maxcode_lsp.settings import RewriteSettings

_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan", " ": "", "\\": "dim"}
_HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class DiffLine(Struct, frozen=True):
    """One line of a unified diff, without its line end."""

    text: str
    """With its mark (``+``, ``-``, space or ``@``)."""
    old: int
    """Line of the original that it shows, or before which it is put in."""

    @property
    def changes(self) -> bool:
        """Whether it puts in or takes out a line."""
        return self.text[:1] in "+-"


def diff_lines(diff: str) -> Iterator[DiffLine]:
    """The lines of a one-file unified diff, file names left out."""
    old = 0
    for text in diff.split("\n"):
        header = _HEADER.match(text)
        if header:
            # An empty old range names the line *before* the insertion.
            old = int(header[1]) + (header[2] == "0")
            yield DiffLine(text, old)
        elif old and text[:1] in ("+", "-", " ", "\\"):
            yield DiffLine(text, old)
            old += text[0] in "- "


def announced(lines: Sequence[DiffLine], hunks: Sequence[HunkReport]) -> dict[int, list[HunkReport]]:
    """Index of a line to the hunks to be announced above it: each at the block of changed lines nearest to it.

    Nearest, because a diff may show an insertion one line away from where the hunk made it.
    """
    starts: list[int] = []
    spans: list[range] = []
    for is_change, run in groupby(range(len(lines)), key=lambda index: lines[index].changes):
        block = list(run)
        if is_change:
            starts.append(block[0])
            spans.append(range(lines[block[0]].old, lines[block[-1]].old + 1))
    found: dict[int, list[HunkReport]] = {}
    for report in sorted(hunks, key=lambda report: report.hunk):
        distances = [max(span.start - report.first_line, report.first_line - span.stop + 1, 0) for span in spans]
        if distances:
            found.setdefault(starts[distances.index(min(distances))], []).append(report)
    return found


def diff_view(result: RunResult) -> RenderableType:
    """The coloured diff; each hunk's worth in the margin, and above it why it is there."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", no_wrap=True, min_width=6)
    grid.add_column(justify="right", no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    lines = list(diff_lines(result.diff))
    above = announced(lines, result.hunks)
    told: list[HunkReport] = []
    for index, here in enumerate(lines):
        for hunk in above.get(index, ()):
            if told and _same_part(told[-1], hunk):
                continue  # another hunk of the same step, right after it
            grid.add_row(*_announcement(hunk, told))
            told.append(hunk)
        number = str(here.old) if here.text[:1] in ("-", " ") else ""
        shown = phrases.printable(here.text.removesuffix("\r").expandtabs(4))
        grid.add_row("", number, Text(shown, style=_DIFF_STYLES.get(here.text[:1], "")))
    return grid


def _announcement(hunk: HunkReport, told: Sequence[HunkReport]) -> tuple[Text, str, Text]:
    """The row above a hunk. What one part is worth is said once: it is not gained again with each of its hunks."""
    again = any(_same_part(hunk, other) for other in told)
    counted = hunk.worth is not None and any(hunk.worth == other.worth for other in told)
    said = [] if again else [phrases.printable(hunk.why)]
    said += [terminal.part_of(hunk.worth)] if again or counted else []
    why = Text.assemble((" ".join(said), "italic"), (f"  {', '.join(hunk.actions)}", "dim"))
    return Text("" if counted else wording.worth(hunk.worth), style="bold green"), "", why


def _same_part(one: HunkReport, other: HunkReport) -> bool:
    return (one.actions, one.why, one.worth) == (other.actions, other.why, other.worth)


def edit_view(result: RunResult) -> RenderableType:
    """The diff under its heading."""
    parts: list[RenderableType] = [Text("The edit, with what each part is worth", style="bold"), diff_view(result)]
    if _worths_puzzle(result):
        parts.append(Text(terminal.what_worth_is(), style="dim"))
    return Group(*parts)


def _worths_puzzle(result: RunResult) -> bool:
    """Whether what the parts are worth could be taken for factors of the speedup, and is none."""
    worths = {hunk.worth for hunk in result.hunks if hunk.worth is not None}
    low, high = result.ci95 or (0.0, inf)
    return len(worths) > 1 or any(not low <= worth <= high for worth in worths)


def _merit(row: Row) -> tuple[bool, float, int]:
    """What paid comes first, then what came close."""
    return row.verdict is not Verdict.FASTER, -(row.speedup or 0.0), row.number


def report(board: Board, result: RunResult, width: int, *, rows: int = 10, findings: int = 8) -> RenderableType:
    """What is left on the screen when a run has ended, above its conclusion.

    ``rows``, ``findings``: how many are shown at most.
    """
    parts: list[RenderableType] = []
    if board.rows:
        ranked = sorted(board.rows, key=_merit)
        parts += [table(tuple(ranked[:rows]), board.best, width)]
        hidden = len(ranked) - rows
        parts += [Text(f"and {hidden} more", style="dim")] if hidden > 0 else []
        parts += [Text(f"Tried {len(board.rows)}: {wording.tally(board.tally)}.")]
    models = wording.models_line(result)
    parts += [Text(f"{models}.")] if models else []
    parts += [Text()] if board.rows or models else []
    critique = result.critique if result.critique.findings else board.critique
    if critique is not None and critique.findings:
        parts += [Text("What costs time", style="bold"), findings_view(critique, findings), Text()]
    if result.diff:
        parts += [edit_view(result), Text()]
    parts += [Text(phrases.printable(note), style="dim") for note in (*result.notes, *result.unasked)]
    return Group(*parts)


def conclusion(result: RunResult) -> Text:
    """The result in one line: with an improvement, one that can be pasted into a commit message."""
    improved = result.status is RunStatus.IMPROVED
    text = wording.commit_line(result) if improved else wording.verdict_line(result)
    return Text(phrases.printable(text), style="bold green" if improved else "bold")


def print_conclusion(console: Console, result: RunResult, rewrites: RewriteSettings) -> None:
    """Print the conclusion, unwrapped, to be copied, with advice where there is some."""
    console.print(conclusion(result), soft_wrap=True)
    if said := wording.advice(result, rewrites):
        console.print(Text(said), soft_wrap=True)


def print_report(console: Console, board: Board, result: RunResult, rewrites: RewriteSettings) -> None:
    """Print the report, then (unwrapped, to be copied) the conclusion and where the proof is."""
    console.print(report(board, result, console.width))
    print_conclusion(console, result, rewrites)
    if result.bundle:
        console.print(Text(terminal.proof(result.bundle), style="dim"), soft_wrap=True)
