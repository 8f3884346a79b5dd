"""A comparison in the terminal: one line for each method."""

from __future__ import annotations

import math

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from maxcode_lsp.benchmarks.report.figures import Figures
from maxcode_lsp.benchmarks.report.resampling import Estimate


def overview(found: Figures) -> RenderableType:
    """The main figures."""
    table = Table(box=None, pad_edge=False)
    for title in ("method", "searches", "median", "mean log by candidates", "fast_1", "rank", "room"):
        table.add_column(title, justify="left" if title == "method" else "right")
    for one in found.methods:
        curve = "  ".join(f"{at}: {estimate.value:.3f}" for at, estimate in one.log_speedup.items())
        table.add_row(
            Text(one.method),
            str(one.searches),
            f"{one.median_speedup.value:.2f}×",
            curve,
            f"{100 * one.fast_1:.0f} %",
            "" if math.isnan(one.rank) else f"{one.rank:.2f}",
            "" if one.room is None else f"{100 * one.room:.0f} %",
        )
    pairs = Table(box=None, pad_edge=False)
    for title in ("method", "against", "log gain (95 % CI)", "median (95 % CI)"):
        pairs.add_column(title, justify="right" if "CI" in title else "left")
    for pair in found.pairs:
        last, median = (by_count[max(by_count)] for by_count in (pair.log_gain, pair.median_gain_pct))
        pairs.add_row(Text(pair.method), Text(pair.control), _signed(last), f"{_signed(median, 1)} %")
    return Group(table, Text(), pairs) if found.pairs else table


def _signed(estimate: Estimate, digits: int = 3) -> str:
    return f"{estimate.value:+.{digits}f} ({estimate.low:+.{digits}f} to {estimate.high:+.{digits}f})"
