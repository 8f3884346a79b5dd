"""Simulated annealing: one version at a time, and a worse one is taken at times, less and less often.

The documented example of a strategy in one file (docs/search.md). A correct candidate whose log speedup is d below that
of the present version replaces it with probability exp(-d / T); the temperature T falls from START to END over the
budget. All numbers are ours.
"""

from __future__ import annotations

import math

from maxcode_lsp.records import Outcome
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.rounds import Rounds
from maxcode_lsp.search.trials import Trials

START, END = 0.3, 0.01
"""In log speedup: at first a version that is a fourth slower is taken in one of three cases."""


class Annealing:
    """See the module."""

    name = "annealing"
    plain = Parts(critique=False, trajectory=False, best=False, u=False, rerank=False)

    async def run(self, trials: Trials) -> Stop:
        """See :class:`~maxcode_lsp.search.search.Search`."""
        node, budget = trials.root, trials.budget
        async with Rounds(trials) as rounds:
            while rounds.open:
                temperature = START * (END / START) ** (budget.used / budget.candidates)
                choices = await rounds.choose([node], 1)
                if not choices:
                    break
                node = choices[0].node
                for trial in await rounds.take(choices, 1):
                    worse = math.log(node.speedup / trial.node.speedup)
                    right = trial.evaluation.outcome is Outcome.CORRECT
                    if right and trials.random.random() < math.exp(-max(0.0, worse) / temperature):
                        node = trial.node
            return rounds.stop
