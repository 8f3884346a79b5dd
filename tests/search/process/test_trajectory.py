from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.search.process.trajectory import State, Trajectory


def example(gamma: float = 1.0) -> Trajectory[str, str]:
    start: Trajectory[str, str] = Trajectory(State("original", 1.0), gamma)
    return start.then("fuse", 2.0, "fused").then("break", 0.0, "fused").then("inline", 1.5, "inlined", done=True)


def test_a_longer_one_leaves_the_shorter_as_it_was() -> None:
    short: Trajectory[str, int] = Trajectory(State("original", 1.0))
    longer = short.then(7, 2.0, "fused")
    assert short.transitions == () and short.state == State("original", 1.0)
    assert longer.state == State("fused", 2.0, 1)
    assert longer.transitions[0].state is short.start


def test_each_step_starts_where_the_one_before_led() -> None:
    steps = example().transitions
    assert [step.state for step in steps[1:]] == [step.next_state for step in steps[:-1]]
    assert [step.state.t for step in steps] == [0, 1, 2]
    assert example().done


def test_u_relative_and_absolute() -> None:
    halved = example(0.5)
    assert halved.us == (1.0, 4.0, 8.0, 16.0)
    assert halved.bests == (1.0, 2.0, 2.0, 2.0)
    assert example().us == example().bests == (1.0, 2.0, 2.0, 2.0)


@settings(deadline=None)
@given(st.sampled_from([1.0, 0.9]), st.integers(0, 3), st.floats(0, 100), st.lists(st.floats(0, 100), max_size=10))
def test_both_bookkeepings_agree(gamma: float, t: int, u: float, rewards: list[float]) -> None:
    trajectory: Trajectory[int, int] = Trajectory(State(0, u, t), gamma)
    for step, r in enumerate(rewards):
        trajectory = trajectory.then(step, r, step)
    assert trajectory.bests == pytest.approx([gamma ** (t + k) * u_k for k, u_k in enumerate(trajectory.us)])


def test_targets() -> None:
    assert example(0.5).targets() == [2.0, 4.0, 8.0]
    cut: Trajectory[str, str] = Trajectory(State("original", 1.0), 0.5)
    cut = cut.then("fuse", 2.0, "fused")
    assert cut.targets(lambda node, u: {"fused": 10.0}[node]) == [5.0]
    with pytest.raises(ValueError, match="the value of the last state"):
        cut.targets()


def test_nothing_comes_behind_the_end() -> None:
    with pytest.raises(ValueError, match="behind the end"):
        example().then("more", 1.0, "node")


@pytest.mark.parametrize("reward", [-0.1, math.nan, math.inf])
def test_what_is_no_reward(reward: float) -> None:
    with pytest.raises(ValueError, match="no reward"):
        Trajectory(State("original")).then("x", reward, "node")


@pytest.mark.parametrize("gamma", [0.0, -1.0, 1.01, math.nan])
def test_gamma_is_above_0_and_at_most_1(gamma: float) -> None:
    with pytest.raises(ValueError, match="γ"):
        Trajectory(State("original"), gamma)


def test_it_can_be_written_and_read_back() -> None:
    written = msgspec.json.encode(example(0.9))
    assert msgspec.json.decode(written, type=Trajectory[str, str]) == example(0.9)
