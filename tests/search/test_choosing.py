from __future__ import annotations

from collections.abc import Sequence

import pytest

from maxcode_lsp.policy.policy import Proposal
from maxcode_lsp.records import Critique, Origin
from maxcode_lsp.search import Budget, Node, Parts, Plan, Trials, Watcher
from maxcode_lsp.search.choosing import choose, open_gains, prospect
from maxcode_lsp.testing.fakes import FakeClock, FakeExecutor, FakePolicy, fake_job
from maxcode_lsp.text.source import SourceText
from maxcode_lsp.value.value import Estimate, Prospect

TEXT = b"a a\nb b\nc c\n"


class Gambler:
    """What is slower may become ten times faster in one of five cases; what is fast stays as it is."""

    name = "gambler"

    async def estimate(self, prospects: Sequence[Prospect]) -> Sequence[Estimate]:
        return [
            Estimate((0.8, 0.2), (one.speedup, 10.0)) if one.speedup < 2 else Estimate((1.0,), (one.speedup,))
            for one in prospects
        ]


async def made(plan: Plan) -> tuple[Trials, list[Node]]:
    executor = FakeExecutor(lambda text: 120 - 60 * text.count(b"A") - 20 * text.count(b"B"))

    async def critique(node: Node) -> Critique:
        return Critique()

    base = await executor.prepare(fake_job(TEXT))
    trials = Trials(
        base,
        SourceText(TEXT),
        executor,
        [FakePolicy({})],
        Budget(FakeClock(), 20, 100.0),
        Watcher(lambda _: None, critique),
        plan,
    )
    nodes: list[Node] = []
    for old, new in ((b"a a", b"A"), (b"b b", b"B"), (b"c c", b"C")):
        proposal = Proposal(TEXT.replace(old, new), Origin("fake", (new.decode(),), new.decode()))
        nodes.append((await trials.evaluate(trials.admit(proposal, trials.root), proposal.text, trials.root)).node)
    return trials, nodes


def nothing(_: Node) -> Critique | None:
    return None


async def test_plain_takes_the_fastest() -> None:
    trials, nodes = await made(Plan(parts=Parts(rerank=False)))
    choices = await choose(trials, nodes, 2, nothing)
    assert [choice.node.speedup for choice in choices] == [pytest.approx(2.0), pytest.approx(1.2)]


async def test_with_u_what_may_become_better_goes_before_what_is_in_hand() -> None:
    """Σ p_c · max(u, v_c): with 2 in hand, 2 for sure adds nothing, and one in five chances of 10 do."""
    trials, nodes = await made(Plan(values=Gambler()))
    assert (await choose(trials, nodes, 1, nothing))[0].node is nodes[1]


async def test_without_u_it_is_the_mean() -> None:
    class Even(Gambler):
        async def estimate(self, prospects: Sequence[Prospect]) -> Sequence[Estimate]:
            sure, gamble = Estimate((1.0,), (2.0,)), Estimate((0.9, 0.1), (0.5, 10.0))
            return [sure if one.speedup >= 2 else gamble for one in prospects]

    trials, nodes = await made(Plan(values=Even(), parts=Parts(u=False)))
    assert (await choose(trials, nodes[:2], 1, nothing))[0].node is nodes[0]
    trials, nodes = await made(Plan(values=Even()))
    assert (await choose(trials, nodes[:2], 1, nothing))[0].node is nodes[1]


async def test_what_paid_elsewhere_is_still_open() -> None:
    trials, (fast, slow, _) = await made(Plan())
    assert open_gains(trials, fast) == (pytest.approx(0.1823, rel=0.01),)
    assert open_gains(trials, slow) == (pytest.approx(0.6931, rel=0.01),)
    assert open_gains(trials, trials.root) == (), "what was made from it was tried there"
    seen = prospect(trials, trials.root, None)
    assert (seen.tried_here, seen.gains_here, seen.left, seen.depth) == (3, 2, 17, 0)
