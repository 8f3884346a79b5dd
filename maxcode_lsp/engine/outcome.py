"""The end of a run in words and numbers."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from maxcode_lsp import messages
from maxcode_lsp.records import Critique, Outcome
from maxcode_lsp.search import Stop, Trial

NOISY_SHARE = 0.1
"""A finding is named as where the time goes from this share on."""


def counted(trials: Sequence[Trial]) -> dict[str, int]:
    """Number of trials by outcome; outcomes that did not happen are left out."""
    return dict(Counter(trial.evaluation.outcome.value for trial in trials))


def hit_rates(trials: Sequence[Trial]) -> dict[str, tuple[int, int]]:
    """Finding kind to (trials that acted on it, of those faster)."""
    rates: dict[str, tuple[int, int]] = {}
    for trial in trials:
        candidate = trial.node.candidate
        for kind in candidate.origin.finding_kinds if candidate is not None else ():
            acted, faster = rates.get(kind, (0, 0))
            rates[kind] = (acted + 1, faster + trial.faster)
    return rates


def noise_pct(trials: Sequence[Trial]) -> float | None:
    """Median half width of the intervals of those that were no different, in per cent; None: too few."""
    widths = [
        (taken.ci95[1] - taken.ci95[0]) / 2 * 100
        for trial in trials
        if not trial.faster and (taken := trial.evaluation.measurement) is not None
    ]
    return statistics.median(widths) if widths else None


def why_not(name: str, trials: Sequence[Trial], critique: Critique, threshold: float, stop: Stop) -> str:
    """Why there is no improvement, and what the time goes to."""
    if not trials and stop is Stop.TIME:
        return messages.no_time(name)
    correct = sum(trial.evaluation.outcome is Outcome.CORRECT for trial in trials)
    said = messages.no_improvement(name, len(trials), correct, threshold, noise_pct(trials))
    costly = [f for f in critique.findings if f.share is not None and f.share >= NOISY_SHARE]
    return f"{said} {costly[0].message}" if costly else said
