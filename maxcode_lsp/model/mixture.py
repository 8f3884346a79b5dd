"""The models of a run: chosen by weight, their answers cached, what they cost counted and capped."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import models
from maxcode_lsp.model.cache import AnswerCache, key_of
from maxcode_lsp.model.catalogue import MESSAGE_TOKENS, Price
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.model import Answer, Model, Question
from maxcode_lsp.redaction import redact_known


class Member(Struct, frozen=True, eq=False):
    """One model of a mixture."""

    model: Model
    weight: float = 1.0
    identity: tuple[str, str] = ("", "")
    """Of whoever answers, for the cache: its name, and the address or digest that settles who that is. Without a name
    nothing is kept.
    """
    price: Price | None = None
    """None: not known."""
    local: bool = False
    """It is served on this machine by ourselves."""


class Mixture:
    """Models that are mixed. Close it.

    Made by :func:`maxcode_lsp.model.opening.open_models`.
    """

    def __init__(
        self,
        members: Sequence[Member],
        ledger: Ledger,
        cache: AnswerCache | None = None,
        on_close: Sequence[Callable[[], Awaitable[None]]] = (),
    ) -> None:
        """``cache`` None: every question is asked. ``on_close``: what else is freed at the end, the last first."""
        self.names = tuple(member.model.name for member in members)
        self.local = all(member.local for member in members)
        """All are served on this machine by ourselves, one question at a time."""
        self._members = tuple(members)
        self._ledger = ledger
        self._cache = cache
        self._on_close = tuple(on_close)
        self._asking: set[asyncio.Task[Answer]] = set()
        self._closed = False

    def choose(self, draw: str) -> Model:
        """A model by weight; the same ``draw`` (any text) always gets the same one."""
        digest = hashlib.sha256(draw.encode("utf-8", "surrogatepass")).digest()
        point = int.from_bytes(digest[:7]) / 2**56 * sum(member.weight for member in self._members)
        for member in self._members:
            point -= member.weight
            if point < 0:
                return member.model
        return self._members[-1].model

    async def ask(self, model: Model, question: Question) -> Answer:
        """Ask, unless the answer is known. Raises ModelTrouble, also where the caps are reached, or this was closed."""
        if self._closed:
            raise ModelTrouble(models.closed(model.name), ModelFault.UNREACHABLE)
        member = next((one for one in self._members if one.model is model), Member(model))
        task = asyncio.create_task(self._answer(member, question))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        try:
            return await task
        except asyncio.CancelledError:
            here = asyncio.current_task()
            if self._closed and here is not None and not here.cancelling():
                raise ModelTrouble(models.closed(model.name), ModelFault.UNREACHABLE) from None
            raise

    async def _answer(self, member: Member, question: Question) -> Answer:
        key = key_of(*member.identity, question) if self._cache is not None and member.identity[0] else ""
        if self._cache is not None and key and (known := await self._cache.get(key)) is not None:
            self._ledger.known()
            return known
        tokens_in = sum(member.model.count(message.text) + MESSAGE_TOKENS for message in question.messages)
        most_usd = None if member.price is None else member.price.most_usd(tokens_in, question.max_tokens)
        name, tokens = member.model.name, tokens_in + question.max_tokens
        async with self._ledger.question(name, tokens, most_usd) as answered:
            answer = await member.model.ask(question)
            answered(answer.usage)
        # A server may send back the key it was asked with; no model has an honest use for one.
        answer = replace(answer, text=redact_known(answer.text))
        if self._cache is not None and key:
            await self._cache.put(key, answer)
        return answer

    async def close(self) -> None:
        """End all questions and free everything. Idempotent."""
        self._closed = True
        for task in self._asking:
            task.cancel()
        async with AsyncExitStack() as stack:
            for free in self._on_close:
                stack.push_async_callback(free)
            if self._cache is not None:
                stack.push_async_callback(self._cache.close)
            for member in self._members:
                stack.push_async_callback(member.model.close)
            if self._asking:
                await asyncio.wait(self._asking)
