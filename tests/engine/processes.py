"""Processes as /proc shows them, and what an engine told, for tests of the engine process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from maxcode_lsp.engine.client import Engine, EngineState
from maxcode_lsp.engine.events import Event, RunResult
from maxcode_lsp.engine.journal.places import new_id
from maxcode_lsp.engine.wire import Start
from maxcode_lsp.settings import Settings

T = TypeVar("T")

PATIENCE_S = 120.0
"""For what a busy machine may take long to do."""
GONE_S = 20.0
"""Ours: ten times what is promised, as others may load the machine, and far less than any run here would go on.
The promise is measured by ``maxcode bench lsp``.
"""

TINY = '#include <cstdio>\nint main() { std::puts("hello"); }\n'
"""Too short to be measured: a run of it ends soon."""


def family(pid: int) -> dict[int, str]:
    """All descendants of a process, with the time each was started."""
    parents: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (fields := _fields(int(folder.name))):
            parents[int(folder.name)] = int(fields[1]), fields[19]
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for child, (of, started) in parents.items():
            if of == parent and child not in found:
                found[child] = started
                waiting.append(child)
    return found


def with_itself(pid: int) -> dict[int, str]:
    """A process and all its descendants."""
    return {pid: _fields(pid)[19], **family(pid)}


def living(processes: dict[int, str]) -> list[int]:
    """Those that still are."""
    return [pid for pid, started in processes.items() if (f := _fields(pid)) and f[19] == started and f[0] not in "ZX"]


def _fields(pid: int) -> list[str]:
    """State, parent, …, start time as number 19; empty: there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


async def until(there: Callable[[], T], limit_s: float = PATIENCE_S) -> T:
    """What a plain look at the world brings, once it is something. Raises TimeoutError."""
    async with asyncio.timeout(limit_s):
        while not (found := there()):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    return found


async def gone(processes: dict[int, str]) -> list[int]:
    """Those that are left after ``GONE_S``."""
    with suppress(TimeoutError):
        await until(lambda: not living(processes), GONE_S)
    return living(processes)


class Told:
    """Everything that an engine tells its client."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Event]] = []
        self.states: list[tuple[EngineState, str]] = []
        self._news = asyncio.Event()

    def engine(self) -> Engine:
        return Engine(self._event, self._state)

    def of(self, run: str) -> list[Event]:
        return [event for of, event in self.events if of == run]

    def results(self, run: str) -> list[RunResult]:
        return [event for event in self.of(run) if isinstance(event, RunResult)]

    async def until(self, there: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not there():
                self._news.clear()
                await self._news.wait()

    async def result(self, run: str) -> RunResult:
        await self.until(lambda: self.results(run))
        return self.results(run)[0]

    def _event(self, run: str, event: Event) -> None:
        self.events.append((run, event))
        self._news.set()

    def _state(self, state: EngineState, why: str) -> None:
        self.states.append((state, why))
        self._news.set()


def start(file: Path, *, text: bytes | None = None, settings: Settings | None = None, run: str | None = None) -> Start:
    return Start(run or new_id(), str(file), text, settings or Settings(budget=2, seconds=300))
