"""Both strategies on an executor that knows the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from maxcode_lsp.policy.policy import Observation, Policy, Proposal
from maxcode_lsp.records import Candidate, Critique, Outcome
from maxcode_lsp.search import SEARCHES, Budget, Node, Search, Stop, Trial, Trials, Watcher
from maxcode_lsp.testing.fakes import FakeClock, FakeExecutor, FakePolicy, FakeSearch, fake_job
from maxcode_lsp.text.source import SourceText

TEXT = b"a a\nb b\nc c\nd d\n"
REPLACEMENTS = {"a": (b"a a", b"A"), "b": (b"b b", b"B"), "c": (b"c c", b"C"), "d": (b"d d", b"D")}


def additive(text: bytes) -> int:
    """A saves 40, B 20; C costs 10; D changes nothing."""
    return 100 - 40 * text.count(b"A") - 20 * text.count(b"B") + 10 * text.count(b"C")


async def search(
    name: str,
    *,
    policies: list[Policy] | None = None,
    candidates: int = 50,
    time_ns: Callable[[bytes], int] = additive,
    outcome: Callable[[bytes], Outcome] = lambda text: Outcome.CORRECT,
    goal: float | None = None,
    clock: FakeClock | None = None,
    on_evaluate: Callable[[Candidate], None] = lambda candidate: None,
    patience: int = 40,
) -> tuple[Stop, Trials, list[Trial]]:
    executor = FakeExecutor(time_ns, outcome, on_evaluate=on_evaluate)
    base = await executor.prepare(fake_job(TEXT))
    seen: list[Trial] = []

    async def critique(node: Node) -> Critique:
        return Critique()

    budget = Budget(clock or FakeClock(), candidates, 100.0, goal, patience)
    chosen = policies if policies is not None else [FakePolicy(REPLACEMENTS)]
    trials = Trials(base, SourceText(TEXT), executor, chosen, budget, Watcher(seen.append, critique))
    return await STRATEGIES[name]().run(trials), trials, seen


async def test_greedy_adds_up_what_pays() -> None:
    stop, trials, seen = await search("greedy")
    assert trials.best.text == b"A\nB\nc c\nd d\n"
    assert trials.best.speedup == pytest.approx(100 / 40)
    assert trials.best.depth == 2
    assert trials.u == pytest.approx(2.5)
    assert stop is Stop.EXHAUSTED
    assert len({t.node.id for t in seen}) == len(seen)


async def test_best_of_n_takes_one_step() -> None:
    stop, trials, seen = await search("best-of-n")
    assert trials.best.text == b"A\nb b\nc c\nd d\n"
    assert len(seen) == 4
    assert stop is Stop.EXHAUSTED


STRATEGIES: dict[str, type[Search]] = {**SEARCHES, "fake": FakeSearch}
"""What every strategy keeps is checked for all of them, the shipped fake included."""


@pytest.mark.parametrize("name", list(STRATEGIES))
async def test_the_budget_is_never_exceeded(name: str) -> None:
    stop, _, seen = await search(name, candidates=3)
    assert len(seen) == 3
    assert stop is Stop.BUDGET


@pytest.mark.parametrize("name", list(STRATEGIES))
async def test_wrong_candidates_never_win(name: str) -> None:
    _, trials, _ = await search(name, outcome=lambda text: Outcome.WRONG_OUTPUT if b"A" in text else Outcome.CORRECT)
    assert b"A" not in trials.best.text
    assert b"B" in trials.best.text


@pytest.mark.parametrize("name", list(STRATEGIES))
async def test_nothing_faster_leaves_the_original(name: str) -> None:
    _, trials, _ = await search(name, time_ns=lambda text: 100)
    assert trials.best is trials.root
    assert trials.u == 1.0


@pytest.mark.parametrize("name", list(STRATEGIES))
async def test_no_ideas(name: str) -> None:
    stop, trials, seen = await search(name, policies=[FakePolicy({})])
    assert (stop, seen) == (Stop.EXHAUSTED, [])
    assert trials.best is trials.root


async def test_the_goal_ends_it() -> None:
    stop, trials, _ = await search("greedy", goal=1.5)
    assert stop is Stop.GOAL
    assert trials.best.speedup >= 1.5


@pytest.mark.parametrize("name", list(STRATEGIES))
async def test_time_ends_it(name: str) -> None:
    clock = FakeClock()
    stop, _, seen = await search(name, clock=clock, on_evaluate=lambda candidate: clock.advance(60.0))
    assert stop is Stop.TIME
    assert len(seen) <= 4


async def test_a_plateau_ends_it() -> None:
    many = {str(i): (b"d d", b"D%d" % i) for i in range(30)}
    stop, _, seen = await search("greedy", policies=[FakePolicy(many)], patience=10)
    assert stop is Stop.PLATEAU
    assert 10 <= len(seen) < 30


async def test_several_policies_are_mixed() -> None:
    policies: list[Policy] = [FakePolicy({"a": REPLACEMENTS["a"]}, "one"), FakePolicy({"b": REPLACEMENTS["b"]}, "two")]
    _, trials, seen = await search("greedy", policies=policies)
    assert trials.best.text == b"A\nB\nc c\nd d\n"
    assert {t.node.candidate.origin.policy for t in seen if t.node.candidate} == {"one", "two"}


async def test_nothing_is_begun_before_the_first_policy_has_answered() -> None:
    class Late(FakePolicy):
        async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
            for _ in range(50):
                await asyncio.sleep(0)
            return await super().propose(observation, count)

    policies: list[Policy] = [
        Late({"a": REPLACEMENTS["a"]}, "late"),
        FakePolicy({"-": (b"-", b""), "d": REPLACEMENTS["d"]}, "quick"),
    ]
    _, _, seen = await search("greedy", policies=policies, candidates=1)
    assert seen[0].node.candidate is not None
    assert seen[0].node.candidate.origin.policy == "late"


@pytest.mark.parametrize("name", list(STRATEGIES))
async def test_what_a_policy_raises_is_not_swallowed(name: str) -> None:
    class Broken:
        name = "broken"
        again = False

        async def propose(self, observation: object, count: int) -> list[object]:
            raise RuntimeError("policy broke")

    with pytest.raises(RuntimeError, match="policy broke"):
        await search(name, policies=[Broken()])  # type: ignore[list-item]
