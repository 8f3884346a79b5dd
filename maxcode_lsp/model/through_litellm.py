"""A model behind litellm: any provider, asked in a stream, its answer typed and its cost counted."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import msgspec

from maxcode_lsp import redaction
from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import models
from maxcode_lsp.model import catalogue, retrying
from maxcode_lsp.model.answers import Collected
from maxcode_lsp.model.library import Library, load
from maxcode_lsp.model.model import Answer, Question, Usage
from maxcode_lsp.model.thread import ended_there, there
from maxcode_lsp.model.transport import Exchange, Transport

LONGEST_READS = 15
"""An answer may take so many times as long as an endpoint may be silent."""
STREAM_BYTES_PER_TOKEN = 1024
"""With all that is around a token's text."""
_OPTIONS = ("response_format", "top_p", "temperature", "stream_options", "max_tokens", "max_completion_tokens")
"""What a provider may not take; the least needed first."""
_NO_KEY = "none"
"""Sent where an endpoint of the user's own needs no key; litellm insists on one."""


class LitellmModel:
    """See :class:`~maxcode_lsp.model.model.Model`."""

    def __init__(
        self,
        name: str,
        transport: Transport,
        *,
        route: str = "",
        api_base: str = "",
        key: str | None = None,
        looked_for: Sequence[str] = (),
        context_tokens: int = catalogue.UNKNOWN_CONTEXT_TOKENS,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``route``: the name litellm is asked for, where it is another; ``looked_for``: where a key was looked for;
        ``pause``: waits, in seconds, between tries. Raises ModelTrouble for a key that cannot be one.
        """
        key = (key or "").strip() or None
        if key is not None:
            redaction.hide([key])
            if not (key.isascii() and key.isprintable()):
                raise ModelTrouble(models.key_odd(name), ModelFault.KEY_REFUSED)
        self._name = name
        self._transport = transport
        self._route = route or name
        self._api_base = api_base.strip().rstrip("/")
        self._key = key
        self._asked = retrying.Asked(name, key is not None, tuple(looked_for))
        self._context_tokens = context_tokens
        self._pause = pause
        self._not_taken: set[str] = set()
        self._asking: set[asyncio.Task[Any]] = set()
        self._beginning: set[asyncio.Task[Any]] = set()

    @property
    def name(self) -> str:
        return self._name

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def count(self, text: str) -> int:
        return catalogue.count(text)

    async def ask(self, question: Question) -> Answer:
        started_s = time.monotonic()
        library = await load()
        answer = await retrying.persist(lambda: there(self._try(library, question)), self._pause)
        return msgspec.structs.replace(answer, elapsed_s=time.monotonic() - started_s)

    async def close(self) -> None:
        await ended_there(self._end())

    async def _end(self) -> None:
        for task in self._asking:
            task.cancel()
        if left := self._asking | self._beginning:
            await asyncio.wait(left)

    async def _try(self, library: Library, question: Question) -> Answer:
        """Ask, each time without one more of the parameters that the provider does not take."""
        task = asyncio.current_task()
        assert task is not None
        self._asking.add(task)
        try:
            while (answer := await self._once(library, question)) is None:
                pass
        finally:
            self._asking.discard(task)
        return answer

    async def _once(self, library: Library, question: Question) -> Answer | None:
        """None: a parameter was not taken, and will not be sent again."""
        options = self._options(library, question)
        collected = Collected(question.max_tokens)
        async with self._transport.exchange((1 << 20) + question.max_tokens * STREAM_BYTES_PER_TOKEN) as exchange:
            try:
                await self._collect(library, question, options, exchange, collected)
            except TimeoutError:
                sentence = models.never_ending(self._name, exchange.address, self._longest_s)
                raise retrying.Failure(ModelFault.TOO_SLOW, sentence) from None
            except Exception as error:  # noqa: BLE001 (any error of litellm's is put into words, whatever it is)
                unwanted = retrying.rejected(exchange, tuple(options))
                if unwanted is not None:
                    self._not_taken.add(unwanted)
                    return None
                if retrying.declined(exchange):
                    collected.refuse(exchange.said)
                elif not exchange.cut:
                    raise retrying.explain(error, exchange, self._asked, self._transport) from None
            if exchange.refusal:
                collected.refuse(exchange.refusal)
            if collected.nothing and not exchange.failed and not exchange.streamed:
                raise retrying.not_an_answer(exchange, self._asked)
            return self._answer(library, question, collected, exchange)

    def _options(self, library: Library, question: Question) -> dict[str, Any]:
        options: dict[str, Any] = {
            "max_tokens": question.max_tokens,
            "temperature": question.temperature,
            "top_p": question.top_p,
            "stream_options": {"include_usage": True},
        }
        if question.schema is not None and library.takes_schema(self._route):
            schema = {"name": "answer", "strict": True, "schema": msgspec.json.decode(question.schema)}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        if "max_tokens" in self._not_taken:
            options["max_completion_tokens"] = question.max_tokens
        return {name: options[name] for name in _OPTIONS if name in options and name not in self._not_taken}

    async def _collect(
        self, library: Library, question: Question, options: dict[str, Any], exchange: Exchange, into: Collected
    ) -> None:
        """Read the answer. Raises TimeoutError where it takes too long, and whatever litellm raises."""
        call: dict[str, Any] = {
            "model": self._route,
            "messages": [{"role": message.role.value, "content": message.text} for message in question.messages],
            "n": 1,
            "max_retries": 0,
            "num_retries": 0,
            "timeout": self._longest_s,
            **options,
        }
        if self._api_base:
            call["api_base"] = self._api_base
        if self._key or self._api_base:
            call["api_key"] = self._key or _NO_KEY
        async with asyncio.timeout(self._longest_s):
            stream = await self._begin(library, call, exchange)
            async for piece in stream:
                into.take(piece)
                if into.over:
                    break
            else:
                into.end(stream)

    async def _begin(self, library: Library, call: dict[str, Any], exchange: Exchange) -> AsyncIterator[Any]:
        """The stream of an answer. What litellm does in a thread first nothing can cancel: then it comes to its end by
        itself, and finds that nothing is sent any more.
        """
        task = asyncio.create_task(library.stream(**call))
        self._beginning.add(task)
        task.add_done_callback(self._begun)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if exchange.address:
                task.cancel()
            await exchange.close()
            await asyncio.wait([task])
            raise

    def _begun(self, task: asyncio.Task[Any]) -> None:
        self._beginning.discard(task)
        if not task.cancelled():
            task.exception()  # where nobody asks for it any more

    @property
    def _longest_s(self) -> float:
        return self._transport.read_s * LONGEST_READS

    def _answer(self, library: Library, question: Question, collected: Collected, exchange: Exchange) -> Answer:
        prompt = sum(self.count(message.text) + catalogue.MESSAGE_TOKENS for message in question.messages)
        tokens_in, tokens_out = collected.tokens(prompt, self.count)
        cost_usd = 0.0 if is_loopback(exchange.host) else library.cost_usd(self._route, tokens_in, tokens_out)
        ending = collected.ending(cut=exchange.cut)
        usage = Usage(tokens_in, tokens_out, cost_usd)
        return Answer(model=self._name, text=collected.text, ending=ending, usage=usage)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
