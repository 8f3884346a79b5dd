"""Greedy search: take the first change that pays, go deeper from there, combine what paid.

Proposals are evaluated in the policies' order, several at once. As soon as one is faster than the
version it was made from, and the best so far, the search goes on from it: the policies propose
again, and what was found faster elsewhere comes first, so that gains add up. What did nothing
before comes last. Models are asked beside all that, again and again (:mod:`maxcode_lsp.search.lanes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from maxcode_lsp.messages import verdicts
from maxcode_lsp.policy.policy import Proposal
from maxcode_lsp.records import Critique, Origin
from maxcode_lsp.search.background import Background
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.lanes import Lanes
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.trials import Node, Trial, Trials, carry, first_critique

IN_FLIGHT = 4
"""Ours: enough that builds go on while one candidate is measured."""
WIDTH = 64
"""Proposals asked for at once."""


class Greedy:
    """See the module."""

    name = "greedy"
    plain = Parts(rerank=False)

    async def run(self, trials: Trials) -> Stop:
        climb = _Climb(trials)
        try:
            return await climb.run()
        finally:
            await climb.background.cancel()


class _Idea(Struct, frozen=True):
    """A proposal with the node that it was made from."""

    proposal: Proposal
    node: Node
    costly: bool
    """A model's: it took long to get, and is tried at once, whatever the search went on to meanwhile."""


class _Climb:
    def __init__(self, trials: Trials) -> None:
        self.background = Background()
        self._trials = trials
        self._lanes = Lanes(trials, self.background)
        self._quick = [policy for policy in trials.policies if not policy.again]
        self._node = trials.root
        self._critique = Critique()
        self._queue: list[_Idea] = []
        self._paid: dict[str, bool] = {}
        self._evaluating = 0
        self._criticising = False
        self._answered = not self._quick

    async def run(self) -> Stop:
        budget = self._trials.budget
        self._critique = await first_critique(self._trials)
        self._lanes.think(self._node, self._critique, self._thought)
        self._ask()
        while True:
            if (stop := budget.stop) is not None:
                return stop
            self._start()
            self._lanes.ask(self._node, self._critique, self._brought)
            if self._idle:
                return Stop.EXHAUSTED if budget.used < budget.candidates else Stop.BUDGET
            await self.background.step(budget.left_s)

    @property
    def _idle(self) -> bool:
        """Nothing runs that could still lead to a candidate."""
        return len(self.background) == 0 or (
            not self._evaluating and self._trials.budget.used >= self._trials.budget.candidates
        )

    def _ask(self) -> None:
        observation = self._trials.observe(self._node, self._critique)
        self._answered = not self._quick
        for rank, policy in enumerate(self._quick):
            asked = self._trials.propose(policy, self._node, observation, WIDTH)
            self.background.start(asked, partial(self._merge, self._node, rank))

    def _merge(self, node: Node, rank: int, proposals: Sequence[Proposal]) -> None:
        if node is self._node:
            self._answered = self._answered or rank == 0
            known = {idea.proposal.text for idea in self._queue}
            fresh = [p for p in proposals if p.text not in known and self._trials.fresh(p)]
            self._queue += [_Idea(p, node, costly=False) for p in fresh]
            self._queue.sort(key=self._rank)

    def _brought(self, node: Node, proposals: Sequence[Proposal]) -> None:
        """What a lane proposes."""
        self._queue[:0] = [_Idea(proposal, node, costly=True) for proposal in proposals]

    def _rank(self, idea: _Idea) -> tuple[int, float]:
        """What took long first, then what paid; what did nothing last; else as the policies say."""
        paid = self._paid.get(signature(idea.proposal.origin))
        return (-1 if idea.costly else 1 if paid is None else 0 if paid else 2), -idea.proposal.priority

    def _start(self) -> None:
        # The first policy is the one that counts: nothing is begun before it has answered.
        while self._answered and self._queue and self._evaluating < IN_FLIGHT and self._trials.budget.open:
            idea = self._queue[0]
            if not idea.costly and not self._lanes.leave_room:
                return
            self._queue.pop(0)
            if self._trials.fresh(idea.proposal):
                candidate = self._trials.admit(idea.proposal, idea.node)
                self._evaluating += 1
                self._lanes.began(idea.proposal)
                self.background.start(
                    self._trials.evaluate(candidate, idea.proposal.text, idea.node), partial(self._learn, idea)
                )
            else:
                self._lanes.free(idea.proposal)

    def _learn(self, idea: _Idea, trial: Trial) -> None:
        self._evaluating -= 1
        self._lanes.free(idea.proposal)
        key = signature(idea.proposal.origin)
        self._paid[key] = trial.faster or self._paid.get(key, False)
        if trial.best:
            self._critique = carry(self._critique, self._node.text, trial.node.text)
            self._node = trial.node
            self._trials.watcher.on_went_on(trial.node, verdicts.went_on(trial.node.speedup))
            self._queue = [waiting for waiting in self._queue if waiting.costly]
            self._lanes.refresh()
            self._ask()
            if not self._criticising:
                self._criticising = True
                self.background.start(self._trials.watcher.critique(trial.node), partial(self._criticised, trial.node))
        elif trial.faster:
            self._queue.sort(key=self._rank)

    def _criticised(self, node: Node, critique: Critique) -> None:
        self._criticising = False
        if node is self._node:
            self._critique = critique
            self._ask()
            self._lanes.think(node, self._critique, self._thought)

    def _thought(self, node: Node, critique: Critique) -> None:
        if node is self._node:
            self._critique = critique
            self._lanes.refresh()


def signature(origin: Origin) -> str:
    """What was done, wherever it was done: the same signature at another node is the same idea."""
    return f"{origin.policy}:{','.join(origin.actions)}:{origin.rationale}"
