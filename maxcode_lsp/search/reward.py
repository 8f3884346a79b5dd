"""Rewards of evaluations: what the executor said, as a speedup over the original and as a reward.

The formulas are in :mod:`maxcode_lsp.search.process`.
"""

from __future__ import annotations

from maxcode_lsp.records import Evaluation, Outcome, Verdict
from maxcode_lsp.search.process import rewards
from maxcode_lsp.search.process.rewards import Scheme


def speedup(evaluation: Evaluation, reference_speedup: float) -> float | None:
    """Estimated speedup over the original; None where the candidate was not timed.

    ``reference_speedup``: that of the version it was paired with.
    """
    if evaluation.outcome is not Outcome.CORRECT or evaluation.measurement is None:
        return None
    return evaluation.measurement.speedup * reference_speedup


def reward(evaluation: Evaluation, reference_speedup: float = 1.0, scheme: Scheme = Scheme.SPEEDUP) -> float:
    """R ≥ 0; what is correct and untimed or no different counts as the version it was paired with."""
    taken = evaluation.measurement
    same = taken is None or taken.verdict is Verdict.NO_DIFFERENCE
    total = reference_speedup if same else speedup(evaluation, reference_speedup)
    return rewards.reward(scheme, evaluation.outcome is Outcome.CORRECT, total)
