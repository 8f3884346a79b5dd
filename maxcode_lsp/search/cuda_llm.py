"""CUDA-LLM's search (arXiv 2506.09092), plain and with MaxCode's parts (arXiv 2601.05475).

The source: so many candidates from one version; those that compile and pass are profiled, and the fastest seeds the
next round, faster than the version before or not. While none passes, the next round is made from the same version, with
the errors shown. With MaxCode's parts the search may go on from any version that paid, by reward-to-go.
"""

from __future__ import annotations

from maxcode_lsp.records import Outcome
from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.rounds import Rounds
from maxcode_lsp.search.trials import Trials


class CudaLlm:
    """See the module."""

    name = "cuda-llm"
    plain = Parts(profile=False, critique=False, trajectory=False, best=False, u=False, rerank=False)

    async def run(self, trials: Trials) -> Stop:
        """See :class:`~maxcode_lsp.search.search.Search`."""
        parts = trials.parts
        node = trials.root
        async with Rounds(trials) as rounds:
            while rounds.open:
                again = rounds.kept() if parts.rerank else [trials.best if parts.best else node]
                choices = await rounds.choose(again, 1)
                if not choices:
                    break
                node = choices[0].node
                judged = await rounds.take(choices, trials.plan.width)
                passed = [trial.node for trial in judged if trial.evaluation.outcome is Outcome.CORRECT]
                node = max(passed, key=lambda one: one.speedup, default=node)
            return rounds.stop
