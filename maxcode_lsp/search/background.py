"""Work that goes on beside a search's own loop, each piece with what to do when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Background:
    """Tasks whose results are handled one at a time, in the caller's own loop."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Future[Any], Callable[[Any], None]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Awaitable[T], then: Callable[[T], None]) -> None:
        """Run ``work``; :meth:`step` will call ``then`` with its result."""
        self._tasks[asyncio.ensure_future(work)] = then

    async def step(self, timeout_s: float) -> None:
        """Wait until something ends (or the time is up) and handle all that ended. Raises what a task raised."""
        done, _ = await asyncio.wait(self._tasks, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            self._tasks.pop(task)(task.result())

    async def cancel(self) -> None:
        """Give up whatever still runs, and wait until it is gone."""
        tasks = list(self._tasks)
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
