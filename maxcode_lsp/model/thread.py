"""The thread in which models are asked: what litellm does between two pieces of an answer would hold up the engine.

It has an event loop of its own, the same as long as the process lives, as litellm keeps clients from one question to
the next.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

Result = TypeVar("Result")
_END_S = 2.0


async def there(work: Coroutine[Any, Any, Result]) -> Result:
    """Run it in that thread. Cancelling answers at once; the work is cancelled, and ends there by itself."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, _loop()))


async def ended_there(work: Coroutine[Any, Any, None]) -> None:
    """Run what frees something in that thread; given up after ``_END_S``: what hangs there holds nobody up."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_END_S):
            await there(work)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="models", daemon=True)
    thread.start()

    async def drain() -> None:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await loop.shutdown_asyncgens()
        loop.stop()

    def end() -> None:
        asyncio.run_coroutine_threadsafe(drain(), loop)
        thread.join(_END_S)
        if not thread.is_alive():
            loop.close()

    atexit.register(end)
    return loop
