"""Answers that are known from earlier runs, by everything that matters to an answer."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from maxcode_lsp.executor.store import Store
from maxcode_lsp.model.model import Answer, Ending, Question, Usage
from maxcode_lsp.settings import cache_folder

FORMAT = 1
"""Changed whenever a question means something else, or an answer is read otherwise."""
SIZE_BYTES = 64 << 20
KEPT_S = 30 * 24 * 3600.0
"""Providers change the model behind a name."""
KEPT_ENDINGS = frozenset({Ending.STOP, Ending.LENGTH})
"""An answer that was cut off would be so again, for the limit is part of the question. A refusal, an empty answer and
one that only thinks are often a whim of the provider, and asking again is what helps.
"""
_DISK_S = 10.0
T = TypeVar("T")


def answers_folder() -> Path:
    """Where the answers of this user are kept; it may not exist yet."""
    return cache_folder() / "answers"


def key_of(model: str, settled: str, question: Question) -> str:
    """SHA-256 of all that an answer depends on. ``settled``: the address or digest that settles who answers."""
    asked = msgspec.to_builtins((FORMAT, model, settled, question))
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


class AnswerCache:
    """A bounded cache that only its user can read. Any trouble with it is a miss. Close it."""

    def __init__(self, folder: Path) -> None:
        """Touches no disk yet."""
        self._folder = folder
        self._store: Store | None = None
        self._thread = ThreadPoolExecutor(1, "answers")
        """All is done in one thread, since a database is closed where it was opened."""

    async def get(self, key: str) -> Answer | None:
        """A known answer, marked as such; None: there is none."""
        data = await self._do(lambda store: store.get(key))
        if data is None:
            return None
        try:
            answer = msgspec.msgpack.decode(data, type=Answer)
        except (msgspec.DecodeError, ValueError):
            await self._do(lambda store: store.drop(key))
            return None
        return replace(answer, cached=True, usage=Usage(0, 0, 0.0), elapsed_s=0.0)

    async def put(self, key: str, answer: Answer) -> None:
        """Keep an answer, if it would come again."""
        if answer.ending in KEPT_ENDINGS:
            data = msgspec.msgpack.encode(answer)
            await self._do(lambda store: store.put(key, data, KEPT_S))

    async def close(self) -> None:
        """Close the database. Idempotent."""
        if self._store is not None:
            await self._do(lambda store: store.close())
            self._store = None
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _do(self, act: Callable[[Store], T]) -> T | None:
        def work() -> T:
            if self._store is None:
                self._store = Store(self._folder, "The cache of answers", size_bytes=SIZE_BYTES, private=True)
            return act(self._store)

        with contextlib.suppress(TimeoutError, RuntimeError):  # the disk hangs; it was closed
            async with asyncio.timeout(_DISK_S):
                return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        return None
