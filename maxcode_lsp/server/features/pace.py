"""A calm pace: what is asked for often is done seldom, and the last time always."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Pace:
    """Does something at most once in ``every_s`` seconds. What is asked for meanwhile is done once, afterwards.

    Belongs to the running event loop, whose time it goes by.
    """

    def __init__(self, act: Callable[[], None], every_s: float, settle_s: float = 0.0) -> None:
        """``settle_s``: even the first time waits that long, so that a burst becomes one."""
        self._act = act
        self._every_s = every_s
        self._settle_s = settle_s
        self._last_s = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def ask(self) -> None:
        """Do it as soon as the pace allows."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            due_s = max(loop.time() + self._settle_s, self._last_s + self._every_s)
            if due_s <= loop.time():
                self.now()
            else:
                self._timer = loop.call_at(due_s, self.now)

    def now(self) -> None:
        """Do it at once, whatever the pace; what was asked for before is done with that."""
        self.cancel()
        self._last_s = asyncio.get_running_loop().time()
        self._act()

    def cancel(self) -> None:
        """Forget what was asked for."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
