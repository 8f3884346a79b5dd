from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.value.heuristic import CLASSES, Heuristic, estimate, mean_gain
from maxcode_lsp.value.value import Prospect


def prospect(
    speedup: float = 1.0,
    *,
    u: float = 1.0,
    left: int = 10,
    tried: int = 0,
    gains: int = 0,
    open_gains: tuple[float, ...] = (),
    hot: float | None = None,
) -> Prospect:
    return Prospect(speedup, 0, u, left, tried, gains, open_gains, hot)


prospects = st.builds(
    prospect,
    st.floats(0.1, 200),
    u=st.floats(0, 300),
    left=st.integers(0, 64),
    tried=st.integers(0, 40),
    open_gains=st.lists(st.floats(0, 5), max_size=6).map(lambda gains: tuple(sorted(gains, reverse=True))),
    hot=st.none() | st.floats(0, 1),
)


@given(prospects)
def test_it_is_a_distribution(one: Prospect) -> None:
    found = estimate(one)
    assert math.fsum(found.probabilities) == pytest.approx(1.0)
    assert min(found.probabilities) >= -1e-12
    assert len(found.probabilities) == len(found.values) == CLASSES.count
    assert found.probabilities[0] == 0.0, "it is correct already"
    assert found.score(one.u) >= one.u * (1 - 1e-12)


@given(prospects, st.floats(0.01, 2))
def test_more_that_paid_elsewhere_is_worth_more(one: Prospect, gain: float) -> None:
    richer = prospect(one.speedup, u=one.u, left=one.left, open_gains=(*one.open_gains, gain), hot=one.hot_share)
    poorer = prospect(one.speedup, u=one.u, left=one.left, open_gains=one.open_gains, hot=one.hot_share)
    assert mean_gain(richer) >= mean_gain(poorer)


def test_what_was_tried_in_vain_makes_it_doubtful() -> None:
    assert mean_gain(prospect(tried=8)) < mean_gain(prospect(tried=8, gains=4)) < mean_gain(prospect())


def test_the_terms() -> None:
    assert mean_gain(prospect(open_gains=(0.5, 0.2))) == pytest.approx(0.8 * 0.5 + 0.64 * 0.2 + 0.25)
    assert mean_gain(prospect(hot=0.4, tried=4)) == pytest.approx(0.25 * 0.4 / 2)
    assert mean_gain(prospect(left=1, open_gains=(0.5, 0.2))) == pytest.approx(0.4 + 0.25), "one is left to try"
    assert mean_gain(prospect(left=0, open_gains=(3.0,))) == 0.01


async def test_two_of_a_kind_differ_by_what_is_left_in_them() -> None:
    """A at 2× with B's 1.5× still open is worth as much as B at 1.5× with A's 2× open, and both more than the original
    that has spent both.
    """
    found = await Heuristic().estimate(
        [
            prospect(2.0, open_gains=(math.log(1.5),)),
            prospect(1.5, open_gains=(math.log(2.0),)),
            prospect(1.0, tried=8, gains=2),
        ]
    )
    one, other, root = (each.score(2.0) for each in found)
    assert one == pytest.approx(other, rel=0.2)
    assert min(one, other) > root
