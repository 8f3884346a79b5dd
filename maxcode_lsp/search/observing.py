"""The observation builder: what a policy is shown of a search, each part by a switch of its own.

A model's prompt is cut to its context later (``policy/llm/budget.py``): the least useful first, the program never.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from maxcode_lsp.policy.policy import Attempt, Experience, Observation
from maxcode_lsp.records import Critique, Overhead
from maxcode_lsp.text.edits import unified

if TYPE_CHECKING:
    from maxcode_lsp.search.parts import Parts
    from maxcode_lsp.search.trials import Node, Trial, Trials

ATTEMPTS_HERE = 8
"""Ours: of those made from a version, so many are shown to a policy."""
ATTEMPTS_ELSEWHERE = 4
"""Ours: of the faster ones made from other versions."""
DIFF_CHARS = 4000
FEEDBACK_CHARS = 800


def observe(trials: Trials, node: Node, critique: Critique, overhead: Overhead | None = None) -> Observation:
    """What a policy sees at a node, as far as the parts of the search allow it."""
    parts = trials.parts
    shown = node if parts.code else trials.root
    best = trials.best if parts.best else None
    return Observation(
        text=shown.text,
        flags=trials.flags,
        critique=_shown(critique, parts),
        tried=frozenset(trials.seen),
        original=trials.root.text,
        speedup=shown.speedup if parts.feedback else 1.0,
        best=best.text if best is not None else b"",
        best_speedup=best.speedup if best is not None else 1.0,
        u=trials.u_at(shown) if parts.u else trials.worth(1.0),
        attempts=_attempts(trials, shown) if trials.asks_models else (),
        experience=tuple(trials.experience) if parts.trajectory else (),
        overhead=overhead if parts.profile else None,
    )


def _shown(critique: Critique, parts: Parts) -> Critique:
    if not parts.critique:
        critique = msgspec.structs.replace(critique, findings=())
    return critique if parts.profile else msgspec.structs.replace(critique, hot_lines={})


def _attempts(trials: Trials, node: Node) -> tuple[Attempt, ...]:
    """Those that a model can learn from, in the order of their ends."""
    # What a rule tried in vain tells a model nothing, and its change would fill the prompt.
    models = {policy.name for policy in trials.policies if policy.again}
    parts = trials.parts
    shown: set[int] = set()
    if parts.feedback or parts.trajectory:
        here = [t for t in trials.history if t.node.parent is node and (t.faster or _policy(t) in models)]
        shown |= {id(trial) for trial in here[-ATTEMPTS_HERE:]}
    if parts.trajectory:
        others = (t for t in trials.history if t.node.parent is not node and t.node is not node)
        elsewhere = [t for t in others if t.faster]
        shown |= {id(trial) for trial in elsewhere[-ATTEMPTS_ELSEWHERE:]}
    return tuple(_attempt(trial, trials) for trial in trials.history if id(trial) in shown)


def _attempt(trial: Trial, trials: Trials) -> Attempt:
    candidate, parent, said = trial.node.candidate, trial.node.parent, trial.evaluation.feedback
    assert candidate is not None
    assert parent is not None
    taken = trial.evaluation.measurement
    feedback = f"{said.message}\n{said.detail}".strip()[:FEEDBACK_CHARS] if trials.parts.feedback else ""
    return Attempt(
        actions=candidate.origin.actions,
        rationale=candidate.origin.rationale,
        diff=unified(parent.text, trial.node.text, trials.unit)[:DIFF_CHARS],
        outcome=trial.evaluation.outcome,
        verdict=taken.verdict if taken is not None else None,
        speedup=trial.speedup,
        feedback=feedback,
    )


def experience(trial: Trial) -> Experience:
    """What a judged candidate teaches."""
    candidate, parent = trial.node.candidate, trial.node.parent
    assert candidate is not None
    assert parent is not None
    gain = math.log(trial.speedup / parent.speedup) if trial.speedup else None
    origin = candidate.origin
    return Experience(origin.policy, origin.actions, origin.rationale, trial.evaluation.outcome, gain, trial.faster)


def _policy(trial: Trial) -> str:
    candidate = trial.node.candidate
    return candidate.origin.policy if candidate is not None else ""
