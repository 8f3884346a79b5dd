from __future__ import annotations

import asyncio
import os
import random
import stat
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.generator import InputSource
from maxcode_lsp.executor.locks import lock_folder
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


async def test_a_run_with_many_builds_does_not_starve_another() -> None:
    whole = Cores()
    many, few = whole.share(), whole.share()
    order: list[str] = []

    async def build(share: Cores, name: str) -> None:
        async with share.any():
            order.append(name)
            await asyncio.sleep(0.01)

    builds = [asyncio.create_task(build(many, "many")) for _ in range(40)]
    await asyncio.sleep(0.1)
    for number in range(5):
        before = len(order)
        await build(few, "few")
        # Whoever holds a core may end first; after that it is this run's turn.
        assert order.index("few", before) - before <= len(whole.all), (number, order)
    await asyncio.gather(*builds)
    assert order.count("many") == 40
    whole.close()


async def test_turns_alternate_between_runs_and_go_in_order_within_one() -> None:
    whole = Cores()
    first, second = whole.share(), whole.share()
    order: list[tuple[str, int]] = []

    async def build(share: Cores, name: str, number: int) -> None:
        async with share.any():
            order.append((name, number))

    async with whole.measuring(all_cores=True):
        builds = [asyncio.create_task(build(first, "first", n)) for n in range(6)]
        await asyncio.sleep(0.05)
        builds += [asyncio.create_task(build(second, "second", n)) for n in range(6)]
        await asyncio.sleep(0.05)
    await asyncio.gather(*builds)
    assert [n for name, n in order if name == "first"] == list(range(6))
    assert [n for name, n in order if name == "second"] == list(range(6))
    for seen in range(1, 12):
        names = [name for name, _ in order[:seen]]
        assert abs(names.count("first") - names.count("second")) <= len(whole.all)
    whole.close()


async def test_a_measurement_of_one_run_goes_before_waiting_builds_of_another() -> None:
    whole = Cores()
    builder, timer = whole.share(), whole.share()
    order: list[str] = []

    async def build() -> None:
        async with builder.any():
            order.append("build")

    async def measure() -> None:
        async with timer.measuring(all_cores=True):
            order.append("measurement")

    async with whole.measuring(all_cores=True):
        tasks = [asyncio.create_task(build()) for _ in range(5)]
        await asyncio.sleep(0.05)
        tasks += [asyncio.create_task(measure()) for _ in range(2)]
        await asyncio.sleep(0.05)
    await asyncio.gather(*tasks)
    assert order == ["measurement"] * 2 + ["build"] * 5
    whole.close()


async def test_a_busy_process_leaves_turns_to_another(other: Cores) -> None:
    mine = Cores()
    done = 0

    async def build(cores: Cores) -> None:
        nonlocal done
        async with cores.any():
            await asyncio.sleep(0.001)
        done += 1

    builds = [asyncio.create_task(build(mine)) for _ in range(200)]
    await asyncio.sleep(0)
    async with other.measuring(all_cores=True):
        assert done < 200
    await asyncio.gather(*builds)
    mine.close()


@pytest.mark.parametrize("seed", range(8))
async def test_every_core_has_one_holder_and_nothing_stays_held(seed: int, other: Cores) -> None:
    draw = random.Random(seed)
    whole = Cores()
    shares = [whole.share() for _ in range(3)]
    held: list[int] = []

    async def work(cores: Cores) -> None:
        kind = draw.choice(("build", "one", "all"))
        async with cores.any() if kind == "build" else cores.measuring(all_cores=kind == "all") as core:
            taken = cores.all if core is None else [core]
            assert not set(taken) & set(held)
            held.extend(taken)
            try:
                await asyncio.sleep(draw.choice((0, 0.001, 0.01)))
            finally:
                for each in taken:
                    held.remove(each)

    tasks = [asyncio.create_task(work(draw.choice([*shares, whole, other]))) for _ in range(60)]
    for task in draw.sample(tasks, 25):
        await asyncio.sleep(draw.choice((0, 0.005)))
        task.cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(end is None or isinstance(end, asyncio.CancelledError) for end in ends), ends
    assert [share.holds for share in (*shares, whole, other)] == [0] * 5
    async with other.measuring(all_cores=True):
        assert held == []
    whole.close()
