from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.search.process.rewards import CAP, CLASSES, Scheme, reward

speedups = st.floats(1e-9, 1e9)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (Scheme.SPEEDUP, (0.5, 1.0, 3.0, 40.0)),
        (Scheme.LOG, (0.58496, 1.0, 2.0, 5.35755)),
        (Scheme.CLIPPED, (0.5, 1.0, 3.0, 5.0)),
        (Scheme.CLASSES, (0.70711, 1.04881, 3.87298, 7.07107)),
    ],
)
def test_rewards_of_speedups(scheme: Scheme, expected: tuple[float, ...]) -> None:
    assert [reward(scheme, True, s) for s in (0.5, 1.0, 3.0, 40.0)] == pytest.approx(expected, abs=1e-5)


@settings(deadline=None)
@given(st.sampled_from(Scheme), speedups)
def test_correct_is_worth_more_than_broken_however_slow(scheme: Scheme, s: float) -> None:
    assert reward(scheme, True, s) > reward(scheme, False, s) == 0.0


@settings(deadline=None)
@given(st.sampled_from(Scheme), speedups, speedups)
def test_rewards_never_fall_as_speedup_grows(scheme: Scheme, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert reward(scheme, True, low) <= reward(scheme, True, high)


@settings(deadline=None)
@given(speedups)
def test_clipped_rewards_and_classes_have_an_end(s: float) -> None:
    assert reward(Scheme.CLIPPED, True, s) <= CAP
    assert reward(Scheme.CLASSES, True, s) in CLASSES.representatives[1:]


@pytest.mark.parametrize("scheme", Scheme)
def test_what_was_not_timed_counts_as_the_original(scheme: Scheme) -> None:
    assert reward(scheme, True, None) == reward(scheme, True, 1.0)
    assert reward(scheme, False, None) == 0.0


@pytest.mark.parametrize("s", [0.0, -1.0, math.nan, math.inf])
def test_a_correct_candidate_has_a_speedup(s: float) -> None:
    with pytest.raises(ValueError, match="no speedup"):
        reward(Scheme.SPEEDUP, True, s)
