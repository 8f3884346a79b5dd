"""The operator against every trajectory that there is. Numbers are fractions, so equal means equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.search.process.operator import (
    Chance,
    Policy,
    Process,
    best_action,
    max_reward_value,
    naive_value,
)
from maxcode_lsp.search.process.trajectory import State, Trajectory

Walk = Trajectory[str, str]


def exact(numerator: int, denominator: int = 1) -> float:
    """A fraction, for code that is written for floats: it only adds, multiplies, divides and compares."""
    return cast("float", Fraction(numerator, denominator))


NOTHING, HALF, ONE = exact(0), exact(1, 2), exact(1)
GAMMAS = (ONE, exact(9, 10))
STATES = ("a", "b", "c")
gammas = st.sampled_from(GAMMAS)
amounts = st.sampled_from([NOTHING, HALF, ONE, exact(3, 2), exact(2), exact(3)])


def shares(weights: list[int]) -> list[float]:
    return [exact(weight, sum(weights)) for weight in weights]


@st.composite
def processes(draw: st.DrawFn, *, most_chances: int = 3, most_actions: int = 2) -> Process:
    """Of three states with loops and ends."""

    def chances() -> tuple[Chance, ...]:
        weights = draw(st.lists(st.integers(1, 3), min_size=1, max_size=most_chances))
        return tuple(Chance(p, draw(amounts), draw(st.sampled_from([*STATES, "end"]))) for p in shares(weights))

    counts = {state: draw(st.integers(1, most_actions)) for state in STATES}
    return Process({state: {f"action {n}": chances() for n in range(count)} for state, count in counts.items()})


@st.composite
def policies(draw: st.DrawFn, process: Process, *, knows_u: bool) -> Policy:
    """Random ones; one that knows u does something else where much is in hand."""

    def odds() -> dict[str, dict[str, float]]:
        return {
            state: dict(zip(actions, shares([draw(st.integers(1, 3)) for _ in actions]), strict=True))
            for state, actions in process.actions.items()
        }

    little = odds()
    much = odds() if knows_u else little

    def policy(state: str, u: float) -> Mapping[str, float]:
        return (much if u >= ONE else little)[state]

    return policy


def walks(process: Process, walk: Walk, steps: int, policy: Policy) -> Iterator[tuple[float, Walk]]:
    """Every trajectory from here, with its probability."""
    choices = process.choices(walk.state.node)
    if not choices or not steps:
        yield ONE, walk
        return
    for action, odds in policy(walk.state.node, walk.state.u).items():
        for chance in choices[action]:
            longer = walk.then(action, chance.reward, chance.state, done=chance.state == "end")
            for p, whole in walks(process, longer, steps - 1, policy):
                yield odds * chance.probability * p, whole


def best_of(u: float, rewards: tuple[float, ...], gamma: float) -> float:
    """max(u, Ĝ) of one trajectory, by its definition."""
    return max([u, *(gamma**k * r for k, r in enumerate(rewards))])


def best_by_force(process: Process, u: float, state: str, steps: int, gamma: float, past: tuple[float, ...]) -> float:
    """The best that any plan can expect, one that remembers all that happened and keeps no u."""
    choices = process.choices(state)
    if not choices or not steps:
        return best_of(u, past, gamma)
    return max(
        sum(
            chance.probability * best_by_force(process, u, chance.state, steps - 1, gamma, (*past, chance.reward))
            for chance in chances
        )
        for chances in choices.values()
    )


@settings(deadline=None, max_examples=60)
@given(st.data(), processes(), gammas, amounts, st.integers(0, 3))
def test_the_value_is_the_expected_best_reward(
    data: st.DataObject, process: Process, gamma: float, u: float, steps: int
) -> None:
    policy = data.draw(policies(process, knows_u=True))
    value = max_reward_value(process, steps, policy, gamma)
    for state in STATES:
        every = list(walks(process, Trajectory(State(state, u), gamma), steps, policy))
        assert sum(p for p, _ in every) == 1
        assert value(state, u) == sum(p * best_of(u, walk.rewards, gamma) for p, walk in every)


@settings(deadline=None, max_examples=60)
@given(processes(), gammas, amounts, st.integers(0, 3))
def test_the_best_value_is_that_of_the_best_plan(process: Process, gamma: float, u: float, steps: int) -> None:
    value = max_reward_value(process, steps, None, gamma)
    for state in STATES:
        assert value(state, u) == best_by_force(process, u, state, steps, gamma, ())


@settings(deadline=None, max_examples=60)
@given(st.data(), processes(), gammas, amounts, st.integers(1, 3), st.integers(0, 2))
def test_targets_of_every_trajectory_average_to_the_value(
    data: st.DataObject, process: Process, gamma: float, u: float, taken: int, left: int
) -> None:
    """Monte-Carlo ones where a walk ended, bootstrapped ones where it was cut off after ``taken`` steps."""
    policy = data.draw(policies(process, knows_u=True))
    behind = max_reward_value(process, left, policy, gamma)
    every = walks(process, Trajectory(State("a", u), gamma), taken, policy)
    average = sum(p * walk.targets(behind)[0] for p, walk in every)
    assert average == max_reward_value(process, taken + left, policy, gamma)("a", u)


@settings(deadline=None, max_examples=60)
@given(st.data(), processes(), gammas, amounts, st.integers(0, 3), st.integers(0, 3))
def test_absolute_and_relative_values_agree(
    data: st.DataObject, process: Process, gamma: float, u: float, steps: int, start: int
) -> None:
    """γ^t · V_rel(s, u) = V_abs(s, b, t) with b = γ^t · u; the absolute recursion has no γ but in b."""
    policy = data.draw(policies(process, knows_u=True))

    def absolute(state: str, b: float, t: int, left: int) -> float:
        choices = process.choices(state)
        if not choices or not left:
            return b
        return sum(
            odds * chance.probability * absolute(chance.state, max(b, gamma**t * chance.reward), t + 1, left - 1)
            for action, odds in policy(state, b / gamma**t).items()
            for chance in choices[action]
        )

    relative = max_reward_value(process, steps, policy, gamma)
    assert gamma**start * relative("b", u) == absolute("b", gamma**start * u, start, steps)


@settings(deadline=None, max_examples=60)
@given(st.data(), processes(), gammas, amounts, amounts, st.integers(0, 3))
def test_values_rise_with_u_and_are_never_below_it(
    data: st.DataObject, process: Process, gamma: float, a: float, b: float, steps: int
) -> None:
    low, high = sorted((a, b))
    policy = data.draw(policies(process, knows_u=False))  # one that knows u may turn foolish with more in hand
    best, other = (max_reward_value(process, steps, which, gamma) for which in (None, policy))
    for state in STATES:
        assert low <= other(state, low) <= other(state, high)
        assert other(state, low) <= best(state, low) <= best(state, high)


@settings(deadline=None, max_examples=60)
@given(st.data(), processes(), gammas, st.integers(0, 3))
def test_the_naive_form_is_never_too_high(data: st.DataObject, process: Process, gamma: float, steps: int) -> None:
    for policy in (None, data.draw(policies(process, knows_u=False))):
        naive, ours = naive_value(process, steps, policy, gamma), max_reward_value(process, steps, policy, gamma)
        assert all(naive(state) <= ours(state, NOTHING) for state in STATES)


@settings(deadline=None, max_examples=60)
@given(processes(most_chances=1), gammas, st.integers(0, 3))
def test_the_naive_form_is_exact_where_nothing_is_left_to_chance(process: Process, gamma: float, steps: int) -> None:
    naive, ours = naive_value(process, steps, None, gamma), max_reward_value(process, steps, None, gamma)
    assert all(naive(state) == ours(state, NOTHING) for state in STATES)


INSURED = Process(
    {
        "start": {
            "insured": (Chance(ONE, ONE, "gamble"),),
            "sure": (Chance(ONE, exact(7, 4), "end"),),
        },
        "gamble": {"play": (Chance(HALF, exact(3), "end"), Chance(HALF, NOTHING, "end"))},
    }
)
"""1 in hand and then 3 or nothing, or 1.75 at once."""


@pytest.mark.parametrize(
    ("gamma", "truth", "naive"), [(ONE, exact(2), exact(3, 2)), (exact(9, 10), exact(37, 20), exact(27, 20))]
)
def test_the_naive_form_is_biased_and_ours_is_not(gamma: float, truth: float, naive: float) -> None:
    """E[max(1, γ·G)], G = 3 or 0: (1 + 3γ) / 2. Naive: max(1, γ · 1.5). So naive takes 1.75 and misses 2."""

    def insured(state: str, _: float) -> Mapping[str, float]:
        return {"insured": ONE} if state == "start" else {"play": ONE}

    by_force = sum(
        p * best_of(NOTHING, walk.rewards, gamma)
        for p, walk in walks(INSURED, Trajectory(State("start", NOTHING), gamma), 2, insured)
    )
    assert by_force == truth
    assert max_reward_value(INSURED, 2, insured, gamma)("start", NOTHING) == truth
    assert naive_value(INSURED, 2, insured, gamma)("start") == naive
    assert best_action(INSURED, max_reward_value(INSURED, 1, None, gamma), "start", NOTHING, gamma) == "insured"
    assert naive_value(INSURED, 2, None, gamma)("start") == exact(7, 4) < truth


def test_chance_in_the_policy_is_enough_for_a_bias() -> None:
    process = Process(
        {
            "start": {"go": (Chance(ONE, ONE, "fork"),)},
            "fork": {"left": (Chance(ONE, exact(3), "end"),), "right": (Chance(ONE, NOTHING, "end"),)},
        }
    )

    def toss(state: str, _: float) -> Mapping[str, float]:
        return {"go": ONE} if state == "start" else {"left": HALF, "right": HALF}

    assert max_reward_value(process, 2, toss)("start", NOTHING) == 2
    assert naive_value(process, 2, toss)("start") == exact(3, 2)


def test_the_best_action_depends_on_u() -> None:
    """1.5 for sure or 3 once in four times: mean 0.75. With 1.5 in hand only the gamble can add anything."""
    process = Process(
        {
            "start": {
                "sure": (Chance(ONE, exact(3, 2), "end"),),
                "gamble": (Chance(exact(1, 4), exact(3), "end"), Chance(exact(3, 4), NOTHING, "end")),
            }
        }
    )
    value = max_reward_value(process, 0)
    assert [best_action(process, value, "start", u) for u in (NOTHING, exact(3, 2))] == ["sure", "gamble"]
    assert max_reward_value(process, 1)("start", exact(3, 2)) == exact(15, 8)


def test_a_last_reward_is_not_divided_by_gamma() -> None:
    process = Process({"start": {"go": (Chance(ONE, exact(3), "end"),)}})
    value = max_reward_value(process, 5, None, HALF)
    assert (value("start", ONE), value("start", exact(4))) == (3, 4)
    assert value("end", exact(4)) == 4


def test_trying_again_and_again() -> None:
    """2 once in three times, else nothing, n times: 2 − (2/3)^n with 1 in hand. With γ < 1, later is worth less."""
    process = Process({"try": {"go": (Chance(exact(1, 3), exact(2), "try"), Chance(exact(2, 3), NOTHING, "try"))}})
    for n in range(8):
        assert max_reward_value(process, n, None, ONE)("try", ONE) == 2 - exact(2, 3) ** n
    later = exact(3, 4)
    assert max_reward_value(process, 2, None, later)("try", ONE) == exact(13, 9)  # 1/3·2 + 2/3·(1/3·2γ + 2/3·1)


@pytest.mark.parametrize(
    ("chances", "complaint"),
    [
        ((), "sum to 1"),
        ((Chance(0.5, 1.0, "end"),), "sum to 1"),
        ((Chance(1.0, -1.0, "end"),), "below 0"),
        ((Chance(1.5, 1.0, "end"), Chance(-0.5, 1.0, "end")), "below 0"),
    ],
)
def test_what_is_no_process(chances: tuple[Chance, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Process({"start": {"go": chances}})
