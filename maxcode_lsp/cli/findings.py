"""What costs time: the critique's findings as lines."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from maxcode_lsp.messages import phrases
from maxcode_lsp.records import Critique

_MOST = 8


def findings_view(critique: Critique, most: int = _MOST) -> RenderableType:
    """The costliest findings, one or two lines each."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    for finding in critique.findings[:most]:
        message = Text.assemble(
            phrases.printable(finding.message), " ", (f"{finding.kind}: {phrases.printable(finding.evidence)}", "dim")
        )
        grid.add_row(Text(f"line {finding.span.first}"), message)
    rest = len(critique.findings) - most
    if rest > 0:
        grid.add_row("", Text(f"and {rest} more", style="dim"))
    return grid
