"""Paired samples: estimate, interval, and the sequential decision.

The unit is the log ratio of reference time to candidate time of one pair. From eight pairs on, the
mean is trimmed by an eighth at each end and its error comes from the winsorised deviation with
Student's t (Yuen 1974), so that a few samples hit by other work neither decide nor widen the answer.

The numbers in :class:`PairedTest` are ours, chosen on A/A and A/B series of one virtual machine with
a compiler running beside it; ``maxcode bench timing`` measures what they give on yours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from scipy.special import stdtrit

from maxcode_lsp.records import Measurement, Metric, Verdict

TRIM = 8
"""One of this many samples is trimmed at each end."""


class Interval(Struct, frozen=True):
    """A mean log ratio with bounds."""

    mean: float
    low: float
    high: float


def interval(logs: Sequence[float], tail: float, sd_floor: float = 0.0) -> Interval:
    """Mean of ``logs`` with a two-sided interval that leaves ``tail`` outside at each end.

    ``sd_floor``: no sample is believed to be better than this (log ratio). Needs two samples.
    """
    n = len(logs)
    cut = n // TRIM
    ordered = sorted(logs)
    kept = ordered[cut : n - cut]
    mean = math.fsum(kept) / len(kept)
    winsorised = [kept[0]] * cut + kept + [kept[-1]] * cut
    centre = math.fsum(winsorised) / n
    variance = math.fsum((x - centre) ** 2 for x in winsorised) / (n - 1)
    sd = max(math.sqrt(variance), sd_floor)
    error = sd / ((1 - 2 * cut / n) * math.sqrt(n))
    margin = float(stdtrit(n - 2 * cut - 1, 1 - tail)) * error
    return Interval(mean, mean - margin, mean + margin)


class PairedTest(Struct, frozen=True):
    """When to stop pairing and what to call the result.

    *Faster*: the lower bound of the speedup lies above ``threshold``; *slower*: the upper bound below
    ``1 / threshold``. Values marked "ours" come from no paper.
    """

    threshold: float = 1.05
    tail: float = 0.002
    """Error allowed at each look, one-sided (ours)."""
    sd_floor: float = 0.008
    """Ours: log ratio."""
    min_pairs: int = 5
    max_pairs: int = 40
    tell_slower: bool = True
    """Go on until slower and no difference are told apart; a search only asks "faster or not"."""

    def decide(self, logs: Sequence[float]) -> Verdict | None:
        """The verdict on the pairs so far; None: take another pair."""
        if len(logs) < self.min_pairs:
            return None
        bounds = interval(logs, self.tail, self.sd_floor)
        limit = math.log(self.threshold)
        if bounds.low > limit:
            return Verdict.FASTER
        if bounds.high < -limit:
            return Verdict.SLOWER
        if bounds.high < limit and (bounds.low > -limit or not self.tell_slower):
            return Verdict.NO_DIFFERENCE
        return Verdict.NO_DIFFERENCE if len(logs) >= self.max_pairs else None


def logs_of(reference_ns: Sequence[int], candidate_ns: Sequence[int]) -> list[float]:
    """Log ratio of each pair. Samples are at least one nanosecond."""
    return [math.log(max(r, 1) / max(c, 1)) for r, c in zip(reference_ns, candidate_ns, strict=True)]


def measurement(
    metric: Metric, reference_ns: Sequence[int], candidate_ns: Sequence[int], verdict: Verdict, sd_floor: float = 0.008
) -> Measurement:
    """The record of a decided series, with its 95 % interval."""
    bounds = interval(logs_of(reference_ns, candidate_ns), 0.025, sd_floor)
    return Measurement(
        metric=metric,
        reference_ns=tuple(reference_ns),
        candidate_ns=tuple(candidate_ns),
        speedup=math.exp(bounds.mean),
        ci95=(math.exp(bounds.low), math.exp(bounds.high)),
        verdict=verdict,
    )


def fixed_verdict(reference_ns: Sequence[int], candidate_ns: Sequence[int], threshold: float) -> Verdict:
    """The verdict of a series whose length was fixed beforehand: by its 95 % interval."""
    bounds = interval(logs_of(reference_ns, candidate_ns), 0.025, PairedTest().sd_floor)
    limit = math.log(threshold)
    if bounds.low > limit:
        return Verdict.FASTER
    return Verdict.SLOWER if bounds.high < -limit else Verdict.NO_DIFFERENCE
