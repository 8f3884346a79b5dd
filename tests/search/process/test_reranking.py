"""Candidates are ranked by Σ p_c · max(u, v_c): the maximum inside of the sum, as in V(s, u) = E[max(u, Ĝ)]."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.search.process.rewards import CLASSES
from maxcode_lsp.value.value import Estimate


def mean(estimate: Estimate) -> float:
    return math.fsum(p * v for p, v in zip(estimate.probabilities, estimate.values, strict=True))


def estimate(**probabilities: float) -> Estimate:
    by_name = dict(zip(CLASSES.names, [0.0] * CLASSES.count, strict=True)) | probabilities
    assert len(by_name) == CLASSES.count
    return Estimate(tuple(by_name.values()), CLASSES.representatives)


def test_the_order_is_another_one() -> None:
    """Where 2 is in hand, a fifth of a chance of 7 is worth more than 2.4 for sure; its mean is lower."""
    u = 2.0
    sure, gamble = estimate(**{"2–3": 1.0}), estimate(**{"fail": 0.8, "≥5": 0.2})
    assert (mean(sure), mean(gamble)) == pytest.approx((2.4495, 1.4142), abs=1e-4)
    assert max(u, mean(sure)) > max(u, mean(gamble))
    assert (sure.score(u), gamble.score(u)) == pytest.approx((2.4495, 3.0142), abs=1e-4)
    assert sure.score(u) < gamble.score(u)


weights = st.lists(st.floats(0.01, 1), min_size=CLASSES.count, max_size=CLASSES.count)


@settings(deadline=None)
@given(weights, st.floats(0, 10))
def test_never_below_what_is_in_hand_nor_below_the_mean(raw: list[float], u: float) -> None:
    believed = Estimate(tuple(weight / math.fsum(raw) for weight in raw), CLASSES.representatives)
    assert believed.score(u) >= max(u, mean(believed)) - 1e-9


@settings(deadline=None)
@given(weights, st.floats(0, 10), st.floats(0, 10))
def test_more_in_hand_is_never_worth_less(raw: list[float], a: float, b: float) -> None:
    believed = Estimate(tuple(weight / math.fsum(raw) for weight in raw), CLASSES.representatives)
    low, high = sorted((a, b))
    assert believed.score(low) <= believed.score(high) + 1e-9


@settings(deadline=None)
@given(st.integers(0, CLASSES.count - 1), st.floats(0, 10))
def test_without_doubt_both_are_the_same(certain: int, u: float) -> None:
    believed = estimate(**{CLASSES.names[certain]: 1.0})
    assert believed.score(u) == max(u, mean(believed))
