"""Judged candidates as the steps of an episode."""

from __future__ import annotations

from maxcode_lsp.benchmarks.search.episode import Step
from maxcode_lsp.search import Trial


def step_of(trial: Trial, value: float, at_s: float, tokens: int = 0) -> Step:
    """A judged candidate as it is written down."""
    candidate, parent = trial.node.candidate, trial.node.parent
    assert candidate is not None
    return Step(
        candidate=candidate.id,
        parent=parent.id if parent is not None else None,
        depth=candidate.depth,
        policy=candidate.origin.policy,
        actions=candidate.origin.actions,
        outcome=trial.evaluation.outcome,
        faster=trial.faster,
        speedup=round(trial.speedup, 4) if trial.speedup is not None else None,
        value=round(value, 4),
        u=round(trial.u, 4),
        kinds=candidate.origin.finding_kinds,
        at_s=round(at_s, 3),
        tokens=tokens,
    )
