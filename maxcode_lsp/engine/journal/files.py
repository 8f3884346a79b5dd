"""Opening journals. Who writes one holds its lock; the kernel lets go of it with the process, however that ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Generator
from pathlib import Path

from maxcode_lsp.engine.journal.places import SUFFIX
from maxcode_lsp.errors import JournalError
from maxcode_lsp.messages import troubles

FOLDER_MODE = 0o700
FILE_MODE = 0o600
"""A journal holds the user's code: nobody else reads it."""


def open_to_read(path: Path) -> int:
    """A descriptor of an ordinary file. Raises OSError. A pipe under its name is not waited for."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "it is not an ordinary file")
    return handle


def try_lock(handle: int) -> bool:
    """Take the lock of an open journal; False: somebody has it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_live(handle: int) -> bool:
    """Whether a process is writing an open journal."""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(handle, fcntl.LOCK_UN)
    return False


def journals(folder: Path) -> list[Path]:
    """All journals of a folder, newest first: their names sort by age."""
    return sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.name, reverse=True)


def remove_unless_live(path: Path) -> bool:
    """Remove a journal; False: it is live or cannot be removed."""
    with contextlib.suppress(OSError), opened(path) as handle:
        if try_lock(handle):
            path.unlink()
            return True
    return False


@contextlib.contextmanager
def explained(run: str) -> Generator[None]:
    """What the system says about the journal of a run becomes a JournalError."""
    try:
        yield
    except FileNotFoundError as error:
        raise JournalError(troubles.journal_missing(run)) from error
    except OSError as error:
        raise JournalError(troubles.journal_damaged(run, error.strerror or "it cannot be read")) from error


@contextlib.contextmanager
def opened(path: Path) -> Generator[int]:
    """A descriptor of a journal for reading, closed at the end. Raises OSError."""
    handle = open_to_read(path)
    try:
        yield handle
    finally:
        os.close(handle)
