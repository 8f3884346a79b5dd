"""Effi-Learner's search (arXiv 2405.15189), plain and with MaxCode's parts (arXiv 2601.05475).

The source: one version at a time is asked for, with the overhead of the present one shown (time, peak memory, integral
of memory over time, hot lines). It replaces the present one where it is right and its memory–time integral is strictly
smaller; its run time is not asked. With MaxCode's parts it must be surely faster instead, unless set otherwise, and
the search may go back to any version that paid, by reward-to-go.
"""

from __future__ import annotations

from maxcode_lsp.records import Outcome
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.rounds import Rounds
from maxcode_lsp.search.trials import Node, Trial, Trials


class EffiLearner:
    """See the module."""

    name = "effi-learner"
    plain = Parts(critique=False, trajectory=False, best=False, u=False, rerank=False)

    async def run(self, trials: Trials) -> Stop:
        """See :class:`~maxcode_lsp.search.search.Search`."""
        node = trials.root
        async with Rounds(trials) as rounds:
            while rounds.open:
                choices = await rounds.choose(rounds.kept() if trials.parts.rerank else [node], 1)
                if not choices:
                    break
                for trial in await rounds.take(choices, 1):
                    if await _accepted(trials, node, trial):
                        node = trial.node
            return rounds.stop


async def _accepted(trials: Trials, node: Node, trial: Trial) -> bool:
    """Whether a candidate replaces the present version."""
    if trial.evaluation.outcome is not Outcome.CORRECT:
        return False
    if not trials.plan.by_memory:
        return trial.faster and trial.node.speedup > node.speedup
    before, after = await trials.meter(node), await trials.meter(trial.node)
    return before is not None and after is not None and after.memory_time_mbs < before.memory_time_mbs
