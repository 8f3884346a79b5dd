"""Best of n: proposals for the original only, all judged against it. The control for other strategies."""

from __future__ import annotations

import asyncio

from maxcode_lsp.policy.policy import Proposal
from maxcode_lsp.search.background import Background
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.trials import Trial, Trials, first_critique

IN_FLIGHT = 4


class BestOfN:
    """See the module."""

    name = "best-of-n"

    async def run(self, trials: Trials) -> Stop:
        budget = trials.budget
        observation = trials.observe(trials.root, await first_critique(trials))
        asked = await asyncio.gather(
            *(trials.propose(policy, trials.root, observation, budget.candidates) for policy in trials.policies)
        )
        queue = sorted((p for some in asked for p in some), key=lambda p: -p.priority)
        background = Background()
        try:
            while (stop := budget.stop) is None:
                while queue and len(background) < IN_FLIGHT and budget.open:
                    self._start(trials, queue.pop(0), background)
                if not background:
                    return Stop.EXHAUSTED if budget.used < budget.candidates else Stop.BUDGET
                await background.step(budget.left_s)
            return stop
        finally:
            await background.cancel()

    @staticmethod
    def _start(trials: Trials, proposal: Proposal, background: Background) -> None:
        def nothing(trial: Trial) -> None:
            """Trials keeps the best."""

        if trials.fresh(proposal):
            candidate = trials.admit(proposal, trials.root)
            background.start(trials.evaluate(candidate, proposal.text, trials.root), nothing)
