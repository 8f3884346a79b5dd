from __future__ import annotations

import pytest

from maxcode_lsp.policy.policy import Critique
from maxcode_lsp.records import Evaluation, Feedback, Measurement, Metric, Outcome, Verdict
from maxcode_lsp.search.budget import Budget, Stop
from maxcode_lsp.search.process.rewards import Scheme
from maxcode_lsp.search.reward import reward, speedup
from maxcode_lsp.search.trials import carry
from maxcode_lsp.testing.fakes import FakeClock


def evaluation(outcome: Outcome, ratio: float | None = None, verdict: Verdict = Verdict.FASTER) -> Evaluation:
    taken = None if ratio is None else Measurement(Metric.CPU, (1,), (1,), ratio, (ratio, ratio), verdict)
    return Evaluation("c", outcome, Feedback(""), taken)


def test_reward_is_zero_when_not_correct() -> None:
    for outcome in Outcome:
        if outcome is not Outcome.CORRECT:
            assert reward(evaluation(outcome)) == 0.0
            assert speedup(evaluation(outcome), 2.0) is None


def test_reward_is_against_the_original() -> None:
    assert reward(evaluation(Outcome.CORRECT, 1.5), 2.0) == pytest.approx(3.0)
    assert reward(evaluation(Outcome.CORRECT, 1.01, Verdict.NO_DIFFERENCE), 2.0) == 2.0
    assert reward(evaluation(Outcome.CORRECT), 1.0) == 1.0
    assert reward(evaluation(Outcome.CORRECT, 1.5), 2.0, Scheme.LOG) == pytest.approx(2.0)
    assert speedup(evaluation(Outcome.CORRECT, 1.5), 2.0) == pytest.approx(3.0)


def test_budget() -> None:
    clock = FakeClock()
    budget = Budget(clock, 2, 10.0, goal=3.0, patience=2)
    assert budget.open
    budget.take()
    budget.take()
    assert not budget.open
    assert budget.stop is None
    budget.saw(1.0, gained=False)
    budget.saw(1.2, gained=True)
    budget.saw(1.2, gained=False)
    assert budget.stop is None
    budget.saw(1.2, gained=False)
    assert budget.stop is Stop.PLATEAU
    budget.saw(3.5, gained=True)
    assert budget.stop is Stop.GOAL
    clock.advance(11)
    assert budget.stop is Stop.TIME
    assert budget.left_s == 0


def test_hot_lines_move_with_their_lines() -> None:
    critique = Critique(hot_lines={1: 0.2, 3: 0.7})
    assert carry(critique, b"a\nb\nc\n", b"new\na\nb\nx\nc\n").hot_lines == {2: 0.2, 5: 0.7}
    assert carry(critique, b"a\nb\nc\n", b"a\nb\nchanged\n").hot_lines == {1: 0.2}


def test_time_is_kept_back_only_for_something_to_prove() -> None:
    clock = FakeClock()
    budget = Budget(clock, 10, 100.0, reserve_s=40.0)
    assert budget.left_s == 100.0
    budget.saw(1.0, gained=False)
    assert budget.left_s == 100.0
    budget.saw(1.5, gained=True)
    assert budget.left_s == 60.0
