"""The books: what is counted, and that the caps hold, also for questions side by side and prices known only later."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.model import Usage


async def ask(
    ledger: Ledger, usage: Usage, *, tokens: int = 100, most_usd: float | None = 0.0, model: str = "m"
) -> None:
    async with ledger.question(model, tokens, most_usd) as answered:
        await asyncio.sleep(0)
        answered(usage)


async def test_what_is_counted() -> None:
    changes: list[tuple[int, int]] = []
    ledger = Ledger(1000, 1.0, lambda: changes.append((ledger.asking, ledger.calls)))
    assert ledger.usage == Usage(0, 0, None)
    await ask(ledger, Usage(10, 5, None), most_usd=None)
    ledger.known()
    await ask(ledger, Usage(20, 7, 0.1), most_usd=0.2)
    assert (ledger.calls, ledger.cached, ledger.asking) == (3, 1, 0)
    assert ledger.usage == Usage(30, 12, 0.1)
    assert changes == [(1, 0), (0, 1), (0, 2), (1, 2), (0, 3)]


async def test_a_question_without_an_answer_is_not_counted() -> None:
    ledger = Ledger(100, 1.0)

    async def fail() -> None:
        async with ledger.question("m", 100, 1.0):
            assert ledger.asking == 1
            raise ModelTrouble("down", ModelFault.SERVER)

    with pytest.raises(ModelTrouble, match="down"):
        await fail()
    assert (ledger.calls, ledger.asking, ledger.usage) == (0, 0, Usage())
    await ask(ledger, Usage(50, 50, 1.0), most_usd=1.0)


async def test_tenths_of_a_cent_add_up_exactly() -> None:
    ledger = Ledger(10**9, 0.3)
    for _ in range(3):
        await ask(ledger, Usage(1, 1, 0.1), most_usd=0.1)
    assert ledger.usage.cost_usd == 0.3
    with pytest.raises(ModelTrouble):
        await ask(ledger, Usage(), most_usd=0.0001)
    await ask(ledger, Usage(1, 1, 0.0), most_usd=0.0)


async def test_the_caps_are_named_with_their_figures() -> None:
    ledger = Ledger(120_000, 0.5)
    await ask(ledger, Usage(90_000, 20_000, 0.45), tokens=120_000, most_usd=0.5)
    with pytest.raises(ModelTrouble, match=r"llm\.max_tokens") as trouble:
        await ask(ledger, Usage(), tokens=10_001)
    assert trouble.value.fault is ModelFault.CAP_REACHED
    assert all(figure in str(trouble.value) for figure in ("110,000", "120,000", "10,001"))
    with pytest.raises(ModelTrouble, match=r"llm\.max_cost_usd") as trouble:
        await ask(ledger, Usage(), tokens=1, most_usd=0.06)
    assert all(figure in str(trouble.value) for figure in ("$0.45", "$0.50", "$0.060"))
    assert ledger.calls == 1


async def test_what_was_spent_before_counts() -> None:
    ledger = Ledger(1000, 1.0)
    ledger.carry(Usage(900, 50, 0.9))
    assert (ledger.calls, ledger.usage) == (0, Usage(900, 50, 0.9))
    with pytest.raises(ModelTrouble):
        await ask(ledger, Usage(), tokens=51)
    with pytest.raises(ModelTrouble):
        await ask(ledger, Usage(), tokens=1, most_usd=0.11)


async def test_who_is_in_flight_holds_back_its_part_and_who_comes_next_waits_for_it() -> None:
    ledger, go_on, done = Ledger(1000, 1.0), asyncio.Event(), list[str]()

    async def first() -> None:
        async with ledger.question("m", 800, 0.0) as answered:
            await go_on.wait()
            answered(Usage(100, 100, 0.0))

    async def second() -> None:
        await ask(ledger, Usage(10, 10, 0.0), tokens=500)
        done.append("second")

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        group.create_task(first())
        await asyncio.sleep(0)
        group.create_task(second())
        for _ in range(5):
            await asyncio.sleep(0)
        assert (ledger.asking, done) == (1, [])
        with pytest.raises(ModelTrouble):  # what fits in no case is told at once
            await ask(ledger, Usage(), tokens=1001)
        go_on.set()
    assert done == ["second"]
    assert ledger.usage == Usage(110, 110, 0.0)


async def test_who_waited_is_refused_once_it_is_clear_that_it_does_not_fit() -> None:
    ledger = Ledger(1000, 1.0)
    results = await asyncio.gather(
        *(ask(ledger, Usage(300, 300, 0.0), tokens=600) for _ in range(3)), return_exceptions=True
    )
    assert [type(result) for result in results] == [type(None), ModelTrouble, ModelTrouble]
    assert ledger.usage.tokens_in == 300


async def test_a_cancelled_question_lets_go_of_its_part() -> None:
    ledger = Ledger(1000, 1.0)

    async def hang() -> None:
        async with ledger.question("m", 1000, 1.0):
            await asyncio.Event().wait()

    hanging = asyncio.create_task(hang())
    waiting = asyncio.create_task(ask(ledger, Usage(1, 1, 0.0), tokens=1000))
    for _ in range(3):
        await asyncio.sleep(0)
    hanging.cancel()
    async with asyncio.timeout(10):
        await waiting
    assert (ledger.calls, ledger.asking) == (1, 0)


async def test_a_price_that_is_known_only_after_the_answer() -> None:
    """The first is asked alone; then the dearest answer so far is what another may cost."""
    ledger, most_at_once = Ledger(10**9, 1.0), 0

    async def one(cost_usd: float) -> None:
        nonlocal most_at_once
        async with ledger.question("m", 1000, None) as answered:
            most_at_once = max(most_at_once, ledger.asking)
            await asyncio.sleep(0)
            answered(Usage(500, 500, cost_usd))

    results = await asyncio.gather(*(one(0.4) for _ in range(8)), return_exceptions=True)
    assert sum(result is None for result in results) == 2
    assert most_at_once == 1
    assert ledger.usage.cost_usd == 0.8


async def test_without_any_price_only_tokens_count() -> None:
    ledger = Ledger(5000, 0.0)
    results = await asyncio.gather(
        *(ask(ledger, Usage(500, 500, None), tokens=1000, most_usd=None) for _ in range(8)), return_exceptions=True
    )
    assert sum(result is None for result in results) == 5
    assert ledger.usage == Usage(2500, 2500, None)


async def test_no_dollars_at_all_leaves_what_is_free() -> None:
    ledger = Ledger(10_000, 0.0)
    await ask(ledger, Usage(1, 1, 0.0), most_usd=0.0)
    with pytest.raises(ModelTrouble):
        await ask(ledger, Usage(), most_usd=1e-9)


QUESTIONS = st.lists(
    st.tuples(st.integers(1, 400), st.floats(0, 0.4), st.floats(0, 1), st.booleans(), st.integers(0, 3)), max_size=12
)


@given(QUESTIONS)
async def test_the_caps_hold_whatever_is_asked(questions: list[tuple[int, float, float, bool, int]]) -> None:
    ledger = Ledger(1000, 1.0)

    async def one(tokens: int, most_usd: float, share: float, fails: bool, turns: int) -> Any:
        async with ledger.question("m", tokens, most_usd) as answered:
            for _ in range(turns):
                await asyncio.sleep(0)
            if fails:
                raise ModelTrouble("down", ModelFault.SERVER)
            answered(Usage(int(tokens * share), 0, most_usd * share))

    async with asyncio.timeout(10):
        await asyncio.gather(*(one(*question) for question in questions), return_exceptions=True)
    spent = ledger.usage
    assert spent.tokens_in <= 1000
    assert (spent.cost_usd or 0) <= 1.0
    assert ledger.asking == 0
