from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.executor.statistics import PairedTest, fixed_verdict, interval, logs_of, measurement
from maxcode_lsp.records import Metric, Verdict


def series(rng: random.Random, ratio: float, noise: float, outliers: float = 0.0) -> float:
    """One log ratio: normal noise, now and then a sample hit by other work."""
    log = rng.gauss(math.log(ratio), noise)
    return log + rng.choice((-1, 1)) * rng.uniform(0.1, 0.5) if rng.random() < outliers else log


def run(test: PairedTest, rng: random.Random, ratio: float, noise: float, outliers: float = 0.0) -> tuple[Verdict, int]:
    logs: list[float] = []
    while True:
        logs.append(series(rng, ratio, noise, outliers))
        verdict = test.decide(logs)
        if verdict is not None:
            return verdict, len(logs)


@pytest.mark.parametrize(("noise", "outliers"), [(0.005, 0.0), (0.02, 0.0), (0.03, 0.05)])
def test_equal_programs_are_hardly_ever_called_different(noise: float, outliers: float) -> None:
    rng = random.Random(7)
    wrong = sum(run(PairedTest(), rng, 1.0, noise, outliers)[0] is not Verdict.NO_DIFFERENCE for _ in range(2000))
    assert wrong <= 4


@pytest.mark.parametrize(("ratio", "least"), [(1.10, 0.97), (1.15, 0.995), (2.0, 1.0)])
def test_real_gains_are_found(ratio: float, least: float) -> None:
    rng = random.Random(8)
    found = [run(PairedTest(), rng, ratio, 0.02) for _ in range(500)]
    assert sum(verdict is Verdict.FASTER for verdict, _ in found) / len(found) >= least


def test_a_real_loss_is_told_from_no_difference_only_when_asked() -> None:
    rng = random.Random(9)
    assert run(PairedTest(), rng, 0.5, 0.01)[0] is Verdict.SLOWER
    quick = [run(PairedTest(tell_slower=False), rng, 0.97, 0.01) for _ in range(50)]
    assert all(verdict is Verdict.NO_DIFFERENCE for verdict, _ in quick)


def test_a_gain_below_the_threshold_is_not_claimed() -> None:
    rng = random.Random(10)
    verdicts = [run(PairedTest(), rng, 1.03, 0.02)[0] for _ in range(500)]
    assert sum(verdict is Verdict.FASTER for verdict in verdicts) <= 5


def test_it_always_ends() -> None:
    test = PairedTest(max_pairs=12)
    logs = [0.3 if i % 2 else -0.3 for i in range(12)]
    assert test.decide(logs[:-1]) is None
    assert test.decide(logs) is Verdict.NO_DIFFERENCE


def test_the_interval_covers_the_truth() -> None:
    rng = random.Random(11)
    covered = 0
    for _ in range(1000):
        bounds = interval([rng.gauss(0.1, 0.02) for _ in range(20)], 0.025)
        covered += bounds.low <= 0.1 <= bounds.high
    assert 920 <= covered <= 985


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=60))
def test_the_interval_holds_its_mean(logs: list[float]) -> None:
    bounds = interval(logs, 0.025)
    assert bounds.low <= bounds.mean <= bounds.high
    assert min(logs) - 1e-9 <= bounds.mean <= max(logs) + 1e-9


def test_one_wild_sample_does_not_decide() -> None:
    logs = [0.0] * 15 + [3.0]
    assert interval(logs, 0.025).mean == pytest.approx(0.0)


def test_measurement_of_zero_samples_is_finite() -> None:
    taken = measurement(Metric.CPU, [0, 0, 0], [0, 0, 0], Verdict.NO_DIFFERENCE)
    assert taken.speedup == 1.0
    assert all(math.isfinite(bound) for bound in taken.ci95)


def test_fixed_verdict_needs_the_lower_bound() -> None:
    assert fixed_verdict([1100] * 20, [1000] * 20, 1.05) is Verdict.FASTER
    assert fixed_verdict([1052] * 20, [1000] * 20, 1.05) is Verdict.NO_DIFFERENCE
    assert fixed_verdict([900] * 20, [1000] * 20, 1.05) is Verdict.SLOWER


def test_pairs_must_match() -> None:
    with pytest.raises(ValueError, match="zip"):
        logs_of([1, 2], [1])
