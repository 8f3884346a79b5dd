from __future__ import annotations

import asyncio
import os
import stat
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from maxcode_lsp.executor.cores import Cores, lock_folder
from maxcode_lsp.executor.generator import InputSource
from maxcode_lsp.executor.sandbox import Scratch
from tests.executor.jobs import SUM, job


@pytest.fixture(autouse=True)
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
async def other() -> AsyncIterator[Cores]:
    """What another process would hold: locks belong to open files."""
    made = Cores()
    yield made
    made.close()


@pytest.mark.parametrize("umask", [0o077, 0o027, 0o000])
def test_other_users_can_lock_whatever_the_umask(umask: int) -> None:
    before = os.umask(umask)
    try:
        Cores().close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(lock_folder().stat().st_mode) == 0o1777
    files = list(lock_folder().iterdir())
    assert len(files) == len(os.sched_getaffinity(0))
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o644}


@pytest.mark.parametrize("way", ["build", "one", "all"])
async def test_waiting_for_another_process_is_told_once(other: Cores, way: str) -> None:
    told: list[float] = []
    mine = Cores(told.append, patience_s=0.1)

    async def want() -> None:
        if way == "build":
            async with mine.any():
                return
        async with mine.measuring(all_cores=way == "all"):
            return

    for times in (1, 2):
        async with other.measuring(all_cores=True):
            waiting = [asyncio.create_task(want()) for _ in range(3)]
            while len(told) < times:  # noqa: ASYNC110 - a plain function is told
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            assert len(told) == times
            assert told[-1] >= 0.1
        await asyncio.gather(*waiting)
    mine.close()


async def test_waiting_for_our_own_work_is_not_told() -> None:
    told: list[float] = []
    mine = Cores(told.append, patience_s=0.05)

    async def want() -> None:
        async with mine.any():
            return

    async with AsyncExitStack() as held:
        for _ in mine.all:
            await held.enter_async_context(mine.any())
        waiting = asyncio.create_task(want())
        measuring = asyncio.create_task(mine.measuring(all_cores=False).__aenter__())
        await asyncio.sleep(0.3)
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)
    await waiting
    assert told == []
    mine.close()


async def test_a_cancelled_wait_leaves_nothing_held(other: Cores) -> None:
    mine = Cores()
    async with other.any():
        waiting = asyncio.create_task(mine.measuring(all_cores=True).__aenter__())
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with other.measuring(all_cores=True) as core:
        assert core is None
    mine.close()


async def test_a_generator_holds_the_core_that_it_runs_on() -> None:
    where = b"import os\nprint(*sorted(os.sched_getaffinity(0)))\n"
    wanted = job(SUM, generator=where)
    assert wanted.generator is not None
    cores = Cores()
    with Scratch() as scratch:
        source = await InputSource.open(scratch, wanted, wanted.generator, allow_unconfined=False, cores=cores)
        async with cores.measuring(all_cores=True):
            making = asyncio.create_task(source.make(1, 1))
            await asyncio.sleep(0.3)
            assert not making.done()
        assert int(await making) in cores.all
        await source.close()
    cores.close()
