"""Rewards. r is the speedup over the original, 0 where the candidate is not correct (arXiv 2601.05475).

u is the best discounted reward so far: ``u' = max(u, r) / γ``. With γ = 1 (our default; the paper's
value is not known to us) u is the running best reward.
"""

from __future__ import annotations

from maxcode_lsp.records import Evaluation, Outcome, Verdict

GAMMA = 1.0


def speedup(evaluation: Evaluation, reference_speedup: float) -> float | None:
    """Estimated speedup over the original; None where the candidate was not timed.

    ``reference_speedup``: that of the version it was paired with.
    """
    if evaluation.outcome is not Outcome.CORRECT or evaluation.measurement is None:
        return None
    return evaluation.measurement.speedup * reference_speedup


def reward(evaluation: Evaluation, reference_speedup: float = 1.0) -> float:
    """R ≥ 0: the speedup; what is correct and untimed or no different counts as the version it was paired with."""
    if evaluation.outcome is not Outcome.CORRECT:
        return 0.0
    taken = evaluation.measurement
    if taken is None or taken.verdict is Verdict.NO_DIFFERENCE:
        return reference_speedup
    return taken.speedup * reference_speedup


def best_so_far(u: float, r: float, gamma: float = GAMMA) -> float:
    """The next u."""
    return max(u, r) / gamma
