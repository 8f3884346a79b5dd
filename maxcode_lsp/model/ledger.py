"""What a run spends on models, and the caps that it holds to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal

from msgspec import Struct

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import models
from maxcode_lsp.model.model import Usage

_NOTHING = Decimal(0)


class _Part(Struct, frozen=True, eq=False):
    """What one question may take, held back until it is answered."""

    model: str
    tokens: int
    cost_usd: Decimal | None
    """None: not known before it is answered."""


class Ledger:
    """The books of one run.

    A question is asked only if it keeps to the caps whatever its answer is; questions that are not answered yet hold
    their part back. Where a price is known only afterwards, the dearest answer of that model so far is what the next
    may cost for each token, and the first question is asked alone. What has no price counts in tokens only.
    """

    def __init__(self, max_tokens: int, max_cost_usd: float, on_change: Callable[[], None] = lambda: None) -> None:
        """``on_change`` is told whenever a question is asked or answered."""
        self.calls = 0
        """Answers, those from the cache included."""
        self.cached = 0
        self._max_tokens = max_tokens
        self._max_cost_usd = _exact(max_cost_usd)
        self._on_change = on_change
        self._tokens_in = 0
        self._tokens_out = 0
        self._cost_usd: Decimal | None = None
        self._open: list[_Part] = []
        self._rates: dict[str, Decimal] = {}
        """Of models whose price is known only afterwards: the most that a token has cost."""
        self._settled = asyncio.Event()

    @property
    def asking(self) -> int:
        """Questions that are not answered yet."""
        return len(self._open)

    @property
    def usage(self) -> Usage:
        """All that was spent."""
        cost_usd = None if self._cost_usd is None else float(self._cost_usd)
        return Usage(self._tokens_in, self._tokens_out, cost_usd)

    def carry(self, spent: Usage) -> None:
        """Count what the run spent in an earlier process."""
        self._count(spent)

    def known(self) -> None:
        """Count an answer that was known already, and cost nothing."""
        self.calls += 1
        self.cached += 1
        self._on_change()

    @asynccontextmanager
    async def question(
        self, model: str, tokens: int, most_usd: float | None
    ) -> AsyncGenerator[Callable[[Usage], None], None]:
        """A question that may take so much, its answer included; tell what it took. It waits while others hold back
        what it may take. Raises ModelTrouble where the caps do not allow it.

        ``most_usd`` None: its price is not known before. What is asked and brings no answer is not counted: nobody says
        what it cost.
        """
        part = _Part(model, tokens, None if most_usd is None else _exact(most_usd))
        while why := self._against(part, self._open):
            if not self._open or self._against(part, ()):
                raise ModelTrouble(why, ModelFault.CAP_REACHED)
            await self._settled.wait()
        self._open.append(part)
        self._on_change()
        try:
            yield lambda usage: self._answered(part, usage)
        finally:
            self._open.remove(part)
            self._settled.set()
            self._settled = asyncio.Event()
            self._on_change()

    def _answered(self, part: _Part, usage: Usage) -> None:
        self.calls += 1
        self._count(usage)
        if part.cost_usd is None:
            tokens = max(usage.tokens_in + usage.tokens_out, 1)
            rate = _exact(usage.cost_usd or 0) / tokens
            self._rates[part.model] = max(rate, self._rates.get(part.model, _NOTHING))

    def _count(self, usage: Usage) -> None:
        self._tokens_in += usage.tokens_in
        self._tokens_out += usage.tokens_out
        if usage.cost_usd is not None:
            self._cost_usd = (self._cost_usd or _NOTHING) + _exact(usage.cost_usd)

    def _against(self, part: _Part, others: Sequence[_Part]) -> str:
        """Why a question cannot be asked beside others; empty: it can."""
        used = self._tokens_in + self._tokens_out
        if used + sum(other.tokens for other in others) + part.tokens > self._max_tokens:
            return models.tokens_used_up(self._max_tokens, used, part.tokens)
        spent_usd = self._cost_usd or _NOTHING
        may_usd = self._may_cost(part)
        if may_usd is None and any(other.model == part.model for other in others):
            return "its price is not known yet"  # only ever waited for, never said
        held_usd = sum((self._may_cost(other) or _NOTHING for other in others), _NOTHING)
        if may_usd != 0 and spent_usd + held_usd + (may_usd or _NOTHING) > self._max_cost_usd:
            return models.money_used_up(float(self._max_cost_usd), float(spent_usd), float(may_usd or 0))
        return ""

    def _may_cost(self, part: _Part) -> Decimal | None:
        if part.cost_usd is not None:
            return part.cost_usd
        rate = self._rates.get(part.model)
        return None if rate is None else rate * part.tokens


def _exact(dollars: float) -> Decimal:
    return Decimal(repr(float(dollars)))
