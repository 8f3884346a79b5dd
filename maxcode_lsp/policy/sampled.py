"""A policy that answers once, made to sample like a model does: better ideas are likelier, and each seed has others.

Proposals are drawn without replacement with probability ∝ exp(priority / temperature), by the Gumbel-top-k trick. For
comparisons of strategies, which need seeds; a user's run takes the best first.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from maxcode_lsp.policy.policy import Observation, Policy, Proposal

TEMPERATURE = 0.15
"""Ours, in log speedup: an idea expected to gain 15 % more is e times as likely to come first."""


class SampledPolicy:
    """See the module."""

    again = False

    def __init__(self, inner: Policy, seed: int, temperature: float = TEMPERATURE) -> None:
        self.name = inner.name
        self._inner = inner
        self._random = random.Random(seed)  # noqa: S311 - sampling, no secret
        self._temperature = temperature

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """See :class:`~maxcode_lsp.policy.policy.Policy`."""
        proposals = await self._inner.propose(observation, ALL)
        drawn = [(one.priority + self._temperature * self._gumbel(), -place) for place, one in enumerate(proposals)]
        order = sorted(range(len(proposals)), key=lambda place: drawn[place], reverse=True)
        return [proposals[place] for place in order[:count]]

    def _gumbel(self) -> float:
        return -math.log(-math.log(self._random.uniform(1e-12, 1 - 1e-12)))


ALL = 1000
"""More than any policy proposes for one version."""
