"""Cores as a shared, machine-wide resource.

Every heavy child runs on a core that we hold: a file lock per core, so that two MaxCode processes
neither build nor measure over each other. A measurement goes before waiting builds. Runs of one
process share: a free core goes to the run that holds the fewest, in turn.
"""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import random
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from maxcode_lsp.executor.locks import open_lock
from maxcode_lsp.executor.quiet import quiet

POLL_S = 0.02
PATIENCE_S = 30.0
"""So long nobody wonders why nothing happens."""


@dataclass(eq=False)
class _Wait:
    """Somebody wants one core of each choice, one after the other."""

    share: Cores
    choices: list[list[int]]
    """Those still to come."""
    measuring: bool
    number: int
    done: asyncio.Future[None]
    taken: list[int] = field(default_factory=list[int])
    since_s: float | None = None
    """Since when only other processes are in the way."""

    @property
    def rank(self) -> tuple[bool, bool, int, int, int]:
        """Lowest first. Cores that are held already are idle until the others are there, too."""
        return not self.taken, not self.measuring, self.share.holds, self.share.served, self.number


@dataclass(eq=False)
class _Pool:
    """The locks of this process, and who waits for them. Locks are released by the kernel if we die."""

    files: dict[int, int]
    held: set[int] = field(default_factory=set[int])
    waits: list[_Wait] = field(default_factory=list[_Wait])
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    timer: asyncio.TimerHandle | None = None

    async def take(self, share: Cores, choices: list[list[int]], *, measuring: bool) -> list[int]:
        """One core of each choice, as they get free, now held for ``share``."""
        done = asyncio.get_running_loop().create_future()
        wait = _Wait(share, choices, measuring, next(self.numbers), done)
        self.waits.append(wait)
        self._serve()
        try:
            await done
        except asyncio.CancelledError:
            self.release(share, wait.taken)
            raise
        finally:
            if wait in self.waits:
                self.waits.remove(wait)
        return wait.taken

    def release(self, share: Cores, cores: list[int]) -> None:
        for core in cores:
            fcntl.flock(self.files[core], fcntl.LOCK_UN)
            self.held.discard(core)
            share.holds -= 1

    def _serve(self) -> None:
        """Give free cores away, and come back while somebody waits.

        Not on each release: another process, which has to ask again and again, would never see a free core.
        """
        # Whoever is given a core may come behind others then.
        while any(self._give(wait) for wait in sorted(self.waits, key=lambda wait: wait.rank)):
            self.waits = [wait for wait in self.waits if wait.choices]
        now_s = time.monotonic()
        for wait in self.waits:
            ours = self._stands_back(wait) or not self.held.isdisjoint(wait.choices[0])
            wait.since_s = now_s if ours or wait.since_s is None else wait.since_s
            wait.share.tell(now_s - wait.since_s)
        if self.timer is not None:
            self.timer.cancel()
        # Two processes in step would always see the same one win.
        pause_s = POLL_S * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
        self.timer = asyncio.get_running_loop().call_later(pause_s, self._serve) if self.waits else None

    def _stands_back(self, wait: _Wait) -> bool:
        return not wait.measuring and any(other.measuring for other in self.waits)

    def _give(self, wait: _Wait) -> bool:
        """Whether it got the next core that it wants."""
        if self._stands_back(wait):
            return False
        core = next(filter(self._try, wait.choices[0]), None)
        if core is None:
            return False
        wait.choices = wait.choices[1:]
        wait.taken.append(core)
        wait.share.got(next(self.numbers))
        if not wait.choices and not wait.done.done():
            wait.done.set_result(None)
        return True

    def _try(self, core: int) -> bool:
        if core in self.held:
            return False
        try:
            fcntl.flock(self.files[core], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        self.held.add(core)
        return True


class Cores:
    """The cores this process may use, or one run's share of them (:meth:`share`)."""

    def __init__(
        self,
        on_wait: Callable[[float], None] | None = None,
        *,
        patience_s: float = PATIENCE_S,
        pool: _Pool | None = None,
    ) -> None:
        """``on_wait``: told, once until it is over, that other processes have kept every wanted core for
        ``patience_s`` and longer; takes those seconds. One that holds a core may have been stopped (Ctrl-Z).
        ``pool``: of the whole that this is a share of.
        """
        self._on_wait = on_wait
        self._patience_s = patience_s
        self._told = False
        self._shared = pool is not None
        self.all = sorted(os.sched_getaffinity(0)) if pool is None else sorted(pool.files)
        self._pool = _Pool({core: open_lock(f"core-{core}") for core in self.all}) if pool is None else pool
        self.holds = 0
        """How many are held."""
        self.served = 0
        """When it last got one: higher is later."""

    def share(self, on_wait: Callable[[float], None] | None = None) -> Cores:
        """A run's share: the same cores, held in turn with the other shares."""
        return Cores(on_wait, patience_s=self._patience_s, pool=self._pool)

    @asynccontextmanager
    async def any(self) -> AsyncGenerator[int, None]:
        """Hold one core for a build or a verification; waits behind measurements."""
        async with self._held([self.all], measuring=False) as taken:
            yield taken[0]

    @asynccontextmanager
    async def measuring(self, *, all_cores: bool) -> AsyncGenerator[int | None, None]:
        """Hold the last free core (or every core: yields None) for measurement, while local models stand still."""
        # All of them in a fixed order: two processes cannot hold what the other waits for.
        choices = [[core] for core in self.all] if all_cores else [self.all[::-1]]
        async with self._held(choices, measuring=True) as taken, quiet():
            yield None if all_cores else taken[0]

    @asynccontextmanager
    async def _held(self, choices: list[list[int]], *, measuring: bool) -> AsyncGenerator[list[int], None]:
        taken = await self._pool.take(self, choices, measuring=measuring)
        try:
            yield taken
        finally:
            self._pool.release(self, taken)

    def got(self, turn: int) -> None:
        """One was given to it, as number ``turn``."""
        self._told = False
        self.holds += 1
        self.served = turn

    def tell(self, waited_s: float) -> None:
        """Other processes have been in its way for so long."""
        if self._on_wait is not None and not self._told and waited_s >= self._patience_s:
            self._told = True
            self._on_wait(waited_s)

    def close(self) -> None:
        """Give everything back, where the locks are its own. Idempotent."""
        if self._shared:
            return
        for file in self._pool.files.values():
            with suppress(OSError):
                os.close(file)
        self._pool.files.clear()
