"""Figures of small comparisons, worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from maxcode_lsp.benchmarks.report.curves import collect, curve_of
from maxcode_lsp.benchmarks.report.figures import Figures, figures
from maxcode_lsp.benchmarks.report.resampling import bootstrap, mean, median
from maxcode_lsp.benchmarks.search.episode import VERSION, Comparison, Episode, Step
from maxcode_lsp.records import Outcome

ABOUT = Comparison(
    version=VERSION,
    suite="hand",
    methods=("beam", "beam+maxcode"),
    programs=("a", "b"),
    seeds=2,
    budget=8,
    replay=True,
    model="",
    machine="a machine",
    compiler="g++ 12",
    command="maxcode bench search",
    created="2026-12-01T00:00:00+00:00",
    room={"a": 4.0, "b": 4.0},
)


def episode(program: str, method: str, seed: int, values: Sequence[float], **more: object) -> Episode:
    steps = tuple(
        Step(
            candidate=f"{place:012d}",
            parent=None,
            depth=1 + place % 3,
            policy="rewrites",
            actions=("a",),
            outcome=Outcome.CORRECT if value > 0 else Outcome.WRONG_OUTPUT,
            faster=value > 1,
            speedup=value if value > 0 else None,
            value=max(1.0, *values[: place + 1]),
            kinds=("hot-lines",) if place % 2 else (),
            at_s=float(place + 1),
            tokens=100 * (place + 1),
        )
        for place, value in enumerate(values)
    )
    whole = Episode(program, method, seed, 8, steps, "budget", float(len(values)))
    return replace(whole, **more)


EPISODES = [
    episode("a", "beam", 0, [1.0, 2.0]),
    episode("a", "beam", 1, [0.0, 1.0]),
    episode("b", "beam", 0, [4.0]),
    episode("b", "beam", 1, [4.0, 0.0, 0.0]),
    episode("a", "beam+maxcode", 0, [2.0, 4.0], tokens_in=500, tokens_out=100, cost_usd=0.5),
    episode("a", "beam+maxcode", 1, [1.0, 1.0, 1.0, 1.0, 2.0], cost_usd=0.25),
    episode("b", "beam+maxcode", 0, [4.0]),
    episode("b", "beam+maxcode", 1, [1.0, 1.0]),
]
LOG2 = math.log(2)


def taken(episodes: Sequence[Episode] = EPISODES) -> Figures:
    return figures(ABOUT, collect(episodes, ABOUT.methods))


def test_one_method() -> None:
    beam, whole = taken().methods
    assert (beam.method, beam.searches, beam.programs) == ("beam", 4, 2)
    assert beam.candidates == pytest.approx(8 / 4)
    assert beam.correct == pytest.approx(5 / 8)
    assert beam.solved == 1.0
    assert beam.fast_1 == pytest.approx(3 / 4)
    # a: 2 and 1, b: 4 and 4
    assert beam.median_speedup.value == pytest.approx((1.5 + 4) / 2)
    assert beam.mean_speedup.value == pytest.approx((1.5 + 4) / 2)
    assert beam.log_speedup[8].value == pytest.approx((0.5 * LOG2 + 2 * LOG2) / 2)
    assert beam.room == pytest.approx((0.5 + 2) / 4)
    assert (beam.seconds, beam.tokens, beam.cost_usd) == (2.0, 0.0, None)
    assert beam.outcomes == {"correct": 5, "wrong_output": 3}
    assert beam.hits == {"hot-lines": (3, 1)}
    assert (whole.tokens, whole.cost_usd) == (150.0, 0.75)


def test_by_candidates_the_last_value_is_carried_forward() -> None:
    whole = taken().methods[1]
    # After 4: a 4 and 1, b 4 and 1. After 8: a 4 and 2, b 4 and 1.
    assert whole.log_speedup[4].value == pytest.approx((1 + 1) * LOG2 / 2)
    assert whole.log_speedup[8].value == pytest.approx((1.5 + 1) * LOG2 / 2)


def test_ranks_share_ties() -> None:
    beam, whole = taken().methods
    # a0: 2 against 4; a1: 1 against 2; b0: both 4; b1: 4 against 1
    assert beam.rank == pytest.approx((2 + 2 + 1.5 + 1) / 4)
    assert whole.rank == pytest.approx((1 + 1 + 1.5 + 2) / 4)


def test_pairs() -> None:
    (pair,) = taken().pairs
    assert (pair.method, pair.control, pair.searches) == ("beam+maxcode", "beam", 4)
    # a: (4/2, 2/1), b: (4/4, 1/4)
    assert pair.log_gain[8].value == pytest.approx(((1 + 1) / 2 + (0 - 2) / 2) * LOG2 / 2)
    assert pair.median_gain_pct[8].value == pytest.approx(100 * (((3 + 2.5) / 2) / ((1.5 + 4) / 2) - 1))
    assert pair.log_gain[8].low <= pair.log_gain[8].value <= pair.log_gain[8].high


def test_an_ablation_stands_beside_its_plain_and_its_whole_form() -> None:
    less = [replace(one, method="beam+maxcode-u") for one in EPISODES[4:]]
    found = taken([*EPISODES, *less])
    assert [(pair.method, pair.control) for pair in found.pairs] == [
        ("beam+maxcode", "beam"),
        ("beam+maxcode-u", "beam"),
        ("beam+maxcode-u", "beam+maxcode"),
    ]
    assert {estimate.value for estimate in found.pairs[2].log_gain.values()} == {0.0}


def test_searches_of_one_alone_count_in_no_pair() -> None:
    found = taken([*EPISODES, episode("c", "beam", 0, [9.0])])
    assert found.pairs[0].searches == 4
    assert found.methods[0].searches == 5


def test_trouble_is_counted_and_nothing_else() -> None:
    cut = Episode("a", "beam", 7, 8, (), "trouble", 0.0, trouble="The disk was full.")
    found = taken([*EPISODES, cut])
    assert (found.methods[0].searches, found.methods[0].troubles) == (4, 1)


def test_depth() -> None:
    curve = curve_of(episode("a", "beam", 0, [2.0, 3.0, 1.0, 4.0]))
    assert list(np.exp(curve.log_by_depth)[:4]) == pytest.approx([1.0, 4.0, 4.0, 4.0])
    assert list(curve.at_s) == [0, 1, 2, 3, 4, 4, 4, 4, 4]


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 3.0]), max_size=12))
def test_a_curve_never_falls_and_is_as_long_as_the_budget(values: list[float]) -> None:
    curve = curve_of(episode("a", "beam", 0, values))
    for numbers in (curve.log_values, curve.at_s, curve.tokens):
        assert len(numbers) == 9
        assert (np.diff(numbers) >= 0).all()
    assert curve.judged == min(len(values), 8)


def test_intervals_hold_what_they_say() -> None:
    """In about 95 of 100 cases; programs differ, so that seeds of one program tell less than they are many."""
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(120):
        groups = {str(program): rng.normal(rng.normal(1.0, 0.5), 0.3, size=6) for program in range(15)}
        estimate = bootstrap(groups, mean, times=300)
        inside += estimate.low <= 1.0 <= estimate.high
    assert 100 <= inside <= 120


def test_median_is_over_programs() -> None:
    groups = [np.array([1.0, 1.0, 9.0]), np.array([2.0]), np.array([30.0, 40.0])]
    assert median(groups) == 2.0
    assert mean(groups) == pytest.approx((11 / 3 + 2 + 35) / 3)
