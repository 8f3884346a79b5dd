"""``maxcode doctor``: what this machine offers, what is missing and how to get it."""

from __future__ import annotations

from msgspec.structs import replace
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from maxcode_lsp.cli.consoles import console, print_json
from maxcode_lsp.cli.failure import FAILED
from maxcode_lsp.cli.interruption import run_interruptible
from maxcode_lsp.engine.doctor import examine
from maxcode_lsp.engine.health import Check, State
from maxcode_lsp.messages import phrases, terminal
from maxcode_lsp.settings import Settings

_STYLES = {State.OK: "green", State.LIMITED: "yellow", State.MISSING: "bold red"}


def check_line(check: Check) -> RenderableType:
    """One line of the examination, with the remedy below it."""
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(width=8, no_wrap=True)
    grid.add_column(width=13, no_wrap=True)
    grid.add_column(overflow="fold", ratio=1)
    style = _STYLES[check.state]
    grid.add_row(Text(check.state.value, style=style), Text(check.name), Text(phrases.printable(check.detail)))
    if check.remedy:
        grid.add_row("", "", Text(phrases.printable(check.remedy), style="dim"))
    return grid


def doctor(settings: Settings, *, json: bool) -> int:
    """The whole command; 0 where everything that is needed is here. ``settings``: whose models are asked."""
    out = console()

    def report(check: Check) -> None:
        if not json:
            out.print(check_line(check))

    health = run_interruptible(examine(report, settings))
    if json:
        checks = [
            replace(check, detail=phrases.printable(check.detail), remedy=phrases.printable(check.remedy))
            for check in health.checks
        ]
        print_json(replace(health, checks=tuple(checks)))
    else:
        out.print(Text(terminal.health(ok=health.ok), style="bold green" if health.ok else "bold red"))
    return 0 if health.ok else FAILED
