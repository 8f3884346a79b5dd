from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.search.bandit import Bandit


def pulls(bandit: Bandit, rewards: dict[str, tuple[float, float]], times: int) -> Counter[str]:
    """How often each arm was pulled, each paying the same (gain, seconds) each time."""
    found: Counter[str] = Counter()
    for _ in range(times):
        arm = bandit.choose(tuple(rewards))
        bandit.pull(arm)
        bandit.pay(arm, *rewards[arm])
        found[arm] += 1
    return found


def test_each_arm_is_tried_first() -> None:
    bandit = Bandit(("rules", "tidy", "llm"))
    chosen: list[str] = []
    for _ in range(3):
        arm = bandit.choose(("llm", "tidy", "rules"))
        bandit.pull(arm)
        chosen.append(arm)
    assert chosen == ["rules", "tidy", "llm"]


def test_what_gains_more_for_its_cost_is_pulled_more() -> None:
    found = pulls(Bandit(("cheap", "dear")), {"cheap": (0.1, 1.0), "dear": (0.3, 30.0)}, 60)
    assert found["cheap"] > 2 * found["dear"] > 0


def test_what_is_dear_but_gains_most_for_its_cost_wins() -> None:
    found = pulls(Bandit(("cheap", "dear")), {"cheap": (0.001, 1.0), "dear": (0.9, 30.0)}, 60)
    assert found["dear"] > found["cheap"]


def test_pulls_that_are_not_paid_yet_count() -> None:
    bandit = Bandit(("one", "other"))
    for _ in range(8):
        bandit.pull(bandit.choose(("one", "other")))
    assert {arm for arm in ("one", "other") if bandit.choose((arm,)) == arm} == {"one", "other"}
    bandit = Bandit(("one", "other"))
    found: Counter[str] = Counter()
    for _ in range(8):
        arm = bandit.choose(("one", "other"))
        bandit.pull(arm)
        found[arm] += 1
    assert found == {"one": 4, "other": 4}


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.floats(-1, 5), st.floats(0, 1000)), max_size=40),
    st.sets(st.sampled_from("abc"), min_size=1),
)
def test_it_chooses_among_what_there_is(history: list[tuple[str, float, float]], among: set[str]) -> None:
    one, other = Bandit(("a", "b", "c")), Bandit(("a", "b", "c"))
    for arm, gain, cost_s in history:
        for bandit in (one, other):
            bandit.pull(arm)
            bandit.pay(arm, gain, cost_s)
    assert one.choose(sorted(among)) == other.choose(sorted(among, reverse=True)) in among
