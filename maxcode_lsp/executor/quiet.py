"""Quiet while anything is measured: a local language model, which would use every core, stands still.

Who measures and who has a model meet only in three locked files of the machine-wide folder, so that it holds across
processes and users, and whoever dies lets go. Where no model is there, it costs a few microseconds.

=============  ==========================================================
``measuring``  held by each measurement, shared
``computing``  held by each watcher whose process may run, shared
``breathing``  held by each watcher whose process has stood still for too
               long: no further measurement begins until it had its turn
=============  ==========================================================
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from maxcode_lsp.executor.locks import open_lock

WATCH_S = 0.02
"""Ours: so often a watcher looks whether somebody measures."""
STOP_S = 1.0
"""Ours: so long a measurement waits for watchers to stop their processes; one that does not answer was stopped."""
TURN_S = 15.0
"""Ours: so long a measurement waits for others to have their turn."""
SHARE = 0.25
"""Ours: of the time, while measurements come back to back, in which a process that wants to runs all the same."""
OWED_S = 1.0
"""Ours: so much of that time must have come together before measurements wait."""
MOST_OWED_S = 5.0
IDLE_LOOKS = 4
"""Ours: a process that wants no processor at so many looks in a row has nothing to do."""


class Lock:
    """A shared lock on one of the files. Closing gives it back."""

    def __init__(self, name: str) -> None:
        self._file = open_lock(name)
        self.held = False

    def take(self) -> bool:
        """Whether it is held now; never waits long, since nobody holds one exclusively for longer than a look."""
        end_s = time.monotonic() + WATCH_S
        while not self.held:
            self.held = self._try(fcntl.LOCK_SH)
            if self.held or time.monotonic() >= end_s:
                break
            time.sleep(0.0005)
        return self.held

    def release(self) -> None:
        """Idempotent."""
        if self.held:
            fcntl.flock(self._file, fcntl.LOCK_UN)
            self.held = False

    def elsewhere(self) -> bool:
        """Whether somebody else holds it. Not to be asked while it is held here."""
        free = self._try(fcntl.LOCK_EX)
        if free:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        return not free

    def close(self) -> None:
        """Give it back."""
        self.release()  # not left to the end of the descriptor: a child that just starts may have a copy
        os.close(self._file)

    def _try(self, kind: int) -> bool:
        try:
            fcntl.flock(self._file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@asynccontextmanager
async def quiet() -> AsyncGenerator[None, None]:
    """Measure in this block. It begins when all that could disturb stands still, or has not answered in time."""
    await _until_free("breathing", TURN_S)
    measuring = Lock("measuring")
    try:
        measuring.take()
        await _until_free("computing", STOP_S)
        yield
    finally:
        measuring.close()


async def _until_free(name: str, limit_s: float) -> None:
    lock = Lock(name)
    try:
        end_s = time.monotonic() + limit_s
        while lock.elsewhere():
            if time.monotonic() >= end_s:
                break
            await asyncio.sleep(WATCH_S / 4)
    finally:
        lock.close()


class Watcher:
    """Stops a process of ours whenever somebody measures. Stop it before the process is given up."""

    def __init__(self, pid: int) -> None:
        """``pid``: of a child that was not waited for yet. Raises ProcessLookupError."""
        self.paused_s = 0.0
        """How long the process has stood still in all."""
        self.pauses = 0
        self._tasks = Path(f"/proc/{pid}/task")
        self._handle = os.pidfd_open(pid)
        self._ended = threading.Event()
        self._begun = threading.Event()
        # A thread of its own: the event loop may be busy just when it matters.
        self._thread = threading.Thread(target=self._watch, name="quiet", daemon=True)
        self._thread.start()
        self._begun.wait(STOP_S)  # a measurement that begins now is to know of it

    def stop(self) -> None:
        """End watching; the process stays as it is. Idempotent."""
        self._ended.set()
        self._thread.join(STOP_S)

    def _watch(self) -> None:
        measuring, computing, breathing = (Lock(name) for name in ("measuring", "computing", "breathing"))
        try:
            # The process may be gone at any moment.
            with suppress(ProcessLookupError, FileNotFoundError):
                self._take_turns(measuring, computing, breathing)
        finally:
            self._begun.set()
            for lock in (measuring, computing, breathing):
                lock.close()
            os.close(self._handle)

    def _take_turns(self, measuring: Lock, computing: Lock, breathing: Lock) -> None:
        computing.take()
        self._begun.set()
        owed_s, idle, paused, last_s = 0.0, 0, False, time.monotonic()
        while not self._ended.is_set():
            now_s = time.monotonic()
            passed_s, last_s = now_s - last_s, now_s
            if paused:
                self.paused_s += passed_s
                owed_s = min(owed_s + passed_s * SHARE / (1 - SHARE), MOST_OWED_S)
            elif owed_s > 0:
                idle = 0 if self._wants_to_run() else idle + 1
                owed_s = max(owed_s - passed_s, 0) if idle < IDLE_LOOKS else 0
            if owed_s > OWED_S:
                breathing.take()
            elif not owed_s:
                breathing.release()
            wanted = measuring.elsewhere()
            if wanted and not paused:
                self._pause()
                computing.release()
                self.pauses += 1
                idle = 0
            elif paused and not wanted:
                # Where others look at the lock just now, it stands still until the next look.
                wanted = not computing.take()
                if not wanted:
                    signal.pidfd_send_signal(self._handle, signal.SIGCONT)
            elif not wanted:
                computing.take()
            paused = wanted
            self._ended.wait(WATCH_S)

    def _pause(self) -> None:
        signal.pidfd_send_signal(self._handle, signal.SIGSTOP)
        end_s = time.monotonic() + STOP_S / 2
        while not self._states() <= set("TtZX") and time.monotonic() < end_s:
            time.sleep(0.001)

    def _wants_to_run(self) -> bool:
        return not self._states().isdisjoint("RD")

    def _states(self) -> set[str]:
        """Of all its threads: ``R`` runs or could, ``D`` waits for a disk, ``T`` is stopped."""
        found: set[str] = set()
        for task in self._tasks.iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                # The name of a thread, in brackets, may hold anything.
                found.add((task / "stat").read_text(encoding="ascii", errors="replace").rpartition(") ")[2][:1])
        return found
