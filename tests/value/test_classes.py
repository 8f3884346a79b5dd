from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from maxcode_lsp.value.classes import RewardClasses


def test_the_classes_of_the_defaults() -> None:
    classes = RewardClasses()
    assert classes.names == ("fail", "<1", "1–1.1", "1.1–1.5", "1.5–2", "2–3", "3–5", "≥5")
    found = [classes.index(speedup) for speedup in (0.0, 0.5, 1.0, 1.05, 1.1, 1.7, 2.0, 4.999, 5.0, 100.0)]
    assert found == [0, 1, 2, 2, 3, 4, 5, 6, 7, 7]
    assert classes.count == 8


def test_what_stands_for_the_classes() -> None:
    values = RewardClasses().representatives
    assert values == pytest.approx((0, 0.7071, 1.0488, 1.2845, 1.7321, 2.4495, 3.8730, 7.0711), abs=1e-4)


@settings(deadline=None)
@given(st.sets(st.floats(0.1, 100.0), min_size=1, max_size=12))
def test_what_stands_for_a_class_is_in_it(edges: set[float]) -> None:
    ascending = sorted(edges)
    assume(not any(math.isclose(low, high) for low, high in pairwise(ascending)))  # else no number is between
    classes = RewardClasses(tuple(ascending))
    assert [classes.index(value) for value in classes.representatives] == list(range(classes.count))
    assert len(classes.names) == len(set(classes.representatives)) == classes.count


@settings(deadline=None)
@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_a_class_never_falls_as_speedup_grows(a: float, b: float) -> None:
    classes = RewardClasses()
    low, high = sorted((a, b))
    assert classes.index(low) <= classes.index(high)


@pytest.mark.parametrize("speedup", [-0.1, math.nan])
def test_what_is_no_speedup_has_no_class(speedup: float) -> None:
    with pytest.raises(ValueError, match="no speedup"):
        RewardClasses().index(speedup)


@pytest.mark.parametrize("edges", [(), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0)])
def test_edges_ascend(edges: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="ascend"):
        RewardClasses(edges)
