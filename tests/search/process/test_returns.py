from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.search.process.returns import (
    max_returns,
    next_best,
    next_u,
    to_absolute,
    to_relative,
    value_targets,
)

GAMMAS = (1.0, 0.9)
rewards_of_steps = st.lists(st.floats(0, 100), min_size=1, max_size=12)


def steps_to_an_end(count: int) -> list[bool]:
    return [*[False] * (count - 1), True]


def test_u_is_seen_from_now_and_b_from_the_start() -> None:
    assert next_u(1.0, 2.0) == 2.0
    assert next_u(2.0, 1.0, gamma=0.5) == 4.0
    assert next_best(1.0, 8.0, t=3, gamma=0.5) == 1.0
    assert next_best(1.0, 16.0, t=3, gamma=0.5) == 2.0


@settings(deadline=None)
@given(st.sampled_from(GAMMAS), rewards_of_steps, st.floats(0, 100))
def test_absolute_and_relative_are_the_same_knowledge(gamma: float, rewards: list[float], start: float) -> None:
    u = b = start
    for t, r in enumerate(rewards):
        u, b = next_u(u, r, gamma), next_best(b, r, t, gamma)
        assert to_absolute(u, t + 1, gamma) == pytest.approx(b)
        assert to_relative(b, t + 1, gamma) == pytest.approx(u)


@settings(deadline=None)
@given(st.sampled_from(GAMMAS), rewards_of_steps)
def test_max_return_by_its_definition(gamma: float, rewards: list[float]) -> None:
    by_definition = [max(gamma ** (k - t) * rewards[k] for k in range(t, len(rewards))) for t in range(len(rewards))]
    assert max_returns(rewards, steps_to_an_end(len(rewards)), gamma) == pytest.approx(by_definition)


def test_max_returns_do_not_look_behind_an_end() -> None:
    rewards, dones = [1.0, 2.0, 0.5, 9.0], [False, True, False, True]
    assert max_returns(rewards, dones) == [2.0, 2.0, 9.0, 9.0]
    assert max_returns(rewards, dones, 0.25) == [1.0, 2.0, 2.25, 9.0]


@pytest.mark.parametrize("u", [0.0, 5.0])
def test_the_target_of_a_last_step_is_not_divided_by_gamma(u: float) -> None:
    assert value_targets([u], [3.0], [True], gamma=0.5) == [max(u, 3.0)]


@settings(deadline=None)
@given(st.sampled_from(GAMMAS), rewards_of_steps, st.floats(0, 100))
def test_a_truncated_target_asks_at_the_last_u(gamma: float, rewards: list[float], start: float) -> None:
    us = [start]
    for r in rewards:
        us.append(next_u(us[-1], r, gamma))
    asked: list[float] = []

    def value(u: float) -> float:
        asked.append(u)
        return max(u, 50.0)

    n = len(rewards)
    targets = value_targets(us[:-1], rewards, [False] * n, gamma, value)
    assert asked == pytest.approx([us[-1]] * n)
    assert targets == pytest.approx([gamma ** (n - t) * max(us[-1], 50.0) for t in range(n)])


def test_a_value_below_what_is_in_hand_is_not_believed() -> None:
    assert value_targets([4.0], [3.0], [False], gamma=0.5, value_of_last=lambda _: 1.0) == [4.0]
    assert value_targets([4.0], [3.0], [False], gamma=0.5, value_of_last=lambda _: 12.0) == [6.0]


def test_only_steps_that_no_end_follows_are_bootstrapped() -> None:
    targets = value_targets([1.0] * 3, [2.0, 3.0, 4.0], [False, True, False], value_of_last=lambda _: 9.0)
    assert targets == [3.0, 3.0, 9.0]


def test_a_truncated_trajectory_needs_a_value() -> None:
    with pytest.raises(ValueError, match="the value of the last state"):
        value_targets([1.0, 1.0], [2.0, 3.0], [True, False])
    assert value_targets([], [], []) == []
