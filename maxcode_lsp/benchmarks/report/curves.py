"""Episodes as numbers: how good what a search would hand over is after each candidate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from maxcode_lsp.benchmarks.search.episode import Episode
from maxcode_lsp.records import Outcome

Numbers: TypeAlias = NDArray[np.float64]

MOST_DEPTH = 8
RIGHT = frozenset({Outcome.CORRECT, Outcome.IDENTICAL})


class Curve(Struct, frozen=True):
    """One episode. Arrays have ``budget`` + 1 entries, the first before any candidate; the last value is carried
    forward where a search ended early.
    """

    log_values: Numbers
    """Log of the true speedup of what would be handed over."""
    at_s: Numbers
    tokens: Numbers
    log_by_depth: Numbers
    """Log of the best speedup, as the search estimated it, of versions of at most this depth, from 0."""
    judged: int
    right: int


class Curves(Struct):
    """All episodes of one method, and what was counted over them."""

    method: str
    by_search: dict[tuple[str, int], Curve] = field(default_factory=dict[tuple[str, int], Curve])
    """By program and seed."""
    outcomes: Counter[str] = field(default_factory=Counter[str])
    replies: Counter[str] = field(default_factory=Counter[str])
    hits: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Finding kind to (candidates that acted on it, of those faster)."""
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    troubles: int = 0

    def add(self, episode: Episode) -> None:
        """Take an episode in; one that was cut short by trouble is counted, and no more."""
        if episode.trouble and not episode.steps:
            self.troubles += 1
            return
        self.by_search[episode.program, episode.seed] = curve_of(episode)
        self.outcomes.update(step.outcome.value for step in episode.steps)
        self.replies.update(episode.replies)
        for step in episode.steps:
            for kind in step.kinds:
                acted, faster = self.hits.get(kind, (0, 0))
                self.hits[kind] = acted + 1, faster + step.faster
        self.seconds += episode.seconds
        self.tokens_in += episode.tokens_in
        self.tokens_out += episode.tokens_out
        if episode.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + episode.cost_usd


def curve_of(episode: Episode) -> Curve:
    """The numbers of one episode."""
    steps = episode.steps[: episode.budget]
    best_by_depth = np.zeros(MOST_DEPTH + 1)
    for step in steps:
        if step.faster and step.speedup:
            depth = min(step.depth, MOST_DEPTH)
            best_by_depth[depth] = max(best_by_depth[depth], math.log(step.speedup))
    return Curve(
        log_values=_carried([0.0, *(math.log(step.value) for step in steps)], episode.budget),
        at_s=_carried([0.0, *(step.at_s for step in steps)], episode.budget),
        tokens=_carried([0.0, *(float(step.tokens) for step in steps)], episode.budget),
        log_by_depth=np.maximum.accumulate(best_by_depth),
        judged=len(steps),
        right=sum(step.outcome in RIGHT for step in steps),
    )


def _carried(known: list[float], budget: int) -> Numbers:
    return np.array([*known, *[known[-1]] * (budget + 1 - len(known))])


def collect(episodes: Iterable[Episode], methods: Iterable[str] = ()) -> dict[str, Curves]:
    """Curves by method; ``methods`` come first, in this order."""
    found = {method: Curves(method) for method in methods}
    for episode in episodes:
        found.setdefault(episode.method, Curves(episode.method)).add(episode)
    return found
