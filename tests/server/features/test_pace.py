from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.server.features.pace import Pace
from tests.server.skipping import skipping

EVERY_S = 0.25


async def done_at(asked_s: list[float], settle_s: float = 0.0) -> list[tuple[float, int]]:
    """When it was done, and how often it had been asked for by then."""
    loop = asyncio.get_running_loop()
    done: list[tuple[float, int]] = []
    asked = 0
    pace = Pace(lambda: done.append((loop.time(), asked)), EVERY_S, settle_s)
    for at_s in asked_s:
        await asyncio.sleep(at_s - loop.time())
        asked += 1
        pace.ask()
    await asyncio.sleep(10)
    return done


def test_the_first_is_done_at_once_and_the_rest_of_a_burst_once_afterwards() -> None:
    assert skipping(done_at([0.0, 0.01, 0.02, 0.03])) == [(0.0, 1), (0.25, 4)]


def test_with_time_to_settle_a_burst_is_one() -> None:
    assert skipping(done_at([0.0, 0.01, 0.02], settle_s=0.25)) == [(0.25, 3)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(0, 5).map(lambda at: round(at, 3)), min_size=1, max_size=40).map(sorted),
    st.sampled_from([0.0, 0.25]),
)
def test_it_is_never_done_more_often_and_the_last_is_never_forgotten(asked_s: list[float], settle_s: float) -> None:
    done = skipping(done_at(asked_s, settle_s))
    times_s = [at for at, _ in done]
    assert all(later - earlier >= EVERY_S - 1e-9 for earlier, later in pairwise(times_s))
    assert done[-1][1] == len(asked_s)
    assert times_s[-1] <= asked_s[-1] + EVERY_S + settle_s + 1e-9


@pytest.mark.parametrize("settle_s", [0.0, 0.25])
def test_what_is_cancelled_is_not_done(settle_s: float) -> None:
    async def cancelled() -> int:
        done: list[int] = []
        pace = Pace(lambda: done.append(1), EVERY_S, settle_s)
        pace.now()
        pace.ask()
        pace.cancel()
        await asyncio.sleep(5)
        pace.ask()
        await asyncio.sleep(5)
        return len(done)

    assert skipping(cancelled()) == 2


def test_what_is_done_at_once_is_not_done_again_for_those_who_asked_before() -> None:
    async def now() -> list[float]:
        loop = asyncio.get_running_loop()
        done: list[float] = []
        pace = Pace(lambda: done.append(loop.time()), EVERY_S)
        pace.ask()
        await asyncio.sleep(0.1)
        pace.ask()
        pace.now()
        await asyncio.sleep(5)
        return done

    assert skipping(now()) == [0.0, 0.1]
