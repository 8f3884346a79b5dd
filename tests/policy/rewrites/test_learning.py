from __future__ import annotations

import pytest

from maxcode_lsp.policy.policy import Experience, Observation, Proposal
from maxcode_lsp.policy.rewrites.learning import learned
from maxcode_lsp.policy.rewrites.policy import RewritesPolicy
from maxcode_lsp.records import Critique, Origin, Outcome


def proposal(action: str, priority: float, rationale: str = "here") -> Proposal:
    return Proposal(f"{action} {rationale}".encode(), Origin("rewrites", (action,), rationale), priority)


def seen(action: str, gain: float | None, rationale: str = "here", outcome: Outcome = Outcome.CORRECT) -> Experience:
    return Experience("rewrites", (action,), rationale, outcome, gain, faster=gain is not None and gain > 0.05)


IDEAS = [proposal("a", 0.5), proposal("b", 0.3), proposal("c", 0.1)]


def order(*experience: Experience) -> str:
    return "".join(one.origin.actions[0] for one in learned(IDEAS, experience))


def test_without_experience_nothing_changes() -> None:
    assert learned(IDEAS, ()) == IDEAS


def test_what_failed_comes_late_and_what_paid_early() -> None:
    assert order(seen("a", None, outcome=Outcome.WRONG_OUTPUT)) == "bac"
    assert order(seen("c", 0.9)) == "cab"
    assert order(seen("a", 0.0), seen("c", 0.7)) == "cba"


def test_elsewhere_it_counts_less() -> None:
    assert order(seen("a", None, "elsewhere")) == "abc"
    assert order(*(seen("a", None, "elsewhere") for _ in range(4))) == "bac"


def test_the_formula() -> None:
    (first, *_) = learned(IDEAS, [seen("a", 0.9), seen("a", 0.6, "elsewhere")])
    assert first.priority == pytest.approx((0.5 + 3 * 0.9 + 0.5 * 0.6) / (1 + 3 + 0.5))


def test_a_slower_one_is_no_loss_but_no_gain() -> None:
    assert order(seen("a", -2.0)) == order(seen("a", 0.0))


async def test_the_rules_use_it() -> None:
    text = b"""#include <iostream>
#include <vector>
static int sum(std::vector<int> v) { int s = 0; for (auto x : v) s += x; return s; }
int main() { std::vector<int> v; int x; while (std::cin >> x) v.push_back(x);
  for (int i = 0; i < 9; ++i) std::cout << sum(v) << std::endl; }
"""
    policy = RewritesPolicy(mixed=False)
    plain = await policy.propose(Observation(text=text, flags=("-O2",), critique=Critique()), 50)
    first = plain[0].origin
    failed = Experience("rewrites", first.actions, first.rationale, Outcome.WRONG_OUTPUT, None, faster=False)
    after = await policy.propose(Observation(text=text, flags=("-O2",), critique=Critique(), experience=(failed,)), 50)
    assert {one.text for one in after} == {one.text for one in plain}
    assert after[0].origin.actions != first.actions


async def test_one_rule_at_a_time() -> None:
    text = b"#include <iostream>\nint main() { int x; while (std::cin >> x) std::cout << x << std::endl; }\n"
    seen_now = Observation(text=text, flags=("-O2",), critique=Critique())
    alone = await RewritesPolicy(mixed=False).propose(seen_now, 50)
    assert alone and all(len(one.origin.actions) == 1 for one in alone)
    assert any(len(one.origin.actions) > 1 for one in await RewritesPolicy().propose(seen_now, 50))
