"""Trials: proposals become candidates, candidates are evaluated, the best is kept.

Shared by all strategies. A *node* is a version to go on from: the original or a candidate found
correct and faster.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec import Struct

from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.policy.policy import Experience, Observation, Policy, Proposal
from maxcode_lsp.records import Candidate, Change, Critique, Evaluation, Outcome, Overhead, Verdict, candidate_id
from maxcode_lsp.search.budget import Budget
from maxcode_lsp.search.observing import experience, observe
from maxcode_lsp.search.parts import MAXCODE, Parts
from maxcode_lsp.search.process.returns import GAMMA, next_best, to_relative
from maxcode_lsp.search.process.rewards import Scheme
from maxcode_lsp.search.process.rewards import reward as reward_of
from maxcode_lsp.search.reward import reward, speedup
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText
from maxcode_lsp.value.heuristic import Heuristic
from maxcode_lsp.value.value import ValueFunction


class Node(Struct, frozen=True):
    """A version of the target. ``candidate`` None: the original."""

    candidate: Candidate | None
    text: bytes
    speedup: float
    """Over the original, as estimated in the search."""
    parent: Node | None = None

    @property
    def id(self) -> str | None:
        return self.candidate.id if self.candidate else None

    @property
    def depth(self) -> int:
        return self.candidate.depth if self.candidate else 0


class Trial(Struct, frozen=True):
    """One evaluated candidate."""

    node: Node
    evaluation: Evaluation
    speedup: float | None
    """Over the original; None where not timed."""
    faster: bool
    """Than the version it was paired with."""
    best: bool
    """It became the best."""
    u: float
    """Best discounted reward as seen from the original, this candidate included."""


class Asked(Struct, frozen=True):
    """A policy was asked what to do at a node, and answered."""

    node: Node
    observation: Observation
    best: Node
    u: float
    policy: str
    proposals: tuple[str, ...]
    """Candidate ids, best first."""
    elapsed_s: float


class Watcher(Struct, frozen=True):
    """Who is told and asked during a search."""

    on_trial: Callable[[Trial], None]
    critique: Callable[[Node], Awaitable[Critique]]
    on_asked: Callable[[Asked], float] = lambda asked: asked.elapsed_s
    """Returns the seconds that count for the answer: those of the journal, where the run goes on."""
    on_went_on: Callable[[Node, str], None] = lambda _, why: None  # noqa: ARG005 - a default that does nothing
    """The search goes on from this node, and why, in words."""
    opinion: Callable[[Node, Critique], Awaitable[Critique]] | None = None
    """A critique of a node with what a model adds, which takes its time; None: no model criticises."""


class Plan(Struct, frozen=True, kw_only=True):
    """How a strategy is to search."""

    parts: Parts = MAXCODE
    width: int = 8
    """Candidates of one round, and versions that a beam keeps. Ours: the papers' values are not known."""
    by_memory: bool = False
    """``effi-learner`` accepts by its source's memory–time rule, not by run time."""
    scheme: Scheme = Scheme.SPEEDUP
    gamma: float = GAMMA
    seed: int = 0
    """Of the strategy's own choices."""
    values: ValueFunction = Heuristic()


class Trials:
    """Everything tried on one target."""

    def __init__(
        self,
        base: Baseline,
        source: SourceText,
        executor: Executor,
        policies: Sequence[Policy],
        budget: Budget,
        watcher: Watcher,
        plan: Plan = Plan(),  # noqa: B008 - it is frozen
    ) -> None:
        self.root = Node(None, source.data, 1.0)
        self.best = self.root
        self.u = reward_of(plan.scheme, True, 1.0)
        """Best discounted reward so far, as seen from the original: max γ^depth · r. The original's is in hand."""
        self.policies = tuple(policies)
        self.asks_models = any(policy.again for policy in policies)
        self.budget = budget
        self.watcher = watcher
        self.plan = plan
        self.parts = plan.parts
        self.random = random.Random(plan.seed)  # noqa: S311 - a search is no secret
        self.unit = base.job.unit
        """Path of the file that candidates change."""
        self.flags = base.job.flags
        self.seen: set[str] = {candidate_id(source.data)}
        self.history: list[Trial] = []
        self.experience: list[Experience] = []
        self._base = base
        self._source = source
        self._executor = executor
        self._overheads: dict[str | None, Overhead | None] = {}

    def u_at(self, node: Node) -> float:
        """Best discounted reward so far as seen from a node: u of the decision process."""
        return to_relative(self.u, node.depth, self.plan.gamma)

    def worth(self, speedup: float) -> float:
        """The reward of a correct version with this speedup; 0: of one that is not correct."""
        return reward_of(self.plan.scheme, speedup > 0, speedup or None)

    def observe(self, node: Node, critique: Critique) -> Observation:
        """What a policy sees at a node."""
        return observe(self, node, critique, self._overheads.get(node.id))

    async def propose(self, policy: Policy, node: Node, observation: Observation, count: int) -> Sequence[Proposal]:
        """What a policy proposes at a node, at most ``count``; the watcher is told."""
        best, u, started_s = self.best, self.u, time.monotonic()
        proposals = await policy.propose(observation, count)
        took_s = self.watcher.on_asked(
            Asked(
                node=node,
                observation=observation,
                best=best,
                u=u,
                policy=policy.name,
                proposals=tuple(candidate_id(proposal.text) for proposal in proposals),
                elapsed_s=time.monotonic() - started_s,
            )
        )
        return [msgspec.structs.replace(one, cost_s=took_s) for one in proposals] if policy.again else proposals

    def fresh(self, proposal: Proposal) -> bool:
        """Whether the proposed text has not been seen."""
        return candidate_id(proposal.text) not in self.seen

    def admit(self, proposal: Proposal, parent: Node) -> Candidate:
        """The proposal as a candidate; takes one from the budget."""
        self.seen.add(candidate_id(proposal.text))
        self.budget.take()
        return self.candidate(proposal, parent)

    def candidate(self, proposal: Proposal, parent: Node) -> Candidate:
        """The proposal as a change to the original."""
        hunks = diff(self.root.text, proposal.text)
        change = Change(self.unit, self._source.sha256, hunks)
        return Candidate(candidate_id(proposal.text), change, parent.id, parent.depth + 1, proposal.origin)

    async def meter(self, node: Node) -> Overhead | None:
        """What a run of a node costs, metered once; None: it could not be."""
        if node.id not in self._overheads:
            self._overheads[node.id] = await self._executor.meter(self._base, node.candidate)
        return self._overheads[node.id]

    async def evaluate(self, candidate: Candidate, text: bytes, parent: Node) -> Trial:
        """Evaluate against ``parent`` and keep the books."""
        evaluation = await self._executor.evaluate(self._base, candidate, parent.candidate)
        total = speedup(evaluation, parent.speedup)
        faster = (
            evaluation.outcome is Outcome.CORRECT
            and evaluation.measurement is not None
            and evaluation.measurement.verdict is Verdict.FASTER
        )
        node = Node(candidate, text, total if total is not None else parent.speedup, parent)
        best = faster and node.speedup > self.best.speedup
        if best:
            self.best = node
        r = reward(evaluation, parent.speedup, self.plan.scheme)
        self.u = next_best(self.u, r, parent.depth, self.plan.gamma)
        self.budget.saw(self.best.speedup, gained=best)
        trial = Trial(node, evaluation, total, faster, best, self.u)
        self.history.append(trial)
        self.experience.append(experience(trial))
        self.watcher.on_trial(trial)
        return trial


async def first_critique(trials: Trials, node: Node | None = None) -> Critique:
    """The critique of a node, as far as the time allows; None: of the original."""
    try:
        async with asyncio.timeout(trials.budget.left_s):
            return await trials.watcher.critique(node or trials.root)
    except TimeoutError:
        return Critique()


def carry(critique: Critique, old: bytes, new: bytes) -> Critique:
    """A critique of ``old`` as far as it holds for ``new``: hot lines move with lines that are equal."""
    moved: dict[int, float] = {}
    changes = [
        (old.count(b"\n", 0, h.start) + 1, old.count(b"\n", 0, h.end) + 1, h.replacement.count(b"\n"))
        for h in diff(old, new)
    ]
    for line, share in critique.hot_lines.items():
        if not any(first <= line < last for first, last, _ in changes):
            shift = sum(added - (last - first) for first, last, added in changes if last <= line)
            moved[line + shift] = share
    return msgspec.structs.replace(critique, hot_lines=moved)
