"""PIE's figures (arXiv 2302.07867), from the speedups of each task's samples in the order in which they were made.

A sample is a speedup over the slow program, or None where it is not correct. With b the best of a task's first n
samples, and 1 where that is less or none is correct (who tried kept what he had):

    Correct@n = share of tasks with a correct sample among the first n
    %Opt@n    = share of tasks with a correct sample that has at least 1.10 times the speed
    Speedup@n = mean of b over all tasks, which is PIE's Best@n
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from maxcode_lsp.benchmarks.search.episode import Episode
from maxcode_lsp.records import Outcome

OPTIMISED = 1.10

Samples = Sequence[float | None]


class PieFigures(Struct, frozen=True):
    """Of one set of tasks. Shares are 0..1."""

    n: int
    tasks: int
    correct: float
    optimised: float
    speedup: float


def best(samples: Samples, n: int) -> float:
    """B of the module: at least 1."""
    return max((sample for sample in samples[:n] if sample is not None), default=1.0) if samples else 1.0


def pie_figures(tasks: Mapping[str, Samples], n: int, threshold: float = OPTIMISED) -> PieFigures:
    """The figures over all tasks; of none they are nought."""
    count = len(tasks)
    right = sum(any(sample is not None for sample in samples[:n]) for samples in tasks.values())
    better = sum(max(1.0, best(samples, n)) >= threshold for samples in tasks.values())
    total = sum(max(1.0, best(samples, n)) for samples in tasks.values())
    of = max(count, 1)
    return PieFigures(n=n, tasks=count, correct=right / of, optimised=better / of, speedup=total / of)


def samples_of(episode: Episode) -> list[float | None]:
    """An episode's candidates as samples, by the search's own measurements; an untimed one that is correct has 1."""
    return [
        (step.speedup if step.speedup is not None else 1.0)
        if step.outcome in {Outcome.CORRECT, Outcome.IDENTICAL}
        else None
        for step in episode.steps
    ]
