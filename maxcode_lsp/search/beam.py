"""Beam search, plain and with MaxCode's parts (arXiv 2601.05475): width times depth candidates, 8 · 8 = 64 by default.

Plain: the right candidates of the last round are kept, fastest first, and the next round is dealt out to them. With
MaxCode's parts everything that paid so far competes for the beam, by reward-to-go. The paper names beam search and 64
candidates; how they are divided is our choice.
"""

from __future__ import annotations

from maxcode_lsp.records import Outcome
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.rounds import Rounds
from maxcode_lsp.search.trials import Trials

KEPT = 0.5
"""Ours: so many versions are kept for each candidate of a round."""


class Beam:
    """See the module."""

    name = "beam"
    plain = Parts(profile=False, critique=False, trajectory=False, best=False, u=False, rerank=False)

    async def run(self, trials: Trials) -> Stop:
        """See :class:`~maxcode_lsp.search.search.Search`."""
        width = trials.plan.width
        kept = [trials.root]
        async with Rounds(trials) as rounds:
            while rounds.open:
                again = rounds.kept() if trials.parts.rerank else kept
                choices = await rounds.choose(again, max(1, int(KEPT * width)))
                if not choices:
                    break
                judged = await rounds.take(choices, width)
                right = [trial.node for trial in judged if trial.evaluation.outcome is Outcome.CORRECT]
                elite = [trials.best] if trials.parts.best else []
                kept = [*right, *elite] or kept
            return rounds.stop
