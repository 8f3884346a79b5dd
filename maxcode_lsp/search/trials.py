"""Trials: proposals become candidates, candidates are evaluated, the best is kept.

Shared by all strategies. A *node* is a version to go on from: the original or a candidate found
correct and faster.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec import Struct

from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.policy.policy import Attempt, Observation, Policy, Proposal
from maxcode_lsp.records import Candidate, Change, Critique, Evaluation, Outcome, Verdict, candidate_id
from maxcode_lsp.search.budget import Budget
from maxcode_lsp.search.reward import best_so_far, speedup
from maxcode_lsp.text.edits import diff, unified
from maxcode_lsp.text.source import SourceText

ATTEMPTS_HERE = 8
"""Ours: of those made from a version, so many are shown to a policy."""
ATTEMPTS_ELSEWHERE = 4
"""Ours: of the faster ones made from other versions."""
DIFF_CHARS = 4000
FEEDBACK_CHARS = 800


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
    """Best discounted reward, this candidate included."""


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
    on_asked: Callable[[Asked], None] = lambda _: None
    on_went_on: Callable[[Node], None] = lambda _: None
    """The search goes on from this node."""
    opinion: Callable[[Node, Critique], Awaitable[Critique]] | None = None
    """A critique of a node with what a model adds, which takes its time; None: no model criticises."""


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
    ) -> None:
        self.root = Node(None, source.data, 1.0)
        self.best = self.root
        self.u = 1.0
        """Best discounted reward so far."""
        self.policies = tuple(policies)
        self.budget = budget
        self.watcher = watcher
        self._base = base
        self._source = source
        self._executor = executor
        self._path = base.job.unit
        self.seen: set[str] = {candidate_id(source.data)}
        self._history: list[Trial] = []

    def observe(self, node: Node, critique: Critique) -> Observation:
        """What a policy sees at a node."""
        # What a rule tried in vain tells a model nothing, and its change would fill the prompt.
        models = {policy.name for policy in self.policies if policy.again}
        here = [t for t in self._history if t.node.parent is node and (t.faster or _policy(t) in models)]
        elsewhere = [t for t in self._history if t.faster and t.node.parent is not node and t.node is not node]
        shown = {id(trial) for trial in (*elsewhere[-ATTEMPTS_ELSEWHERE:], *here[-ATTEMPTS_HERE:])}
        return Observation(
            text=node.text,
            flags=self._base.job.flags,
            critique=critique,
            tried=frozenset(self.seen),
            original=self.root.text,
            speedup=node.speedup,
            best=self.best.text,
            best_speedup=self.best.speedup,
            u=self.u,
            attempts=tuple(self._attempt(trial) for trial in self._history if id(trial) in shown),
        )

    def _attempt(self, trial: Trial) -> Attempt:
        candidate, parent, said = trial.node.candidate, trial.node.parent, trial.evaluation.feedback
        assert candidate is not None
        assert parent is not None
        taken = trial.evaluation.measurement
        return Attempt(
            actions=candidate.origin.actions,
            rationale=candidate.origin.rationale,
            diff=unified(parent.text, trial.node.text, self._path)[:DIFF_CHARS],
            outcome=trial.evaluation.outcome,
            verdict=taken.verdict if taken is not None else None,
            speedup=trial.speedup,
            feedback=f"{said.message}\n{said.detail}".strip()[:FEEDBACK_CHARS],
        )

    async def propose(self, policy: Policy, node: Node, observation: Observation, count: int) -> Sequence[Proposal]:
        """What a policy proposes at a node, at most ``count``; the watcher is told."""
        best, u, started_s = self.best, self.u, time.monotonic()
        proposals = await policy.propose(observation, count)
        self.watcher.on_asked(
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
        return proposals

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
        change = Change(self._path, self._source.sha256, hunks)
        return Candidate(candidate_id(proposal.text), change, parent.id, parent.depth + 1, proposal.origin)

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
            self.u = best_so_far(self.u, node.speedup)
        self.budget.saw(self.best.speedup, gained=best)
        trial = Trial(node, evaluation, total, faster, best, self.u)
        self._history.append(trial)
        self.watcher.on_trial(trial)
        return trial


def _policy(trial: Trial) -> str:
    candidate = trial.node.candidate
    return candidate.origin.policy if candidate is not None else ""


async def first_critique(trials: Trials) -> Critique:
    """The critique of the original, as far as the time allows."""
    try:
        async with asyncio.timeout(trials.budget.left_s):
            return await trials.watcher.critique(trials.root)
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
