"""Rounds: so many candidates made from given versions, all judged. What the strategies that work in rounds share.

Within a round model calls, builds and measurements overlap, a bandit deals the candidates out to the policies, and
nothing is proposed beyond what is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Self

from maxcode_lsp.messages import verdicts
from maxcode_lsp.records import Critique
from maxcode_lsp.search.background import Background
from maxcode_lsp.search.bandit import Bandit
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.choosing import Choice, choose
from maxcode_lsp.search.round import Round
from maxcode_lsp.search.trials import Node, Trial, Trials, carry, first_critique

MOST_KEPT = 24
"""Ours: so many versions are kept that a search may go back to."""


class Rounds:
    """The rounds of one search. Enter it, and leave it to end what still runs."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials
        self._background = Background()
        self._bandit = Bandit([policy.name for policy in trials.policies])
        self._critiques: dict[str | None, Critique] = {}
        self._dry: set[str | None] = set()
        """Nodes at which nobody proposed anything more."""
        self._looked: set[str | None] = set()
        """Nodes that were criticised and metered."""
        trials.budget.hopeful = trials.asks_models

    async def __aenter__(self) -> Self:
        await self._look(self._trials.root)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._background.cancel()

    @property
    def open(self) -> bool:
        """Whether another round may begin."""
        return self._trials.budget.open

    @property
    def stop(self) -> Stop:
        """Why the search ends now."""
        budget = self._trials.budget
        if (stop := budget.stop) is not None:
            return stop
        return Stop.EXHAUSTED if budget.used < budget.candidates else Stop.BUDGET

    def critique(self, node: Node) -> Critique:
        """What is known about a node: its own critique, else its parent's as far as that still holds."""
        known = self._critiques.get(node.id)
        if known is None:
            assert node.parent is not None
            known = self._critiques[node.id] = carry(self.critique(node.parent), node.parent.text, node.text)
        return known

    async def take(self, choices: Sequence[Choice], count: int) -> list[Trial]:
        """Judge so many candidates, dealt out to the nodes from the first on; fewer where the budget ends. Where nobody
        proposes anything at one of them it is not chosen again, and the next round goes back (see :meth:`kept`).
        """
        nodes = [choice.node for choice in choices]
        shares = [len(range(place, count, len(nodes))) for place in range(len(nodes))]
        self._trials.watcher.on_went_on(nodes[0], choices[0].why)
        await self._look(nodes[0])
        one = Round(self._trials, self._background, self._bandit, self.critique, list(zip(nodes, shares, strict=True)))
        judged = await one.run()
        if self._trials.budget.open:
            made = {trial.node.parent.id for trial in judged if trial.node.parent is not None}
            self._dry |= {node.id for node, share in zip(nodes, shares, strict=True) if share and node.id not in made}
        return judged

    async def choose(self, nodes: Sequence[Node], count: int) -> list[Choice]:
        """At most ``count`` of the nodes at which there may be something left to try, the best first; where there is
        none, the nearest version behind them. Empty: nothing is left anywhere.
        """
        if not self._trials.parts.code:
            nodes = [self._trials.root]
        fresh = [node for node in {node.id: node for node in nodes}.values() if node.id not in self._dry]
        if fresh:
            return await choose(self._trials, fresh, count, self.critique)
        for node in sorted(nodes, key=lambda node: -node.speedup):
            behind: Node | None = node.parent
            while behind is not None:
                if behind.id not in self._dry:
                    return [Choice(behind, verdicts.chosen_dry(behind.speedup))]
                behind = behind.parent
        return []

    def kept(self) -> list[Node]:
        """The original and the fastest of all that was surely faster than what it was made from."""
        faster = sorted((t.node for t in self._trials.history if t.faster), key=lambda node: -node.speedup)
        return [self._trials.root, *faster[:MOST_KEPT]]

    async def _look(self, node: Node) -> None:
        """A node is criticised and metered, once, as far as that is shown to anybody: the original always is."""
        trials, parts = self._trials, self._trials.parts
        if node.id in self._looked:
            return
        self._looked.add(node.id)
        if node is trials.root or parts.critique or parts.profile:
            self._critiques[node.id] = await first_critique(trials, node)
        if trials.watcher.opinion is not None and parts.critique:
            self._background.start(trials.watcher.opinion(node, self.critique(node)), partial(self._criticised, node))
        if trials.asks_models and parts.profile:
            await trials.meter(node)

    def _criticised(self, node: Node, critique: Critique) -> None:
        self._critiques[node.id] = critique
