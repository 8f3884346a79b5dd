"""The pictures of a comparison. One colour for a strategy: its plain form is dashed, with MaxCode's parts solid."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from maxcode_lsp.benchmarks.report.curves import Curves, Numbers
from maxcode_lsp.benchmarks.report.figures import Figures
from maxcode_lsp.benchmarks.search.methods import plain_of
from maxcode_lsp.extras import need

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
"""Told apart by colour-blind people, too (Okabe and Ito 2008)."""
DASHES = ("-", (0, (1, 1)), (0, (6, 2, 1, 2)), (0, (3, 1)))
"""Of the forms with parts left out, after the whole one."""


SPEEDUPS = (1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100)
"""Written on axes."""


def plots(found: Figures, curves: Mapping[str, Curves]) -> dict[str, Any]:
    """Figures of matplotlib by file name. Raises ToolMissing where it is not installed."""
    need("matplotlib", "bench")
    made = {
        "candidates": _against(found, curves, "at", "candidates"),
        "pairs": _pairs(found),
        "depth": _depth(found),
        "programs": _programs(found),
    }
    if any(one.seconds > 0 for one in found.methods):
        made["seconds"] = _against(found, curves, "at_s", "seconds")
    if any(one.tokens > 0 for one in found.methods):
        made["tokens"] = _against(found, curves, "tokens", "tokens")
    return made


def picture(figure: Any, kind: str) -> bytes:
    """``png`` or ``svg``; the same figure gives the same bytes."""
    out = io.BytesIO()
    metadata = {"Software": None} if kind == "png" else {"Date": None, "Creator": None}
    mpl: Any = need("matplotlib", "bench")
    with mpl.rc_context({"svg.hashsalt": "maxcode", "svg.fonttype": "none"}):
        figure.savefig(out, format=kind, dpi=150, metadata=metadata)
    return out.getvalue()


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure((width, height), layout="constrained")
    axes: Any = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _looks(method: str, methods: Sequence[str]) -> dict[str, Any]:
    strategies = list(dict.fromkeys(map(plain_of, methods)))
    strategy = plain_of(method)
    colour = COLOURS[strategies.index(strategy) % len(COLOURS)]
    if method == strategy:
        return {"color": colour, "linestyle": (0, (4, 2)), "linewidth": 1.4}
    forms = [one for one in methods if plain_of(one) == strategy != one]
    return {"color": colour, "linestyle": DASHES[forms.index(method) % len(DASHES)], "linewidth": 2.0}


def _against(found: Figures, curves: Mapping[str, Curves], what: str, words: str) -> Any:
    """Mean log speedup against candidates, seconds or tokens."""
    figure, axes = _figure(7.2, 4.4)
    methods = [one.method for one in found.methods]
    for method in methods:
        searches = list(curves[method].by_search.values())
        values = np.array([one.log_values for one in searches])
        if what == "at":
            at: Numbers = np.arange(values.shape[1], dtype=float)
            mean: Numbers = values.mean(axis=0)
        else:
            spent = np.array([getattr(one, what) for one in searches])
            at = np.linspace(0.0, float(np.median(spent[:, -1])) or 1.0, 60)
            mean = np.mean([_step(at, x, y) for x, y in zip(spent, values, strict=True)], axis=0)
        axes.step(at, mean, where="post", label=method, **_looks(method, methods))
    axes.set_xlabel(words)
    axes.set_ylabel("speedup (geometric mean)")
    _as_speedups(axes)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _step(at: Numbers, spent: Numbers, values: Numbers) -> Numbers:
    """The value in hand at each point."""
    return values[np.searchsorted(spent, at, side="right") - 1]


def _as_speedups(axes: Any) -> None:
    """Log values written as speedups."""
    low, high = axes.get_ylim()
    shown = [times for times in SPEEDUPS if low <= math.log(times) <= high]
    axes.set_yticks([math.log(times) for times in shown], [f"{times:g}×" for times in shown])


def _pairs(found: Figures) -> Any:
    """Differences with their intervals, by number of candidates."""
    rows = [(pair, at, gain) for pair in found.pairs for at, gain in pair.log_gain.items()]
    figure, axes = _figure(7.2, 1.0 + 0.22 * max(len(rows), 1))
    methods = [one.method for one in found.methods]
    for place, (pair, _, gain) in enumerate(rows):
        looks = _looks(pair.method, methods)
        axes.plot([gain.low, gain.high], [place, place], color=looks["color"], linewidth=1.8)
        axes.plot([gain.value], [place], "o", color=looks["color"], markersize=4)
    axes.axvline(0.0, color="#444444", linewidth=0.8)
    axes.set_yticks(range(len(rows)), [f"{pair.method} − {pair.control}, {at}" for pair, at, _ in rows], fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("difference of mean log speedup, 95 % CI, by number of candidates")
    return figure


def _depth(found: Figures) -> Any:
    """What is reached with so many actions."""
    figure, axes = _figure(7.2, 4.0)
    methods = [one.method for one in found.methods]
    for one in found.methods:
        axes.plot(range(len(one.by_depth)), one.by_depth, marker=".", label=one.method, **_looks(one.method, methods))
    axes.set_xlabel("actions from the original, at most")
    axes.set_ylabel("best speedup in the search (geometric mean)")
    _as_speedups(axes)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def _programs(found: Figures) -> Any:
    """Each program and method: the speedup, coloured by the share of the best that is reached."""
    methods = [one.method for one in found.methods]
    programs = sorted(found.by_program)
    figure, axes = _figure(1.8 + 0.75 * len(methods), 1.6 + 0.3 * len(programs))
    most = {program: found.about.room.get(program, max(found.by_program[program].values())) for program in programs}
    share = np.full((len(programs), len(methods)), np.nan)
    for row, program in enumerate(programs):
        for column, method in enumerate(methods):
            value = found.by_program[program].get(method)
            if value is None:
                continue
            room = math.log(most[program])
            share[row, column] = 1.0 if room <= 0 else min(1.0, math.log(value) / room)
            dark = share[row, column] > 0.6
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=7, color="w" if dark else "k")
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1.25, aspect="auto")
    axes.grid(visible=False)
    axes.set_xticks(range(len(methods)), methods, rotation=40, ha="right", fontsize=7)
    axes.set_yticks(range(len(programs)), [f"{one} (best {most[one]:.2f})" for one in programs], fontsize=7)
    return figure
