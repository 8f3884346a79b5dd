"""What strategies that work in rounds have in common: places are dealt out, overlap, and are never too many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.policy.policy import Observation, Policy, Proposal
from maxcode_lsp.records import Candidate, Critique, Evaluation, Finding, Origin, Outcome, Overhead, Span
from maxcode_lsp.search import SEARCHES, Budget, Node, Parts, Plan, Stop, Trial, Trials, Watcher
from maxcode_lsp.testing.fakes import FakeClock, FakeExecutor, FakePolicy, fake_job
from maxcode_lsp.text.source import SourceText

IN_ROUNDS = ("effi-learner", "cuda-llm", "beam", "annealing")
LETTERS = "abcdefgh"
TEXT = "".join(f"{letter} {letter}\n" for letter in LETTERS).encode()
GAINS = {"a": 20, "b": 15, "c": 10, "d": 0, "e": -10, "f": 5, "g": 0, "h": 0}
REPLACEMENTS = {letter: (f"{letter} {letter}".encode(), letter.upper().encode()) for letter in LETTERS}
ALL_GAINED = 100 / (100 - 20 - 15 - 10 - 5)


def time_ns(text: bytes) -> int:
    return 1000 - 10 * sum(gain * text.count(letter.upper().encode()) for letter, gain in GAINS.items())


class Counting(FakeExecutor):
    """Takes its time, and counts how many are judged at once."""

    def __init__(self, outcome: Callable[[bytes], Outcome] = lambda _: Outcome.CORRECT) -> None:
        super().__init__(time_ns, outcome)
        self.now = self.most = 0
        self.metered: list[str | None] = []

    async def evaluate(
        self, base: Baseline, candidate: Candidate, against: Candidate | None = None, test: PairedTest | None = None
    ) -> Evaluation:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(20):
            await asyncio.sleep(0)
        self.now -= 1
        return await super().evaluate(base, candidate, against, test)

    async def meter(self, base: Baseline, candidate: Candidate | None) -> Overhead | None:
        self.metered.append(candidate.id if candidate is not None else None)
        return await super().meter(base, candidate)


class Muse:
    """A model: one idea for each question, always another one, counted."""

    name = "muse"
    again = True

    def __init__(self, ideas: str = LETTERS, turns: int = 5) -> None:
        self.ideas = ideas
        self.turns = turns
        self.asked = self.now = self.most = 0
        self.seen: list[Observation] = []

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        assert count == 1
        self.seen.append(observation)
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(self.turns):
            await asyncio.sleep(0)
        self.now -= 1
        letter = self.ideas[self.asked % len(self.ideas)] if self.ideas else ""
        self.asked += 1
        old, new = REPLACEMENTS.get(letter, (b"", b""))
        text = observation.text.replace(old, new) if letter else observation.text
        return [Proposal(text, Origin(self.name, (letter,), letter))] if text != observation.text else []


class Scene:
    """One search, and what was told on the way."""

    def __init__(
        self,
        name: str,
        policies: Sequence[Policy] = (),
        *,
        candidates: int = 40,
        plan: Plan | None = None,
        executor: Counting | None = None,
        critique: Critique | None = None,
    ) -> None:
        self.name = name
        self.seen: list[Trial] = []
        self.went_on: list[tuple[str | None, str]] = []
        self.critiqued: list[str | None] = []
        self.executor = executor or Counting()
        self._policies = policies or [FakePolicy(REPLACEMENTS)]
        self._budget = Budget(FakeClock(), candidates, 100.0, patience=candidates + 1)
        self._plan = plan or Plan()
        self._critique = critique or Critique()

    async def run(self) -> tuple[Stop, Trials]:
        base = await self.executor.prepare(fake_job(TEXT))

        async def critique(node: Node) -> Critique:
            self.critiqued.append(node.id)
            return self._critique

        def went_on(node: Node, why: str) -> None:
            self.went_on.append((node.id, why))

        watcher = Watcher(self.seen.append, critique, on_went_on=went_on)
        trials = Trials(base, SourceText(TEXT), self.executor, self._policies, self._budget, watcher, self._plan)
        return await SEARCHES[self.name]().run(trials), trials


@pytest.mark.parametrize("name", IN_ROUNDS)
@pytest.mark.parametrize("parts", [Parts(), None], ids=["maxcode", "plain"])
async def test_gains_add_up(name: str, parts: Parts | None) -> None:
    scene = Scene(name, plan=Plan(parts=parts or SEARCHES[name].plain, width=3), candidates=60)
    _, trials = await scene.run()
    assert trials.best.speedup == pytest.approx(ALL_GAINED, rel=0.12)
    assert trials.best.depth >= 3
    assert len({trial.node.id for trial in scene.seen}) == len(scene.seen)


@pytest.mark.parametrize("name", IN_ROUNDS)
async def test_nothing_is_asked_beyond_the_budget(name: str) -> None:
    one, other = Muse(), Muse("hgfedcba")
    scene = Scene(name, [one, other], candidates=7)
    stop, trials = await scene.run()
    assert stop is Stop.BUDGET
    assert trials.budget.used == len(scene.seen) == 7
    assert max(one.most, other.most) == 1, "one question at a time"
    repeated = one.asked + other.asked - 7
    assert 0 <= repeated <= 7, "only for ideas that were known already it is asked again"


async def test_questions_builds_and_measurements_overlap() -> None:
    muses = [Muse(LETTERS[at:] + LETTERS[:at], turns=30) for at in range(3)]
    scene = Scene("cuda-llm", muses, candidates=16)
    await scene.run()
    assert 2 <= scene.executor.most <= 4


@pytest.mark.parametrize("name", IN_ROUNDS)
async def test_a_model_with_nothing_to_say_ends_it(name: str) -> None:
    stop, trials = await Scene(name, [Muse("")]).run()
    assert (stop, trials.budget.used) == (Stop.EXHAUSTED, 0)


@pytest.mark.parametrize("name", IN_ROUNDS)
async def test_while_nothing_is_right_the_same_version_is_asked_about(name: str) -> None:
    def outcome(text: bytes) -> Outcome:
        return Outcome.CORRECT if text == TEXT or b"A" in text else Outcome.WRONG_OUTPUT

    muse = Muse("hgfedcba", turns=0)
    scene = Scene(name, [muse], executor=Counting(outcome), candidates=9, plan=Plan(width=2))
    _, trials = await scene.run()
    assert {shown.text for shown in muse.seen[:8]} == {TEXT}
    assert trials.best.text.count(b"A") == 1
    late = muse.seen[7].attempts
    assert late and all(attempt.outcome is Outcome.WRONG_OUTPUT for attempt in late), "errors are shown"


async def test_the_plain_one_goes_on_from_the_fastest_of_the_round_even_where_it_is_slower() -> None:
    """As its source does; with MaxCode's parts nothing is lost."""
    only = {"e": REPLACEMENTS["e"], "d": REPLACEMENTS["d"]}
    plain = Scene("cuda-llm", [FakePolicy(only)], plan=Plan(parts=SEARCHES["cuda-llm"].plain, width=2))
    await plain.run()
    # What it goes on from next is what of the first round was fastest: no faster than the original.
    second = plain.went_on[1][0]
    assert second is not None
    whole = Scene("cuda-llm", [FakePolicy(only)], plan=Plan(width=2))
    await whole.run()
    assert all(at is None for at, _ in whole.went_on)


async def test_it_says_why_it_goes_on() -> None:
    scene = Scene("beam", plan=Plan(width=4))
    await scene.run()
    assert scene.went_on[0][0] is None
    assert all(why.endswith(".") and "×" in why for _, why in scene.went_on)
    assert any("is to be expected from it" in why for _, why in scene.went_on)


@pytest.mark.parametrize("name", IN_ROUNDS)
async def test_only_what_is_shown_is_criticised(name: str) -> None:
    whole = Scene(name, plan=Plan(width=2))
    await whole.run()
    assert len(whole.critiqued) > 1 and whole.critiqued[0] is None
    bare = Parts(critique=False, profile=False)
    plain = Scene(name, plan=Plan(parts=bare, width=2))
    await plain.run()
    assert plain.critiqued == [None], "the original always is: the user sees it"


async def test_effi_learner_accepts_by_memory_as_its_source() -> None:
    scene = Scene("effi-learner", plan=Plan(parts=SEARCHES["effi-learner"].plain, by_memory=True))
    _, trials = await scene.run()
    assert None in scene.executor.metered and len(scene.executor.metered) > 4
    assert trials.best.speedup == pytest.approx(ALL_GAINED, rel=0.12)


async def test_models_are_shown_what_a_run_costs() -> None:
    muse = Muse(turns=0)
    await Scene("effi-learner", [muse], candidates=3).run()
    assert muse.seen[0].overhead is not None
    hidden = Muse(turns=0)
    await Scene("effi-learner", [hidden], candidates=3, plan=Plan(parts=Parts(profile=False))).run()
    assert hidden.seen[0].overhead is None


async def test_from_the_original_only() -> None:
    scene = Scene("beam", plan=Plan(parts=Parts(code=False), width=3))
    _, trials = await scene.run()
    assert {trial.node.depth for trial in scene.seen} == {1}
    assert trials.best.speedup == pytest.approx(100 / 80)


async def test_a_critique_is_carried_where_there_is_no_fresh_one() -> None:
    found = Critique((Finding("hot-lines:1", "hot-lines", Span(1, 1), "Here.", "perf", 0.9),), {1: 0.5, 8: 0.4})
    muse = Muse("abcdefgh", turns=0)
    scene = Scene("beam", [muse], plan=Plan(width=4), critique=found, candidates=12)
    await scene.run()
    assert all(shown.critique.findings for shown in muse.seen)


@pytest.mark.parametrize("name", IN_ROUNDS)
async def test_cancelled_it_leaves_nothing_running(name: str) -> None:
    muse = Muse(turns=10_000)
    work = asyncio.ensure_future(Scene(name, [muse]).run())
    for _ in range(50):
        await asyncio.sleep(0)
    assert muse.now == 1
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert all(task.done() for task in others)
