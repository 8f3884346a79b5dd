"""The ``Search`` seam: a strategy that spends a budget of candidates on a target.

A new strategy is one file with one class and one line in :data:`SEARCHES`.
"""

from __future__ import annotations

from typing import Protocol

from maxcode_lsp.search.budget import Stop
from maxcode_lsp.search.parts import Parts
from maxcode_lsp.search.trials import Trials


class Search(Protocol):
    """A strategy over policy and executor."""

    name: str
    plain: Parts
    """What the strategy's own source shows a policy, where no part of MaxCode is asked for."""

    async def run(self, trials: Trials) -> Stop:
        """Propose and evaluate until the budget or the ideas are used up; says why it stopped.

        The best candidate is ``trials.best`` at any time, also after a cancellation.
        """
        ...
