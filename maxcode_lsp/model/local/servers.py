"""The local model servers of one process: started when first asked for, ended with the last run that uses them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local import store
from maxcode_lsp.model.local.catalogue import CATALOGUE, find
from maxcode_lsp.model.local.endpoint import Endpoint, find_published
from maxcode_lsp.model.local.running import CONTEXT_TOKENS, Running

STARTS = 3
WITHIN_S = 60.0
"""Ours: a server that would have to be started more than ``STARTS`` times in so long is given up."""


@dataclass(eq=False)
class _Place:
    """What is known of the server of one model."""

    users: int = 0
    running: Running | None = None
    started_s: list[float] = field(default_factory=list[float])
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by who starts or ends it."""


class LocalServers:
    """At most one server for each model. One that ``maxcode model serve`` already runs is used instead."""

    def __init__(self, context_tokens: int = CONTEXT_TOKENS) -> None:
        """``context_tokens``: of the servers that it starts, question and answer together."""
        self._context_tokens = context_tokens
        self._places: dict[str, _Place] = {}
        self._closed = False

    @asynccontextmanager
    async def serving(self, name: str) -> AsyncGenerator[Endpoint, None]:
        """The server of a model (``1.5b``, ``0.5b``; empty: the best that was pulled). It ends, within 2 s, when
        nobody uses it. Raises ModelTrouble (``not_pulled``, ``library``, ``unreachable``, ``too_slow``).

        Where it has died, who comes next gets a new one: a run keeps one of these open, so that the server stays, and
        opens another for each question.
        """
        published = None if self._runs(name) else await asyncio.to_thread(_published, name)
        wanted = published.model if published is not None else (await asyncio.to_thread(store.need, name)).name
        place = self._places.setdefault(wanted, _Place())
        # Who uses another's server counts, too: should that end, the one that takes its place stays.
        place.users += 1
        try:
            if published is not None:
                yield published
                return
            async with place.turn:
                running = await self._running(place, wanted)
            yield running.endpoint
        finally:
            place.users -= 1
            await asyncio.shield(asyncio.ensure_future(self._leave(place)))

    async def close(self) -> None:
        """End all servers at once. Idempotent."""
        self._closed = True
        await asyncio.gather(*(self._end(place) for place in self._places.values()))

    def _runs(self, name: str) -> bool:
        place = self._places.get(name)
        return place is not None and place.running is not None and place.running.alive

    async def _running(self, place: _Place, name: str) -> Running:
        if self._closed:
            raise ModelTrouble(local_models.servers_closed(name), ModelFault.UNREACHABLE)
        if place.running is not None and not place.running.alive:
            await self._end(place)
        if place.running is None:
            now_s = time.monotonic()
            place.started_s = [at_s for at_s in place.started_s if at_s > now_s - WITHIN_S]
            if len(place.started_s) >= STARTS:
                raise ModelTrouble(local_models.server_keeps_dying(name), ModelFault.UNREACHABLE)
            weights = find(name)
            running = await Running.open(weights, store.file_of(weights), context_tokens=self._context_tokens)
            if self._closed:
                await running.close()
                raise ModelTrouble(local_models.servers_closed(name), ModelFault.UNREACHABLE)
            place.running = running
            place.started_s.append(now_s)
        return place.running

    async def _leave(self, place: _Place) -> None:
        async with place.turn:
            if not place.users:
                place.started_s.clear()  # it ends because nobody needs it, not because it died
                await self._end(place)

    async def _end(self, place: _Place) -> None:
        running, place.running = place.running, None
        if running is not None:
            await running.close()


def _published(name: str) -> Endpoint | None:
    names = (find(name).name,) if name else tuple(weights.name for weights in CATALOGUE)
    found = (find_published(each) for each in names)
    return next((each.endpoint for each in found if each is not None), None)
