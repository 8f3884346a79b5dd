"""A search replayed on a table: the real strategies, with an executor that draws rewards from stored samples.

The texts of versions are their ids, so that hundreds of searches take seconds. A version is paired with its parent as
in the product: one pair is the difference of two stored log ratios against the original, drawn with replacement, which
is a little noisier than a real pair. What is asked for beyond the table is never proposed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache

from maxcode_lsp.benchmarks.search.episode import Episode, Step
from maxcode_lsp.benchmarks.search.methods import Method
from maxcode_lsp.benchmarks.search.steps import step_of
from maxcode_lsp.benchmarks.table.table import SCALE, Child, ProgramTable, Version
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.statistics import PairedTest, interval
from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.policy.rewrites.learning import learned
from maxcode_lsp.policy.sampled import SampledPolicy
from maxcode_lsp.records import (
    Candidate,
    Critique,
    Environment,
    Evaluation,
    Feedback,
    Finding,
    Measurement,
    Metric,
    Origin,
    Outcome,
    Overhead,
    Span,
    Verdict,
    candidate_id,
)
from maxcode_lsp.search import SEARCHES, Budget, Node, Trial, Trials, Watcher
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, Limits
from maxcode_lsp.text.source import SourceText

TEST = PairedTest(tell_slower=False)
FAR_S = 1e9


def text_of(version: str) -> bytes:
    """The text that stands for a version."""
    return f"version {version}\n".encode()


class Replayed:
    """A table made ready: lookups that all searches share."""

    def __init__(self, table: ProgramTable) -> None:
        self.table = table
        self.by_id = {version.id: version for version in table.versions}
        self.by_candidate = {candidate_id(text_of(key)): version for key, version in self.by_id.items()}
        self.by_text = {text_of(key): version for key, version in self.by_id.items()}
        self.values = table.values()
        job = EvaluationJob((), "program", "g++", table.flags, (), None, OutputPolicy(), Limits(), {})
        environment = Environment(table.machine, table.compiler, table.flags, "table", "0")
        self.base = Baseline(table.program, job, table.run_ns, True, environment)
        self.source = SourceText(text_of(""))

    def judged_as(self, version: Version) -> Version:
        """What a version is as machine code: itself, or its twin."""
        return self.by_id.get(version.twin, version) if version.twin is not None else version


class Still:
    """A clock that goes on only by what evaluations cost."""

    def __init__(self) -> None:
        self.at_s = 0.0

    def now_s(self) -> float:
        """See :class:`~maxcode_lsp.clock.Clock`."""
        return self.at_s


class TableExecutor:
    """Draws what it says from the samples of a table."""

    def __init__(self, replayed: Replayed, seed: int, clock: Still) -> None:
        self._replayed = replayed
        self._random = random.Random(seed)  # noqa: S311 - draws samples
        self._clock = clock
        self._built = {""}
        """Machine code that this search has seen."""

    async def prepare(self, job: EvaluationJob) -> Baseline:  # noqa: ARG002 - there is one table
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        return self._replayed.base

    async def evaluate(
        self,
        base: Baseline,  # noqa: ARG002 - there is one table
        candidate: Candidate,
        against: Candidate | None = None,
        test: PairedTest | None = None,
    ) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        version = self._replayed.by_candidate[candidate.id]
        self._clock.at_s += version.cost_s
        code = self._replayed.judged_as(version)
        outcome = code.outcome
        if code.id in self._built and outcome is Outcome.CORRECT:
            outcome = Outcome.IDENTICAL
        self._built.add(code.id)
        if outcome is not Outcome.CORRECT:
            return Evaluation(candidate.id, outcome, Feedback(outcome.value), elapsed_s=version.cost_s)
        parent = None
        if against is not None:
            parent = self._replayed.judged_as(self._replayed.by_candidate[against.id])
        taken = self._paired(code, parent, test or TEST)
        reference = against.id if against is not None else None
        return Evaluation(candidate.id, outcome, Feedback("judged"), taken, reference, elapsed_s=version.cost_s)

    def _paired(self, code: Version, parent: Version | None, test: PairedTest) -> Measurement:
        below = parent.ratios if parent is not None and parent.ratios else (0,)
        logs: list[float] = []
        verdict: Verdict | None = None
        while verdict is None:
            logs.append((self._random.choice(code.ratios) - self._random.choice(below)) / SCALE)
            verdict = test.decide(logs)
        bounds = interval(logs, 0.025, test.sd_floor)
        ci95 = (math.exp(bounds.low), math.exp(bounds.high))
        return Measurement(Metric.CPU, (), (), math.exp(bounds.mean), ci95, verdict)

    async def compare(self, base: Baseline, candidate: Candidate, against: Candidate, test: PairedTest) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        return await self.evaluate(base, candidate, against, test)

    async def confirm(self, base: Baseline, candidate: Candidate) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        return await self.evaluate(base, candidate)

    async def meter(
        self,
        base: Baseline,  # noqa: ARG002 - there is one table
        candidate: Candidate | None,
    ) -> Overhead | None:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        version = self._replayed.by_candidate[candidate.id] if candidate is not None else self._replayed.by_id[""]
        return self._replayed.judged_as(version).overhead

    async def close(self) -> None:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""


class TablePolicy:
    """Proposes what the table follows at a version, as the rules do."""

    name = "rewrites"
    again = False

    def __init__(self, replayed: Replayed) -> None:
        self._replayed = replayed

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """See :class:`~maxcode_lsp.policy.policy.Policy`."""
        version = self._replayed.judged_as(self._replayed.by_text[observation.text])
        seen = observation.critique
        ranking = 2 if seen.findings else 1 if seen.hot_lines else 0
        fresh = [p for p in _proposals(version.children, ranking) if candidate_id(p.text) not in observation.tried]
        return learned(fresh, observation.experience)[:count]


@lru_cache(maxsize=4096)
def _proposals(children: tuple[Child, ...], ranking: int) -> tuple[Proposal, ...]:
    made = [
        Proposal(
            text_of(child.node),
            Origin("rewrites", child.actions, child.rationale, child.kinds if ranking == 2 else ()),
            child.priorities[ranking],
        )
        for child in children
    ]
    return tuple(sorted(made, key=lambda proposal: -proposal.priority))


async def replay(replayed: Replayed, method: Method, seed: int, budget: int) -> Episode:
    """One search of a method."""
    clock = Still()
    limits = Budget(clock, budget, FAR_S, patience=budget + 1)
    steps: list[Step] = []

    def tried(trial: Trial) -> None:
        best = trials.best.candidate
        steps.append(step_of(trial, replayed.values[""] if best is None else _value(best), clock.at_s))

    def _value(candidate: Candidate) -> float:
        return replayed.values[replayed.by_candidate[candidate.id].id]

    async def critique(node: Node) -> Critique:
        version = replayed.by_text[node.text]
        return _critique(version.findings, version.hot)

    drawn = f"{replayed.table.program} {seed}"
    policy = SampledPolicy(TablePolicy(replayed), hash_of(f"{drawn} policy"))
    executor = TableExecutor(replayed, hash_of(f"{drawn} samples"), clock)
    watcher = Watcher(tried, critique)
    trials = Trials(replayed.base, replayed.source, executor, [policy], limits, watcher, method.plan(seed))
    stop = await SEARCHES[method.strategy]().run(trials)
    return Episode(
        program=replayed.table.program,
        method=method.name,
        seed=seed,
        budget=budget,
        steps=tuple(steps),
        stop=stop.value,
        seconds=clock.at_s,
    )


def hash_of(text: str) -> int:
    """A seed from words, the same in every process."""
    return int(candidate_id(text.encode()), 16)


@lru_cache(maxsize=4096)
def _critique(findings: tuple[tuple[str, float | None], ...], hot: bool) -> Critique:
    told = tuple(Finding(kind, kind, Span(1, 1), "", "", share) for kind, share in findings)
    return Critique(told, {1: 1.0} if hot else {})
