"""One run of a target at a time on this machine: two windows or terminals never optimise the same file at once."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
from pathlib import Path

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.locks import lock_folder
from maxcode_lsp.messages import refusals

WAIT_S = 3.0
"""A run that is just being torn down has let go by then."""
POLL_S = 0.02


class TargetLock:
    """A target that is ours until it is released; the kernel releases it if we die."""

    def __init__(self, path: Path, handle: int) -> None:
        """See :func:`hold`."""
        self._path = path
        self._handle = handle

    def release(self) -> None:
        """Let go. Idempotent."""
        if self._handle >= 0:
            # While it is held: whoever got hold of the same file sees that it has no name any more.
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._handle)
            self._handle = -1


async def hold(file: Path, *, wait_s: float = WAIT_S) -> TargetLock:
    """Take the target. Raises Refused, with the process that has it, where it is not free within ``wait_s``.

    Where no lock can be had at all (a folder that cannot be written, somebody else's link) a run goes without.
    """
    waited_s = 0.0
    try:
        path = lock_file(file)
        while (lock := _try(path)) is None:
            if waited_s >= wait_s:
                raise Refused(refusals.target_busy(file.name, _holder(path)))
            await asyncio.sleep(POLL_S)
            waited_s += POLL_S
    except OSError:
        return TargetLock(file, -1)
    return lock


def lock_file(file: Path) -> Path:
    """The lock file of a target, whatever path leads to it."""
    key = hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:32]
    return lock_folder() / f"target-{key}"


def _try(path: Path) -> TargetLock | None:
    with contextlib.suppress(FileExistsError, PermissionError):
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644)
        try:
            os.fchmod(made, 0o644)  # whatever the umask: other users lock it, too
        finally:
            os.close(made)
    try:
        handle = _open(path)
    except FileNotFoundError:  # released in between
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    if os.fstat(handle).st_nlink == 0:
        os.close(handle)
        return None
    with contextlib.suppress(OSError):  # it may be another user's
        os.ftruncate(handle, 0)
        os.pwrite(handle, b"%d" % os.getpid(), 0)
    return TargetLock(path, handle)


def _open(path: Path) -> int:
    flags = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.open(path, os.O_RDWR | flags)
    except PermissionError:
        # Enough for flock; works on files of other users.
        return os.open(path, os.O_RDONLY | flags)


def _holder(path: Path) -> int | None:
    """The process that has it; None: not known."""
    with contextlib.suppress(OSError, ValueError):
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            return int(os.pread(handle, 20, 0))
        finally:
            os.close(handle)
    return None
