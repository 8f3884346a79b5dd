"""An event loop whose time stands still while there is something to do, and skips what would only be waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class SkippingLoop(asyncio.SelectorEventLoop):
    """Timers fire in their order, at once. Threads are waited for."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self._threads = 0
        super().__init__()

    def time(self) -> float:
        return self._now_s

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        future = super().run_in_executor(executor, func, *args)
        self._threads += 1
        future.add_done_callback(self._left)
        return future

    def _left(self, _: object) -> None:
        self._threads -= 1

    def _run_once(self) -> None:
        inner: Any = super()
        mine: Any = self
        due_s = [timer.when() for timer in mine._scheduled if not timer.cancelled()]
        if due_s and not mine._ready and not self._threads:
            self._now_s = max(self._now_s, min(due_s))
        inner._run_once()


def skipping(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end without waiting."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(work)
