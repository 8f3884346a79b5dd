"""``maxcode bench``: the figures of the judge itself, taken on this machine."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, cast

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from maxcode_lsp.cli.consoles import console, print_json
from maxcode_lsp.cli.interruption import run_interruptible

Benchmark = Callable[[bool, Callable[[str], None]], Coroutine[Any, Any, dict[str, Any]]]
"""Takes figures: ``quick`` (a rough look at a part of them), and where to say what is going on."""


def figures(values: Mapping[str, Any]) -> RenderableType:
    """The figures as a table; nested ones are named ``outer.inner``."""
    grid = Table.grid(padding=(0, 2))
    for name, value in _flat(values):
        grid.add_row(Text(name), Text(f"{value:.4g}" if isinstance(value, float) else str(value), style="bold"))
    return grid


def _flat(values: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            found += _flat(cast("Mapping[str, Any]", value), f"{prefix}{name}.")
        else:
            found.append((prefix + name, value))
    return found


def bench(what: str, *, quick: bool, json: bool) -> int:
    """The whole command. What is going on is told on standard error."""
    run: Benchmark = importlib.import_module(f"maxcode_lsp.benchmarks.{what}").run
    told = console(stderr=True)
    work = run(quick, lambda line: told.print(Text(line, style="dim"), soft_wrap=True))
    values = run_interruptible(work)
    if json:
        print_json(values)
    else:
        console().print(figures(values))
    return 0
