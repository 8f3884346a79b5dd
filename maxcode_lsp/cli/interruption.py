"""Ctrl-C and its relatives: answered at once, everything gone within two seconds."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from maxcode_lsp.cli.failure import CANCELLED, Interrupted

T = TypeVar("T")

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_TEARDOWN_S = 1.5


def run_interruptible(
    work: Coroutine[Any, Any, T],
    *,
    on_signal: Callable[[], None] = lambda: None,
    on_deadline: Callable[[], None] = lambda: None,
) -> T:
    """Run to the end in a fresh event loop. The first signal cancels; a second one ends the process at once.

    ``on_signal`` is called when the first signal arrives, in the signal handler. Work that is not torn
    down by ``_TEARDOWN_S`` is given up: ``on_deadline`` is called and the process ends with 130. The
    children of the work die with this process (their sandboxes are tied to it).

    The work may answer its cancellation with a value, which is returned; else Interrupted is raised.
    """
    stopped = False

    def give_up() -> None:
        try:
            on_deadline()
        finally:
            os._exit(CANCELLED)

    alarm = threading.Timer(_TEARDOWN_S, give_up)
    alarm.daemon = True

    async def cancellable() -> T:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()

        def handle(_number: int, _frame: FrameType | None) -> None:
            nonlocal stopped
            if stopped:
                os._exit(CANCELLED)
            stopped = True
            alarm.start()
            on_signal()
            loop.call_soon_threadsafe(task.cancel)

        # Handlers of the signal module, not of the loop: they run even when the loop is busy.
        # What was ignored from the start (nohup) stays so.
        heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, handle) for number in heard}
        try:
            return await task
        finally:
            if not stopped:
                for number, handler in before.items():
                    signal.signal(number, handler)

    try:
        return asyncio.run(cancellable())
    except asyncio.CancelledError:
        raise Interrupted from None
    finally:
        alarm.cancel()
