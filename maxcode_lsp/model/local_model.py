"""A model that this machine serves itself; its server starts with the first question."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from maxcode_lsp.model import catalogue
from maxcode_lsp.model.local.endpoint import Endpoint
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.model.model import Answer, Question
from maxcode_lsp.model.through_litellm import LitellmModel
from maxcode_lsp.model.transport import Transport


class LocalModel:
    """See :class:`~maxcode_lsp.model.model.Model`. Holds its server from the first question until it is closed."""

    def __init__(
        self, name: str, weights: str, context_tokens: int, servers: LocalServers, transport: Transport
    ) -> None:
        """``name``: as in settings; ``weights``: as :meth:`LocalServers.serving` knows them."""
        self._name = name
        self._weights = weights
        self._context_tokens = context_tokens
        self._servers = servers
        self._transport = transport
        self._held = AsyncExitStack()
        self._starting = asyncio.Lock()
        self._holding = False
        self._models: dict[Endpoint, LitellmModel] = {}

    @property
    def name(self) -> str:
        return self._name

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def count(self, text: str) -> int:
        return catalogue.count(text)

    async def ask(self, question: Question) -> Answer:
        async with self._starting:
            if not self._holding:
                await self._held.enter_async_context(self._servers.serving(self._weights))
                self._holding = True
        # A server that has died meanwhile is started again for whoever comes.
        async with self._servers.serving(self._weights) as endpoint:
            return await self._at(endpoint).ask(question)

    async def close(self) -> None:
        for model in self._models.values():
            await model.close()
        self._models.clear()
        self._holding = False
        await self._held.aclose()

    def _at(self, endpoint: Endpoint) -> LitellmModel:
        self._context_tokens = endpoint.context_tokens
        return self._models.setdefault(
            endpoint,
            LitellmModel(
                self._name,
                self._transport,
                route=f"openai/{endpoint.model}",
                api_base=endpoint.api_base,
                key=endpoint.key,
                context_tokens=endpoint.context_tokens,
            ),
        )
