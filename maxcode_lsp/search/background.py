"""Work that goes on beside a search's own loop, each piece with what to do when it ends."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Background:
    """Tasks whose results are handled one at a time, in the order of their ends, in the caller's own loop."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Future[Any], Callable[[Any], None]] = {}
        self._ended: deque[asyncio.Future[Any]] = deque()

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Awaitable[T], then: Callable[[T], None]) -> None:
        """Run ``work``; :meth:`step` will call ``then`` with its result."""
        task = asyncio.ensure_future(work)
        self._tasks[task] = then
        task.add_done_callback(self._ended.append)

    async def step(self, timeout_s: float) -> None:
        """Wait until something has ended (or the time is up) and handle the first that did. Raises what it raised."""
        if not self._ended:
            await asyncio.wait(self._tasks, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if self._ended:
            task = self._ended.popleft()
            self._tasks.pop(task)(task.result())

    async def cancel(self) -> None:
        """Give up whatever still runs, and wait until it is gone."""
        tasks = list(self._tasks)
        self._tasks.clear()
        self._ended.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
