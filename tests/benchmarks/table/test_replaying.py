"""Searches replayed on a table whose truth is known."""

from __future__ import annotations

import math
import statistics

import pytest

from maxcode_lsp.benchmarks.search.episode import Episode
from maxcode_lsp.benchmarks.search.methods import method
from maxcode_lsp.benchmarks.search.replays import replayed
from maxcode_lsp.benchmarks.table.replaying import Replayed, Still, TableExecutor, replay, text_of
from maxcode_lsp.records import Candidate, Change, Origin, Outcome, Verdict, candidate_id
from maxcode_lsp.search import SEARCHES
from tests.benchmarks.table.made import name_of, table

GAINS = {"a": 2.0, "b": 1.5, "c": 1.3, "d": 1.0, "e": 1.0, "f": 1.1, "g": 0.9, "h": 1.0}
MADE = table(GAINS, broken=frozenset("gh"), guesses={"a": 0.4, "b": 0.3, "c": 0.2})
ROOM = 2.0 * 1.5 * 1.3


def candidate(actions: str) -> Candidate:
    key = candidate_id(text_of(name_of(frozenset(actions))))
    return Candidate(key, Change("program", "", ()), None, len(actions), Origin("rewrites", tuple(actions), ""))


async def test_an_executor_draws_from_samples() -> None:
    ready = Replayed(MADE)
    executor = TableExecutor(ready, 1, Still())
    taken = (await executor.evaluate(ready.base, candidate("ab"))).measurement
    assert taken is not None and taken.verdict is Verdict.FASTER
    assert taken.speedup == pytest.approx(3.0, rel=0.03)
    against = (await executor.evaluate(ready.base, candidate("abc"), candidate("ab"))).measurement
    assert against is not None and against.speedup == pytest.approx(1.3, rel=0.03)
    wrong = await executor.evaluate(ready.base, candidate("ag"))
    assert (wrong.outcome, wrong.measurement) == (Outcome.WRONG_OUTPUT, None)
    metered = await executor.meter(ready.base, candidate("a"))
    assert metered is not None and metered.memory_time_mbs == pytest.approx(0.5)


async def test_the_same_machine_code_is_identical_the_second_time() -> None:
    import msgspec

    twin = name_of(frozenset("d"))
    versions = tuple(
        msgspec.structs.replace(one, outcome=Outcome.IDENTICAL, twin=name_of(frozenset("a")), ratios=())
        if one.id == twin
        else one
        for one in MADE.versions
    )
    ready = Replayed(msgspec.structs.replace(MADE, versions=versions))
    assert ready.values[twin] == pytest.approx(2.0, rel=0.02)
    first = TableExecutor(ready, 1, Still())
    alone = await first.evaluate(ready.base, candidate("d"))
    assert alone.measurement is not None and alone.measurement.speedup == pytest.approx(2.0, rel=0.03)
    assert (await first.evaluate(ready.base, candidate("a"))).outcome is Outcome.IDENTICAL


@pytest.mark.parametrize("name", [*SEARCHES, *(f"{search}+maxcode" for search in SEARCHES), "beam@2+maxcode-u"])
async def test_a_search_stays_within_its_budget_and_the_truth(name: str) -> None:
    ready = Replayed(MADE)
    for seed in range(4):
        episode = await replay(ready, method(name), seed, 12)
        assert len(episode.steps) <= 12
        assert [step.u for step in episode.steps] == sorted(step.u for step in episode.steps)
        assert all(1.0 <= step.value <= ROOM * 1.02 for step in episode.steps)
        assert len({step.candidate for step in episode.steps}) == len(episode.steps)
        assert [step.at_s for step in episode.steps] == sorted(step.at_s for step in episode.steps)
        assert await replay(ready, method(name), seed, 12) == episode, "the same seed goes the same way"
    assert len({str((await replay(ready, method(name), seed, 12)).steps) for seed in range(6)}) > 1


async def test_what_is_handed_over_is_told_by_its_truth_not_by_luck() -> None:
    """Among many versions that are all the same, the luckiest sample wins the search, and gains nothing."""
    noisy = table(dict.fromkeys("abcdefgh", 1.0), noise=0.08)
    found = [await replay(Replayed(noisy), method("beam+maxcode"), seed, 32) for seed in range(10)]
    assert {step.value for episode in found for step in episode.steps} == {1.0}


async def test_whatever_a_search_finds_in_a_hard_table_a_better_one_finds_sooner() -> None:
    """The critique names what pays: with it the first candidates are better."""

    async def after_four(name: str) -> float:
        found = [await replay(Replayed(MADE), method(name), seed, 4) for seed in range(40)]
        return statistics.fmean(math.log(episode.steps[-1].value) for episode in found)

    assert await after_four("cuda-llm+critique") > await after_four("cuda-llm") + 0.1


def test_side_by_side_they_are_what_they_are_alone() -> None:
    methods = [method("beam"), method("beam+maxcode")]
    found = {(e.method, e.seed): e for e in replayed([MADE], methods, seeds=3, budget=8, workers=2)}
    assert len(found) == 6
    again: list[Episode] = list(replayed([MADE], methods, seeds=3, budget=8, workers=1))
    assert {(e.method, e.seed): e for e in again} == found


def test_room_and_values() -> None:
    assert MADE.room == pytest.approx(ROOM, rel=0.02)
    values = MADE.values()
    assert values[""] == values[name_of(frozenset("d"))] == values[name_of(frozenset("g"))] == 1.0
