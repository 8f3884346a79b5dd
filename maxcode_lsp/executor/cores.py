"""Cores as a shared, machine-wide resource.

Every heavy child runs on a core that we hold: a file lock per core, so that two MaxCode processes
neither build nor measure over each other. A measurement goes before waiting builds.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

POLL_S = 0.02
PATIENCE_S = 30.0
"""So long nobody wonders why nothing happens."""


def lock_folder() -> Path:
    """The machine-wide folder of lock files, shared by all users.

    Somebody else's link under its name is not followed: we then keep locks of our own.
    """
    top = Path(tempfile.gettempdir())
    for folder in (top / "maxcode-locks", top / f"maxcode-locks-{os.geteuid()}"):
        with suppress(FileExistsError):
            folder.mkdir()
            folder.chmod(0o1777)
        if stat.S_ISDIR(folder.lstat().st_mode):
            break
    return folder


def _open(core: int) -> int:
    path = lock_folder() / f"core-{core}"
    with suppress(FileExistsError, PermissionError):
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644)
        try:
            os.fchmod(made, 0o644)  # whatever the umask: other users lock it, too
        finally:
            os.close(made)
    # Read-only is enough for flock and works on files of other users.
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)


class Cores:
    """The cores this process may use. Locks are released by the kernel if we die."""

    def __init__(self, on_wait: Callable[[float], None] | None = None, *, patience_s: float = PATIENCE_S) -> None:
        """``on_wait``: told, once until it is over, that other processes have kept every wanted core for
        ``patience_s`` and longer; takes those seconds. One that holds a core may have been stopped (Ctrl-Z).
        """
        self._on_wait = on_wait
        self._patience_s = patience_s
        self._told = False
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
            taken.append(await self._wait(self.all, behind_measurements=True))
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
                        taken += [await self._wait([core])]
                else:
                    taken.append(await self._wait(self.all[::-1]))
            finally:
                self._measuring -= 1
            yield None if all_cores else taken[0]
        finally:
            self._release(taken)

    async def _wait(self, choice: list[int], *, behind_measurements: bool = False) -> int:
        """The first core of ``choice`` that gets free, now held."""
        since: float | None = None
        while True:
            ours = not self._held.isdisjoint(choice)
            if behind_measurements and self._measuring:
                ours = True
            else:
                # Another process's lock tells nobody that it is free: it has to be asked for again.
                for core in choice:
                    if self._try(core):
                        self._told = False
                        return core
            now = time.monotonic()
            since = now if ours or since is None else since
            self._tell(now - since)
            await asyncio.sleep(POLL_S)

    def _tell(self, waited_s: float) -> None:
        if self._on_wait is not None and not self._told and waited_s >= self._patience_s:
            self._told = True
            self._on_wait(waited_s)

    def close(self) -> None:
        """Give everything back. Idempotent."""
        for file in self._files.values():
            with suppress(OSError):
                os.close(file)
        self._files.clear()
