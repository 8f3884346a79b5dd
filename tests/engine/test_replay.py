"""A search that is cut anywhere and led along its journal goes the same way, and judges nothing twice."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.clock import Stopwatch
from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Event, Observed
from maxcode_lsp.engine.journal.records import Line
from maxcode_lsp.engine.replay import Replay, ReplayedExecutor, ReplayedPolicy
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.policy.policy import Observation, Policy, Proposal
from maxcode_lsp.records import Candidate, Critique, Evaluation
from maxcode_lsp.search import SEARCHES, Asked, Budget, Node, Trial, Trials, Watcher
from maxcode_lsp.testing.fakes import FakeClock, FakeExecutor, FakePolicy, fake_job
from maxcode_lsp.text.source import SourceText

TEXT = b"a a\nb b\nc c\nd d\ne e\nf f\n"
GAINS = {"a": 30, "b": 20, "c": -10, "d": 0, "e": 10, "f": 5}
REPLACEMENTS = {name: (f"{name} {name}".encode(), name.upper().encode()) for name in GAINS}


def time_ns(text: bytes) -> int:
    return 100 - sum(gain * text.count(name.upper().encode()) for name, gain in GAINS.items())


class Slow(FakeExecutor):
    """Judges in any order, as machines do."""

    def __init__(self, seed: int) -> None:
        self.judged: list[str] = []
        super().__init__(time_ns, on_evaluate=lambda candidate: self.judged.append(candidate.id))
        self._draw = random.Random(seed)

    async def evaluate(
        self, base: Baseline, candidate: Candidate, against: Candidate | None = None, test: PairedTest | None = None
    ) -> Evaluation:
        for _ in range(self._draw.randrange(40)):
            await asyncio.sleep(0)
        return await super().evaluate(base, candidate, against, test)


class Late(FakePolicy):
    """Answers after any time."""

    def __init__(self, names: str, name: str, seed: int) -> None:
        super().__init__({each: REPLACEMENTS[each] for each in names}, name)
        self._draw = random.Random(seed)

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        for _ in range(self._draw.randrange(400)):
            await asyncio.sleep(0)
        return await super().propose(observation, count)


class Cut(Exception):
    """The process dies here."""


class Journal:
    """Keeps what a run would write, and dies where it is told to."""

    def __init__(self, lines: Sequence[Line] = (), cut_at: int | None = None) -> None:
        self.before = list(lines)
        self.lines = list(lines)
        self.events: list[Event] = []
        self.left: list[int] = []
        self.replay = Replay(lines, on_over=self.left.append)
        self._cut_at = cut_at

    def happened(self, event: Event) -> Event:
        known = self.replay.told(event)
        if known is None:
            if self._cut_at is not None and len(self.lines) >= self._cut_at:
                raise Cut
            assert isinstance(event, Evaluated | Observed | Critiqued | Decided)
            self.lines.append(Line(float(len(self.lines)), event))
        self.events.append(known or event)
        return known or event


async def search(journal: Journal, strategy: str, seed: int, budget: int) -> tuple[Trials, Slow]:
    executor = Slow(seed)
    base = await executor.prepare(fake_job(TEXT))
    policies: list[Policy] = [Late("abc", "rules", seed + 1), Late("def", "tidy", seed + 2)]

    async def critique(node: Node) -> Critique:
        found = await journal.replay.critique(node.id) or Critique(notes=(str(seed),))
        journal.happened(Critiqued(node.id, found))
        return found

    def tried(trial: Trial) -> None:
        candidate = trial.node.candidate
        assert candidate is not None
        number = sum(isinstance(line.record, Evaluated) for line in journal.lines) + 1
        journal.happened(
            Evaluated(number, ("x",), "X.", candidate.depth, trial.evaluation, trial.speedup, trial.best, candidate)
        )

    def asked(said: Asked) -> float:
        sha256 = hashlib.sha256(said.observation.text).hexdigest()
        journal.happened(
            Observed(said.node.id, sha256, None, 1.0, 1.0, 0, (), said.policy, said.proposals, said.elapsed_s)
        )
        return said.elapsed_s

    def went_on(node: Node, why: str) -> None:
        journal.happened(Decided("went_on", node.id, why))

    trials = Trials(
        base,
        SourceText(TEXT),
        ReplayedExecutor(executor, journal.replay),
        [ReplayedPolicy(policy, journal.replay) for policy in policies],
        Budget(FakeClock(), budget, 1000.0),
        Watcher(tried, critique, asked, went_on),
    )
    try:
        await SEARCHES[strategy]().run(trials)
    finally:
        journal.replay.end()
        await journal.replay.close()
    return trials, executor


def evaluated(journal: Journal) -> list[Evaluated]:
    return [line.record for line in journal.lines if isinstance(line.record, Evaluated)]


@pytest.mark.parametrize("strategy", list(SEARCHES))
@settings(max_examples=60, deadline=None)
@given(seeds=st.lists(st.integers(0, 10_000), min_size=3, max_size=3), cuts=st.lists(st.integers(0, 40), max_size=2))
async def test_cut_anywhere(strategy: str, seeds: list[int], cuts: list[int]) -> None:
    lines: list[Line] = []
    judged: list[str] = []
    for seed, cut_at in zip(seeds, sorted(cuts), strict=False):
        journal = Journal(lines, cut_at)
        try:
            _, executor = await search(journal, strategy, seed, 14)
        except Cut:
            lines = journal.lines
        else:
            lines = journal.lines
    final = Journal(lines)
    trials, executor = await search(final, strategy, seeds[-1], 14)
    judged = [found.candidate.id for found in evaluated(final) if found.candidate is not None]
    known = {each.record.candidate.id for each in lines if isinstance(each.record, Evaluated) and each.record.candidate}
    assert len(judged) == len(set(judged)), "nothing is written twice"
    assert known.isdisjoint(executor.judged), "nothing is judged twice"
    assert [e for e in final.events if isinstance(e, Evaluated)] == evaluated(final), "the face hears all, in order"
    assert trials.budget.used <= 14
    assert final.left in ([0], []), "all that was recorded was asked for"
    assert trials.best.speedup == max([found.speedup or 1.0 for found in evaluated(final) if found.best], default=1.0)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), cut=st.integers(1, 30), drop=st.integers(0, 30))
async def test_an_order_that_does_not_fit_gives_way(seed: int, cut: int, drop: int) -> None:
    """A journal with a hole, in another order, never stops a search."""
    first = Journal()
    await search(first, "greedy", seed, 14)
    lines = [line for place, line in enumerate(first.lines[:cut]) if place != drop]
    random.Random(seed).shuffle(lines)
    final = Journal(lines)
    trials, _ = await asyncio.wait_for(search(final, "greedy", seed, 14), 20)
    assert trials.best.speedup > 1


async def test_time_stands_as_it_was_recorded() -> None:
    clock = FakeClock()
    watch = Stopwatch(clock)
    clock.advance(3.0)
    assert watch.now_s() == 3.0
    watch.hold(1.0)
    clock.advance(50.0)
    assert watch.now_s() == 1.0
    watch.go_on(9.0)
    clock.advance(2.0)
    assert watch.now_s() == 11.0
