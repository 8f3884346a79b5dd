"""Cores as a shared, machine-wide resource.

Every heavy child runs on a core that we hold: a file lock per core, so that two MaxCode processes
neither build nor measure over each other. A measurement goes before waiting builds.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

POLL_S = 0.02


def lock_folder() -> Path:
    """The machine-wide folder of lock files, shared by all users."""
    folder = Path(tempfile.gettempdir()) / "maxcode-locks"
    with suppress(FileExistsError):
        folder.mkdir()
        folder.chmod(0o1777)
    return folder


def _open(core: int) -> int:
    path = lock_folder() / f"core-{core}"
    with suppress(FileExistsError, PermissionError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    # Read-only is enough for flock and works on files of other users.
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC)


class Cores:
    """The cores this process may use. Locks are released by the kernel if we die."""

    def __init__(self) -> None:
        self.all = sorted(os.sched_getaffinity(0))
        self._files = {core: _open(core) for core in self.all}
        self._held: set[int] = set()
        self._measuring = 0

    def _try(self, core: int) -> bool:
        if core in self._held:
            return False
        try:
            fcntl.flock(self._files[core], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        self._held.add(core)
        return True

    def _release(self, cores: list[int]) -> None:
        for core in cores:
            fcntl.flock(self._files[core], fcntl.LOCK_UN)
            self._held.discard(core)

    @asynccontextmanager
    async def any(self) -> AsyncGenerator[int, None]:
        """Hold one core for a build or a verification; waits behind measurements."""
        taken: list[int] = []
        try:
            while not taken:
                if not self._measuring:
                    taken += self._first(self.all)
                if not taken:
                    await asyncio.sleep(POLL_S)
            yield taken[0]
        finally:
            self._release(taken)

    @asynccontextmanager
    async def measuring(self, *, all_cores: bool) -> AsyncGenerator[int | None, None]:
        """Hold the last free core (or every core: yields None) for measurement."""
        taken: list[int] = []
        self._measuring += 1
        try:
            try:
                if all_cores:
                    # One after the other in a fixed order: two processes cannot hold what the other waits for.
                    for core in self.all:
                        taken += await self._wait([core])
                else:
                    taken = await self._wait(self.all[::-1])
            finally:
                self._measuring -= 1
            yield None if all_cores else taken[0]
        finally:
            self._release(taken)

    async def _wait(self, choice: list[int]) -> list[int]:
        while True:
            # Another process's lock tells nobody that it is free: it has to be asked for again.
            if taken := self._first(choice):
                return taken
            await asyncio.sleep(POLL_S)

    def _first(self, choice: list[int]) -> list[int]:
        """The first core of ``choice`` that is free, now held; empty: none is."""
        for core in choice:
            if self._try(core):
                return [core]
        return []

    def close(self) -> None:
        """Give everything back. Idempotent."""
        for file in self._files.values():
            with suppress(OSError):
                os.close(file)
        self._files.clear()
