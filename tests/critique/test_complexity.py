"""The power of n that times follow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.critique.complexity import exponent, growth


@given(st.floats(0.5, 4.0), st.floats(0.97, 1.03), st.integers(100, 10_000))
def test_a_power_is_found_through_noise(power: float, noise: float, size: int) -> None:
    sizes = (size, 2 * size, 4 * size)
    times = [10**7 * (n / size) ** power for n in sizes]
    times[1] *= noise
    found = exponent(sizes, [round(time) for time in times])
    assert found is not None
    assert found == pytest.approx(power, abs=0.05)


def test_a_change_of_growth_is_no_power() -> None:
    assert exponent((1000, 2000, 4000), (10_000, 20_000, 160_000)) is None


def test_the_finding_in_words() -> None:
    found = growth({4000: 161_000_000, 1000: 11_000_000, 2000: 41_000_000}, 1_000_000, (7, 7))
    assert found is not None
    assert found.id == "empirical-complexity:7"
    assert found.message == "Grows as n^2.0 between n = 1,000 and 4,000."
    assert found.evidence == "CPU time 10.0, 40.0, 160.0 ms at n = 1,000, 2,000, 4,000"
    assert found.share is None


def test_short_runs_say_nothing() -> None:
    assert growth({1000: 2_000_000, 2000: 4_000_000, 4000: 9_000_000}, 1_000_000, (1, 1)) is None
