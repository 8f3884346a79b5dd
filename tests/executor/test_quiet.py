"""What stands still while something is measured: real processes that would compute, and real measurements."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.quiet import STOP_S, WATCH_S, Lock, Watcher
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.records import Outcome
from tests.executor.jobs import FAST_SUM, GENERATOR, SUM, candidate, job

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
BUSY = "print(flush=True)\nwhile True: pass"
IDLE = "import time\nprint(flush=True)\ntime.sleep(600)"
THREADS = """
import threading
for _ in range(3):
    threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()
print(flush=True)
"""
HOLDER = """
import asyncio
from maxcode_lsp.executor.quiet import quiet
async def main():
    async with quiet():
        print(flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""
WATCHING = """
import subprocess, sys, time
from maxcode_lsp.executor.quiet import Watcher
code = "import os; from maxcode_lsp.model.local.process import die_with; die_with(os.getppid()); print(flush=True)"
code += "\\nwhile True: pass"
child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
child.stdout.readline()
watcher = Watcher(child.pid)
print(child.pid, flush=True)
time.sleep(600)
"""


class Child:
    """A process that is stopped now and then."""

    def __init__(self, code: str) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self.watcher = Watcher(self.process.pid)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.watcher.stop()


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except FileNotFoundError:
        return "gone"


async def until(fact: object, pid: int, *, seconds: float = 20) -> None:
    end_s = time.monotonic() + seconds
    while state(pid) not in str(fact):
        assert time.monotonic() < end_s, f"{state(pid)}, not {fact}"
        await asyncio.sleep(0.01)


async def becomes(lock: Lock, *, held: bool) -> None:
    end_s = time.monotonic() + 30
    while lock.elsewhere() is not held:
        assert time.monotonic() < end_s
        await asyncio.sleep(WATCH_S)


def other(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.fixture(autouse=True)
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


@pytest.fixture
def cores() -> Iterator[Cores]:
    made = Cores()
    yield made
    made.close()


@pytest.fixture
def busy() -> Iterator[Child]:
    made = Child(BUSY)
    yield made
    made.end()


async def computes(pid: int) -> None:
    """It gets processor time."""
    before, end_s = cpu_s(pid), time.monotonic() + 20
    while cpu_s(pid) <= before:
        assert time.monotonic() < end_s
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("all_cores", [False, True])
async def test_it_stands_still_while_measured_and_computes_before_and_after(
    cores: Cores, busy: Child, all_cores: bool
) -> None:
    pid = busy.process.pid
    await computes(pid)
    for _ in range(3):
        async with cores.measuring(all_cores=all_cores):
            await until("T", pid)  # from the first moment on, unless the watcher got no turn for a second
            used_s = cpu_s(pid)
            await asyncio.sleep(0.2)
            assert cpu_s(pid) == used_s
        await computes(pid)
    assert busy.watcher.pauses == 3
    assert busy.watcher.paused_s > 0


async def test_every_thread_stands_still(cores: Cores) -> None:
    child = Child(THREADS)
    try:
        async with cores.measuring(all_cores=False):
            tasks = Path(f"/proc/{child.process.pid}/task").iterdir()
            states = [(task / "stat").read_text().rpartition(") ")[2][0] for task in tasks]
            assert len(states) == 4
            assert set(states) == {"T"}
    finally:
        child.end()


async def test_builds_and_checks_do_not_stop_it(cores: Cores, busy: Child) -> None:
    async with cores.any():
        await computes(busy.process.pid)
    assert busy.watcher.pauses == 0


async def test_several_measurements_and_several_processes(cores: Cores, busy: Child) -> None:
    second = Child(BUSY)
    try:
        measuring = [cores.measuring(all_cores=False) for _ in cores.all]
        for each in measuring:
            await each.__aenter__()
            assert {state(busy.process.pid), state(second.process.pid)} == {"T"}
        await measuring.pop().__aexit__(None, None, None)
        if measuring:
            await asyncio.sleep(5 * WATCH_S)  # long enough for it to be let go
            assert {state(busy.process.pid), state(second.process.pid)} == {"T"}
        for each in measuring:
            await each.__aexit__(None, None, None)
        await computes(busy.process.pid)
        await computes(second.process.pid)
    finally:
        second.end()


async def test_back_to_back_measurements_leave_it_its_share(cores: Cores, busy: Child) -> None:
    """Between them there is no gap in which it could be seen that nobody measures."""
    before, paused = cpu_s(busy.process.pid), 0
    began_s = time.monotonic()
    while busy.watcher.pauses < 3 and time.monotonic() < began_s + 60:
        async with cores.measuring(all_cores=False):
            paused += 1
            await asyncio.sleep(0.3)
    assert busy.watcher.pauses >= 3  # it was let run twice
    assert paused > busy.watcher.pauses
    assert cpu_s(busy.process.pid) > before


async def test_one_that_has_nothing_to_do_takes_no_turn(cores: Cores) -> None:
    child = Child(IDLE)
    try:
        breathing = Lock("breathing")
        for _ in range(2):
            async with cores.measuring(all_cores=False):
                await becomes(breathing, held=True)  # nobody knows yet whether it has something to do
            await becomes(breathing, held=False)
        breathing.close()
    finally:
        child.end()


async def test_a_measurement_that_is_killed_lets_it_go(busy: Child) -> None:
    measuring = other(HOLDER)
    try:
        assert measuring.stdout is not None
        measuring.stdout.readline()
        await until("T", busy.process.pid)
        measuring.kill()
        await until("RS", busy.process.pid)
        await computes(busy.process.pid)
    finally:
        measuring.kill()
        measuring.communicate()


@pytest.mark.parametrize("paused", [False, True])
async def test_a_watcher_that_is_killed_takes_its_process_with_it(cores: Cores, paused: bool) -> None:
    watching = other(WATCHING)
    try:
        assert watching.stdout is not None
        pid = int(watching.stdout.readline())
        if paused:
            async with cores.measuring(all_cores=False):
                await until("T", pid)
                watching.kill()
                await until(("gone", "Z", "X"), pid)
        else:
            watching.kill()
            await until(("gone", "Z", "X"), pid)
        computing = Lock("computing")
        assert not computing.elsewhere()
        computing.close()
    finally:
        watching.kill()
        watching.communicate()


async def test_a_watcher_that_does_not_answer_holds_nobody_up_for_ever(cores: Cores) -> None:
    watching = other(WATCHING)
    try:
        assert watching.stdout is not None
        watching.stdout.readline()
        watching.send_signal(signal.SIGSTOP)
        await until("T", watching.pid)
        async with asyncio.timeout(STOP_S + 20):
            async with cores.measuring(all_cores=False):
                pass
    finally:
        watching.kill()
        watching.communicate()


async def test_a_process_that_ends_ends_the_watching(cores: Cores, busy: Child) -> None:
    busy.process.kill()
    busy.process.wait()
    async with cores.measuring(all_cores=False):
        pass
    busy.watcher.stop()
    busy.watcher.stop()
    computing = Lock("computing")
    assert not computing.elsewhere()
    computing.close()


async def test_waiting_can_be_cancelled(cores: Cores, busy: Child) -> None:
    breathing = Lock("breathing")
    assert breathing.take()

    async def measure() -> None:
        async with cores.measuring(all_cores=True):
            pass

    waiting = asyncio.create_task(measure())
    await asyncio.sleep(0.1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    breathing.close()
    assert cores.holds == 0
    async with asyncio.timeout(20), cores.measuring(all_cores=True):
        pass


async def test_it_stands_still_while_a_program_is_timed(tmp_path: Path, busy: Child) -> None:
    """The whole executor: looked at from beside, it used no time between two moments of one measurement."""
    executor = LocalExecutor(tmp_path / "cache", pairs=6)
    measuring, computing = Lock("measuring"), Lock("computing")
    grown: list[float] = []
    looked = 0

    async def look() -> None:
        nonlocal looked
        still_s: float | None = None
        while True:
            still = measuring.elsewhere() and not computing.elsewhere()
            now_s = cpu_s(busy.process.pid)
            if still and measuring.elsewhere() and state(busy.process.pid) == "T":
                if still_s is not None:
                    looked += 1
                    grown.append(now_s - still_s)
                still_s = now_s
            else:
                still_s = None
            await asyncio.sleep(0.01)

    looking = asyncio.create_task(look())
    try:
        base = await executor.prepare(job(SUM, generator=GENERATOR))
        made = candidate(SUM, FAST_SUM)
        before = cpu_s(busy.process.pid)
        judged = await executor.evaluate(base, made, test=PairedTest())
        assert judged.outcome is Outcome.CORRECT
        assert cpu_s(busy.process.pid) > before  # it was built meanwhile
    finally:
        looking.cancel()
        await executor.close()
        measuring.close()
        computing.close()
    assert looked > 5
    assert max(grown) == 0
