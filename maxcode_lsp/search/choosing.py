"""Which versions a search goes on from: by a strategy's plain rule, or by reward-to-go."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from maxcode_lsp.messages import verdicts
from maxcode_lsp.records import Critique
from maxcode_lsp.search.process.returns import to_absolute
from maxcode_lsp.search.trials import Node, Trial, Trials
from maxcode_lsp.value.value import Estimate, Prospect

MOST_OPEN = 6
"""Ours: of what paid elsewhere, so many are counted at most."""


class Choice(Struct, frozen=True):
    """A version to go on from, and why in words."""

    node: Node
    why: str


async def choose(
    trials: Trials, nodes: Sequence[Node], count: int, critique: Callable[[Node], Critique | None]
) -> list[Choice]:
    """At most ``count`` of the nodes, best first: the fastest, or where the search reranks those with the highest
    score Σ p_c · max(u, v_c). ``critique``: what is known about a node.
    """
    if not trials.parts.rerank:
        fastest = sorted(nodes, key=lambda node: -node.speedup)
        return [Choice(node, verdicts.chosen_fastest(node.speedup)) for node in fastest[:count]]
    prospects = [prospect(trials, node, critique(node)) for node in nodes]
    estimates = await trials.plan.values.estimate(prospects)
    scored = [(score(trials, node, estimate), node) for estimate, node in zip(estimates, nodes, strict=True)]
    scored.sort(key=lambda one: (-one[0], -one[1].speedup))
    return [
        Choice(node, verdicts.chosen_by_value(node.speedup, expected, trials.u)) for expected, node in scored[:count]
    ]


def score(trials: Trials, node: Node, estimate: Estimate) -> float:
    """Σ p_c · max(u, v_c), with u as seen from the node; discounted back to the original, so that nodes of different
    depths can be compared. Without u it is the plain mean Σ p_c · v_c.
    """
    u = trials.u_at(node) if trials.parts.u else 0.0
    return to_absolute(estimate.score(u, trials.worth), node.depth, trials.plan.gamma)


def prospect(trials: Trials, node: Node, critique: Critique | None) -> Prospect:
    """What a value function is told about a node."""
    here = [trial for trial in trials.history if trial.node.parent is node]
    shares = [finding.share for finding in critique.findings if finding.share] if critique is not None else []
    return Prospect(
        speedup=node.speedup,
        depth=node.depth,
        u=trials.u_at(node) if trials.parts.u else 0.0,
        left=trials.budget.candidates - trials.budget.used,
        tried_here=len(here),
        gains_here=sum(trial.faster for trial in here),
        open_gains=open_gains(trials, node) if trials.parts.trajectory else (),
        hot_share=min(1.0, max(shares)) if shares else None,
    )


def open_gains(trials: Trials, node: Node) -> tuple[float, ...]:
    """Log speedups of what paid elsewhere, is not in the node's lineage, and did not fail on the way to it."""
    behind = {idea(trial) for trial in trials.history if trial.node.parent is node}
    at: Node | None = node
    while at is not None and at.candidate is not None:
        behind.add((*at.candidate.origin.actions, at.candidate.origin.rationale))
        at = at.parent
    gains: dict[tuple[str, ...], float] = {}
    for trial in trials.history:
        parent = trial.node.parent
        key = idea(trial)
        if trial.faster and trial.speedup and parent is not None and key not in behind:
            gains[key] = max(gains.get(key, 0.0), math.log(trial.speedup / parent.speedup))
    return tuple(sorted(gains.values(), reverse=True)[:MOST_OPEN])


def idea(trial: Trial) -> tuple[str, ...]:
    """What was done, wherever it was done: the same at another node is the same idea."""
    candidate = trial.node.candidate
    assert candidate is not None
    return (*candidate.origin.actions, candidate.origin.rationale)
