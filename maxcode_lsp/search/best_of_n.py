"""Best of n: proposals for the original only, all judged against it. The control for other strategies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from maxcode_lsp.policy.policy import Proposal
from maxcode_lsp.records import Critique
from maxcode_lsp.search.background import Background
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.lanes import Lanes
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.trials import Node, Trial, Trials, first_critique

IN_FLIGHT = 4


class BestOfN:
    """See the module."""

    name = "best-of-n"
    plain = Parts(
        code=False,
        feedback=False,
        profile=False,
        critique=False,
        trajectory=False,
        best=False,
        u=False,
        rerank=False,
    )

    async def run(self, trials: Trials) -> Stop:
        draw = _Draw(trials)
        try:
            return await draw.run()
        finally:
            await draw.background.cancel()


class _Draw:
    def __init__(self, trials: Trials) -> None:
        self.background = Background()
        self._trials = trials
        self._lanes = Lanes(trials, self.background)
        self._critique = Critique()
        self._queue: list[Proposal] = []
        self._evaluating = 0

    async def run(self) -> Stop:
        trials, budget = self._trials, self._trials.budget
        self._critique = await first_critique(trials)
        self._lanes.think(trials.root, self._critique, self._thought)
        self._lanes.ask(trials.root, self._critique, self._brought)
        observation = trials.observe(trials.root, self._critique)
        quick = [policy for policy in trials.policies if not policy.again]
        asked = await asyncio.gather(
            *(trials.propose(policy, trials.root, observation, budget.candidates) for policy in quick)
        )
        self._queue += sorted((p for some in asked for p in some), key=lambda p: -p.priority)
        while (stop := budget.stop) is None:
            self._start()
            self._lanes.ask(trials.root, self._critique, self._brought)
            if not self.background or (not self._evaluating and budget.used >= budget.candidates):
                return Stop.EXHAUSTED if budget.used < budget.candidates else Stop.BUDGET
            await self.background.step(budget.left_s)
        return stop

    def _brought(self, node: Node, proposals: Sequence[Proposal]) -> None:  # noqa: ARG002 - it is the original
        """What took long to get is tried first."""
        self._queue[:0] = proposals

    def _thought(self, node: Node, critique: Critique) -> None:  # noqa: ARG002 - it is the original
        self._critique = critique
        self._lanes.refresh()

    def _start(self) -> None:
        trials = self._trials
        while self._queue and self._evaluating < IN_FLIGHT and trials.budget.open:
            if not self._lanes.made(self._queue[0]) and not self._lanes.leave_room:
                return
            proposal = self._queue.pop(0)
            if trials.fresh(proposal):
                candidate = trials.admit(proposal, trials.root)
                self._evaluating += 1
                self._lanes.began(proposal)
                self.background.start(
                    trials.evaluate(candidate, proposal.text, trials.root), partial(self._judged, proposal)
                )
            else:
                self._lanes.free(proposal)

    def _judged(self, proposal: Proposal, _trial: Trial) -> None:
        """Trials keeps the best."""
        self._evaluating -= 1
        self._lanes.free(proposal)
