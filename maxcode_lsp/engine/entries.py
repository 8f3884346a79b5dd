"""What a search did, as events."""

from __future__ import annotations

import hashlib

from maxcode_lsp.engine.events import Evaluated, Observed
from maxcode_lsp.records import Critique, Origin
from maxcode_lsp.search import Asked, Trial


def observed(asked: Asked) -> Observed:
    """A policy's answer, with what it saw."""
    shown = asked.observation
    return Observed(
        node=asked.node.id,
        text_sha256=hashlib.sha256(shown.text).hexdigest(),
        best=asked.best.id,
        best_speedup=asked.best.speedup,
        u=asked.u,
        tried=len(shown.tried),
        finding_kinds=tuple(dict.fromkeys(finding.kind for finding in shown.critique.findings)),
        policy=asked.policy,
        proposals=asked.proposals,
        elapsed_s=asked.elapsed_s,
    )


def evaluated(trial: Trial, number: int, critique: Critique) -> Evaluated:
    """A judged candidate. ``critique``: of the version that it was made from, as far as that is known."""
    candidate = trial.node.candidate
    assert candidate is not None
    return Evaluated(
        number=number,
        actions=candidate.origin.actions,
        rationale=candidate.origin.rationale,
        depth=candidate.depth,
        evaluation=trial.evaluation,
        speedup=trial.speedup,
        best=trial.best,
        candidate=candidate,
        u=trial.u,
        because=_because(candidate.origin, critique),
    )


def _because(origin: Origin, critique: Critique) -> str:
    """The most costly finding that a candidate acts on."""
    return next((found.message for found in critique.findings if found.kind in origin.finding_kinds), "")
