"""Policies that are asked again and again, beside those that answer once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.policy.policy import Observation, Policy, Proposal
from maxcode_lsp.records import Candidate, Critique, Evaluation, Finding, Origin, Outcome, Span, Verdict
from maxcode_lsp.search import SEARCHES, Budget, Node, Stop, Trial, Trials, Watcher
from maxcode_lsp.testing.fakes import FakeClock, FakeExecutor, FakePolicy, fake_job
from maxcode_lsp.text.source import SourceText

TEXT = b"a a\nb b\nc c\nd d\n"
LANED = ("greedy", "best-of-n")
"""Strategies with lanes; those that work in rounds deal out places instead."""


class Muse:
    """Has one idea after the other, each from what it is shown; empty once it has no more."""

    name = "muse"
    again = True

    def __init__(self, ideas: Sequence[tuple[bytes, bytes]], turns: int = 0) -> None:
        """``turns`` of the event loop pass before it answers."""
        self._ideas = list(ideas)
        self._turns = turns
        self.seen: list[Observation] = []
        self.asking = 0

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        assert count == 1
        assert not self.asking, "one question at a time"
        self.seen.append(observation)
        self.asking += 1
        for _ in range(self._turns):
            await asyncio.sleep(0)
        self.asking -= 1
        if not self._ideas:
            return ()
        old, new = self._ideas.pop(0)
        return [Proposal(observation.text.replace(old, new), Origin(self.name, (new.decode(),), "An idea."))]


def costs(text: bytes) -> int:
    return 100 - 40 * text.count(b"A") - 20 * text.count(b"B") + 10 * text.count(b"C")


class SlowExecutor(FakeExecutor):
    """Takes its time, so that others can come in between."""

    async def evaluate(
        self, base: Baseline, candidate: Candidate, against: Candidate | None = None, test: PairedTest | None = None
    ) -> Evaluation:
        for _ in range(50):
            await asyncio.sleep(0)
        return await super().evaluate(base, candidate, against, test)


async def search(
    name: str,
    policies: list[Policy],
    *,
    candidates: int = 20,
    patience: int = 40,
    opinion: Critique | None = None,
    kind: type[FakeExecutor] = FakeExecutor,
) -> tuple[Stop, Trials, list[Trial]]:
    executor = kind(costs, lambda text: Outcome.COMPILE_ERROR if b"X" in text else Outcome.CORRECT)
    base = await executor.prepare(fake_job(TEXT))
    seen: list[Trial] = []

    async def critique(node: Node) -> Critique:
        return Critique()

    async def think(node: Node, known: Critique) -> Critique:
        for _ in range(20):
            await asyncio.sleep(0)
        assert opinion is not None
        return opinion

    watcher = Watcher(seen.append, critique, opinion=think if opinion is not None else None)
    budget = Budget(FakeClock(), candidates, 100.0, patience=patience)
    trials = Trials(base, SourceText(TEXT), executor, policies, budget, watcher)
    return await SEARCHES[name]().run(trials), trials, seen


@pytest.mark.parametrize("name", LANED)
async def test_it_is_asked_until_it_has_no_more_ideas(name: str) -> None:
    muse = Muse([(b"d d", b"X"), (b"c c", b"C"), (b"a a", b"A"), (b"b b", b"B")])
    stop, trials, seen = await search(name, [muse])
    assert stop is Stop.EXHAUSTED
    assert len(seen) == 4
    assert trials.best.speedup == pytest.approx(100 / 40 if name == "greedy" else 100 / 60)


async def test_it_learns_what_came_of_its_ideas() -> None:
    muse = Muse([(b"d d", b"X"), (b"c c", b"C"), (b"a a", b"A"), (b"b b", b"B")])
    _, trials, _ = await search("greedy", [muse])
    outcomes = [[attempt.outcome for attempt in shown.attempts] for shown in muse.seen]
    assert outcomes[:3] == [[], [Outcome.COMPILE_ERROR], [Outcome.COMPILE_ERROR, Outcome.CORRECT]]
    broken, slower = muse.seen[2].attempts
    assert "+X" in broken.diff
    assert (broken.verdict, broken.feedback) == (None, "compile_error")
    assert (slower.verdict, slower.speedup) == (Verdict.SLOWER, pytest.approx(100 / 110))
    # After a gain the version to go on from is another one, and the original is still shown.
    gone_on = muse.seen[3]
    assert gone_on.text == b"A\nb b\nc c\nd d\n"
    assert gone_on.original == TEXT
    assert gone_on.best == gone_on.text
    assert (gone_on.best_speedup, gone_on.speedup, gone_on.u) == (pytest.approx(100 / 60),) * 3
    assert gone_on.attempts == (), "nothing was made from it yet, and what failed elsewhere tells nothing here"
    assert trials.best.depth == 2


async def test_what_was_faster_elsewhere_is_shown_too() -> None:
    slow, quick = Muse([(b"b b", b"B"), (b"d d", b"X"), (b"d d", b"D")], turns=200), Muse([(b"a a", b"A")])
    await search("greedy", [slow, quick])
    late = slow.seen[1]
    # Its own idea was made from the original, and is not the best: it is still worth knowing.
    assert late.text == b"A\nb b\nc c\nd d\n"
    assert [attempt.actions for attempt in late.attempts] == [("B",)]


@pytest.mark.parametrize("name", LANED)
async def test_others_do_not_use_up_its_candidates(name: str) -> None:
    many = FakePolicy({str(i): (b"d d", b"D%d" % i) for i in range(50)})
    muse = Muse([(b"a a", b"A"), (b"b b", b"B")], turns=500)
    stop, trials, seen = await search(name, [many, muse], candidates=20)
    assert trials.best.text.startswith(b"A\nB" if name == "greedy" else b"A\nb b")
    assert stop is Stop.BUDGET
    assert len(seen) == 20, "what it did not use is free for others once it has no more ideas"


@pytest.mark.parametrize("name", LANED)
async def test_a_plateau_of_others_waits_for_it(name: str) -> None:
    many = FakePolicy({str(i): (b"d d", b"D%d" % i) for i in range(50)})
    stop, trials, seen = await search(name, [many, Muse([(b"a a", b"A")], turns=2000)], candidates=100, patience=10)
    assert trials.best.text.startswith(b"A")
    assert stop is Stop.PLATEAU
    assert len(seen) < 40


async def test_two_with_the_same_idea_both_go_on() -> None:
    one, other = Muse([(b"d d", b"D"), (b"a a", b"A")]), Muse([(b"d d", b"D"), (b"b b", b"B")])
    _, _, seen = await search("greedy", [one, other])
    assert {b"A\nb b\nc c\nd d\n", b"a a\nB\nc c\nd d\n"} <= {trial.node.text for trial in seen}
    assert [trial.node.text.count(b"D") for trial in seen].count(1) == 1


async def test_what_others_proposed_too_does_not_hold_it_up() -> None:
    muse = Muse([(b"d d", b"D"), (b"d d", b"D"), (b"a a", b"A")])
    _, trials, _ = await search("greedy", [FakePolicy({"d": (b"d d", b"D"), "x": (b"d d", b"X")}), muse])
    assert trials.best.text == b"A\nb b\nc c\nd d\n"


@pytest.mark.parametrize("name", LANED)
async def test_it_is_not_asked_again_before_its_idea_was_judged(name: str) -> None:
    """Another one has the same idea meanwhile."""
    one, other = Muse([(b"d d", b"D"), (b"a a", b"A")]), Muse([(b"d d", b"D")], turns=20)
    await search(name, [one, other], kind=SlowExecutor)
    assert [[attempt.actions for attempt in shown.attempts] for shown in one.seen][:2] == [[], [("D",)]]


@pytest.mark.parametrize("name", LANED)
async def test_what_a_model_thinks_is_shown_when_it_is_there(name: str) -> None:
    thought = Critique((Finding("model-opinion:1", "model-opinion", Span(1, 1), "So it is.", "a model"),))
    muse = Muse([(b"d d", b"X"), (b"d d", b"D"), (b"c c", b"C"), (b"a a", b"A")], turns=15)
    await search(name, [muse], opinion=thought)
    assert muse.seen[0].critique == Critique(), "nobody waits for it"
    assert muse.seen[-1].critique == thought


async def test_a_new_thought_gives_new_hope() -> None:
    thought = Critique((Finding("model-opinion:1", "model-opinion", Span(1, 1), "So it is.", "a model"),))

    class Doubtful(Muse):
        async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
            self.seen.append(observation)
            return await super().propose(observation, count) if observation.critique.findings else ()

    _, trials, _ = await search("greedy", [Doubtful([(b"a a", b"A")])], opinion=thought)
    assert trials.best.text.startswith(b"A")


async def test_what_rules_tried_in_vain_is_not_shown_to_it() -> None:
    muse = Muse([(b"d d", b"X"), (b"a a", b"A")], turns=300)
    await search("best-of-n", [FakePolicy({"c": (b"c c", b"C"), "b": (b"b b", b"B")}), muse])
    assert [attempt.actions for attempt in muse.seen[-1].attempts] == [("b",), ("X",), ("A",)]
