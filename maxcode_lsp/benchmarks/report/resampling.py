"""Bootstrap intervals over programs × seeds: programs are drawn with replacement, then seeds within each.

A suite is a small sample of all programs, and the seeds of one program are alike: drawing single searches would make
intervals far too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from maxcode_lsp.benchmarks.report.curves import Numbers

TIMES = 2000
SEED = 20260105
"""Of the draws, so that a report is the same again."""


class Estimate(Struct, frozen=True):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


Drawn = Callable[[Sequence[Numbers]], float]
"""A figure of some searches: one array (seeds × whatever) for each program drawn."""


def bootstrap(by_program: Mapping[str, Numbers], figure: Drawn, times: int = TIMES) -> Estimate:
    """The figure over all, with a percentile interval. Needs at least one program with one seed."""
    groups = [group for group in by_program.values() if len(group)]
    rng = np.random.default_rng(SEED)
    drawn = np.empty(times)
    for time in range(times):
        chosen = [groups[int(at)] for at in rng.integers(len(groups), size=len(groups))]
        drawn[time] = figure([group[rng.integers(len(group), size=len(group))] for group in chosen])
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Estimate(figure(groups), float(low), float(high))


def mean(groups: Sequence[Numbers]) -> float:
    """Mean over programs of the mean over seeds."""
    return float(np.mean([np.mean(group) for group in groups]))


def median(groups: Sequence[Numbers]) -> float:
    """Median over programs of the median over seeds."""
    return float(np.median([np.median(group) for group in groups]))
