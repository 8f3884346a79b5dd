"""The figures of a comparison of searches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from scipy.stats import rankdata

from maxcode_lsp.benchmarks.report.curves import MOST_DEPTH, Curves, Numbers
from maxcode_lsp.benchmarks.report.resampling import Estimate, bootstrap, mean, median
from maxcode_lsp.benchmarks.search.episode import Comparison
from maxcode_lsp.benchmarks.search.methods import plain_of, whole_of

AFTER = (4, 8, 16, 32, 64)
"""Candidates after which searches are compared."""


class MethodFigures(Struct, frozen=True, kw_only=True):
    """Of one method."""

    method: str
    searches: int
    programs: int
    candidates: float
    """Judged in one search, on average."""
    correct: float
    """Share of the candidates."""
    solved: float
    """Share of the searches with at least one correct candidate."""
    fast_1: float
    """Share of the searches that hand over something truly faster."""
    median_speedup: Estimate
    """Median over programs of the median over seeds of the speedup that is handed over."""
    mean_speedup: Estimate
    """Mean over programs of the mean over seeds."""
    log_speedup: dict[int, Estimate]
    """Mean log speedup by number of candidates: the main figure."""
    room: float | None
    """Share of the log speedup that the best of the replay table has; None: there is no table."""
    rank: float
    """Average place among the methods, 1 the best, by speedup on the same program and seed."""
    by_depth: tuple[float, ...]
    """Mean log of the best speedup of versions of at most this depth, from 0, as estimated in the search."""
    seconds: float
    """Of one search, on average."""
    tokens: float
    """Of one search, on average: questions and answers."""
    cost_usd: float | None
    """Of all searches."""
    outcomes: dict[str, int]
    replies: dict[str, int]
    hits: dict[str, tuple[int, int]]
    """Finding kind to (candidates that acted on it, of those faster)."""
    troubles: int
    """Searches that trouble of the machine or a model cut short before anything was judged."""


class PairFigures(Struct, frozen=True, kw_only=True):
    """A method against another one, on the same programs with the same seeds."""

    method: str
    control: str
    searches: int
    log_gain: dict[int, Estimate]
    """Mean difference of log speedups by number of candidates."""
    median_gain_pct: dict[int, Estimate]
    """By how much the median speedup is higher, in per cent, by number of candidates."""


class Figures(Struct, frozen=True, kw_only=True):
    """Of a comparison."""

    about: Comparison
    methods: tuple[MethodFigures, ...]
    pairs: tuple[PairFigures, ...]
    by_program: dict[str, dict[str, float]]
    """Program to method to mean speedup (geometric, over seeds)."""


def figures(about: Comparison, curves: Mapping[str, Curves]) -> Figures:
    """All figures. Methods without a single search are left out."""
    some = {name: one for name, one in curves.items() if one.by_search}
    ranks = _ranks(some)
    pairs = [
        _pair(some[name], some[other])
        for name in some
        for other in dict.fromkeys((plain_of(name), whole_of(name)))
        if other in some and other != name and (other != whole_of(name) or name != plain_of(name))
    ]
    return Figures(
        about=about,
        methods=tuple(_method(one, ranks[name], about) for name, one in some.items()),
        pairs=tuple(pair for pair in pairs if pair is not None),
        by_program={
            program: {
                name: math.exp(
                    float(np.mean([c.log_values[-1] for (p, _), c in one.by_search.items() if p == program]))
                )
                for name, one in some.items()
                if any(p == program for p, _ in one.by_search)
            }
            for program in dict.fromkeys(p for one in some.values() for p, _ in one.by_search)
        },
    )


def _by_program(curves: Curves, at: int) -> dict[str, Numbers]:
    """Log speedups after so many candidates, seeds in a row, by program."""
    found: dict[str, list[float]] = {}
    for (program, _), curve in curves.by_search.items():
        found.setdefault(program, []).append(float(curve.log_values[min(at, len(curve.log_values) - 1)]))
    return {program: np.array(values) for program, values in found.items()}


def _after(about: Comparison) -> list[int]:
    return sorted({count for count in AFTER if count < about.budget} | {about.budget})


def _method(curves: Curves, rank: float, about: Comparison) -> MethodFigures:
    all_of_them = list(curves.by_search.values())
    final = _by_program(curves, about.budget)
    speedups = {program: np.exp(values) for program, values in final.items()}
    judged = sum(curve.judged for curve in all_of_them)
    count = len(all_of_them)
    room = math.fsum(math.log(about.room[program]) for program in final) if about.room.keys() >= final.keys() else 0.0
    reached = math.fsum(float(np.mean(values)) for values in final.values())
    return MethodFigures(
        method=curves.method,
        searches=count,
        programs=len(final),
        candidates=judged / count,
        correct=sum(curve.right for curve in all_of_them) / max(judged, 1),
        solved=sum(curve.right > 0 for curve in all_of_them) / count,
        fast_1=sum(bool(curve.log_values[-1] > 0) for curve in all_of_them) / count,
        median_speedup=bootstrap(speedups, median),
        mean_speedup=bootstrap(speedups, mean),
        log_speedup={at: bootstrap(_by_program(curves, at), mean) for at in _after(about)},
        room=reached / room if room > 0 else None,
        rank=rank,
        by_depth=tuple(float(np.mean([c.log_by_depth[depth] for c in all_of_them])) for depth in range(MOST_DEPTH + 1)),
        seconds=curves.seconds / count,
        tokens=(curves.tokens_in + curves.tokens_out) / count,
        cost_usd=curves.cost_usd,
        outcomes=dict(curves.outcomes),
        replies=dict(curves.replies),
        hits=dict(sorted(curves.hits.items())),
        troubles=curves.troubles,
    )


def _ranks(curves: Mapping[str, Curves]) -> dict[str, float]:
    """Average place of each method over the searches that all methods made; ties share their places."""
    names = list(curves)
    everywhere = [
        key
        for key in sorted({key for one in curves.values() for key in one.by_search})
        if all(key in one.by_search for one in curves.values())
    ]
    if not everywhere:
        return dict.fromkeys(names, math.nan)
    values = np.array([[curves[name].by_search[key].log_values[-1] for name in names] for key in everywhere])
    places = np.mean([rankdata(-row, method="average") for row in np.round(values, 6)], axis=0)
    return dict(zip(names, map(float, places), strict=True))


def _pair(curves: Curves, control: Curves) -> PairFigures | None:
    common = [key for key in curves.by_search if key in control.by_search]
    if not common:
        return None
    both: dict[str, list[Numbers]] = {}
    for key in common:
        mine, other = curves.by_search[key].log_values, control.by_search[key].log_values
        both.setdefault(key[0], []).append(np.stack([mine, other]))
    stacked = {program: np.array(values) for program, values in both.items()}
    budget = next(iter(stacked.values())).shape[-1] - 1
    after = sorted({count for count in AFTER if count < budget} | {budget})
    gains = {
        at: bootstrap({program: values[:, 0, at] - values[:, 1, at] for program, values in stacked.items()}, mean)
        for at in after
    }
    medians = {
        at: bootstrap({program: np.exp(values[:, :, at]) for program, values in stacked.items()}, _median_gain)
        for at in after
    }
    return PairFigures(
        method=curves.method,
        control=control.method,
        searches=len(common),
        log_gain=gains,
        median_gain_pct=medians,
    )


def _median_gain(groups: Sequence[Numbers]) -> float:
    mine = np.median([np.median(group[:, 0]) for group in groups])
    other = np.median([np.median(group[:, 1]) for group in groups])
    return float(100 * (mine / other - 1))
