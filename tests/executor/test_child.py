from __future__ import annotations

import asyncio
import random

import pytest

from maxcode_lsp.executor.sandbox import open_sandbox, probe
from maxcode_lsp.executor.tool import ask


@pytest.mark.parametrize("yields", range(12))
async def test_cancelling_at_any_moment_of_a_start_ends(yields: int) -> None:
    for _ in range(8):
        task = asyncio.create_task(ask("/bin/sh", "-c", "sleep 60", limit_s=30))
        for _ in range(yields):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=20)
        assert done, "cancelling hangs"


async def test_cancelling_the_opening_of_a_sandbox_ends() -> None:
    await probe()
    draw = random.Random(1)
    for _ in range(40):
        task = asyncio.create_task(open_sandbox((), toolchain=True, memory_bytes=1 << 30))
        for _ in range(draw.randrange(8)):
            await asyncio.sleep(0)
        await asyncio.sleep(draw.choice((0, 0.001, 0.005, 0.02)))
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=20)
        assert done, "cancelling hangs"
        if not task.cancelled():
            await task.result().close()
