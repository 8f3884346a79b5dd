from __future__ import annotations

from collections import Counter

from maxcode_lsp.policy.policy import Observation
from maxcode_lsp.policy.sampled import SampledPolicy
from maxcode_lsp.records import Critique
from maxcode_lsp.testing.fakes import FakePolicy

POLICY = FakePolicy({letter: (letter.encode(), letter.upper().encode()) for letter in "abcde"})
SEEN = Observation(text=b"a b c d e", flags=(), critique=Critique())


async def drawn(seed: int, temperature: float, count: int = 5) -> list[str]:
    policy = SampledPolicy(POLICY, seed, temperature)
    return [proposal.origin.actions[0] for proposal in await policy.propose(SEEN, count)]


async def test_each_proposal_comes_once_and_no_more_than_asked() -> None:
    assert sorted(await drawn(3, 1.0)) == list("abcde")
    assert len(await drawn(3, 1.0, 2)) == 2


async def test_the_same_seed_draws_the_same() -> None:
    assert await drawn(7, 1.0) == await drawn(7, 1.0)
    assert len({tuple(await drawn(seed, 5.0)) for seed in range(20)}) > 5


async def test_the_cooler_the_more_in_the_policys_own_order() -> None:
    assert await drawn(1, 1e-6) == list("abcde")
    first = Counter([(await drawn(seed, 1.0))[0] for seed in range(300)])
    # Each idea is worth one less in log speedup than the one before: e times less likely to be first.
    assert first["a"] > first["b"] > first["c"]
    assert 1.7 < first["a"] / first["b"] < 4.5


async def test_a_policy_asked_twice_draws_anew() -> None:
    policy = SampledPolicy(POLICY, 1, 5.0)
    orders = {tuple(p.origin.actions[0] for p in await policy.propose(SEEN, 5)) for _ in range(10)}
    assert len(orders) > 3
