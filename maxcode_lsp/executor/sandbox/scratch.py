"""Private folders in the temp dir that go away with their process, even after ``kill -9``."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from maxcode_lsp.errors import StorageFull

PREFIX = "maxcode-"
_LOCK = ".lock"
_NAME = re.compile(rf"(\.new-)?{PREFIX}\d+-\w+")
_UNFINISHED_S = 60.0


_FULL = (errno.ENOSPC, errno.EDQUOT)


def disk_full(place: Path) -> StorageFull:
    """That nothing more can be written to scratch folders, ``place`` being in one of them."""
    return StorageFull(
        f"The disk is full: nothing more could be written to {place}. Free some space there, or set TMPDIR to a "
        "folder that has room, and run again; nothing was changed."
    )


@contextmanager
def filling(place: Path) -> Generator[None]:
    """Writing to scratch folders: a full disk is raised as StorageFull."""
    try:
        yield
    except OSError as problem:
        if problem.errno not in _FULL:
            raise
        raise disk_full(place) from problem


class Scratch:
    """A fresh folder, ``maxcode-PID-…``, mode 0711: others may pass through it but not look around.

    It holds what sandboxes mount (they may run under another user id, so a folder of the user's home will
    not do). A lock says that its owner lives; ``sweep`` removes folders whose owner is gone. Synchronous:
    the operations are short. Raises StorageFull where it cannot be made.
    """

    def __init__(self) -> None:
        root = reachable_temp()
        try:
            made = Path(tempfile.mkdtemp(prefix=f".new-{PREFIX}{os.getpid()}-", dir=root))
            made.chmod(0o711)
            self._lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            self.path = root / made.name.removeprefix(".new-")
            made.rename(self.path)
        except OSError as problem:
            raise StorageFull(
                f"No scratch folder could be made in {root} ({problem.strerror}). Free some space there, "
                "or set TMPDIR to a folder that has room."
            ) from problem

    def folder(self, name: str) -> Path:
        """A new folder below, mode 0755; ``name`` must be free. Raises StorageFull."""
        made = self.path / name
        with filling(made):
            made.mkdir()
        made.chmod(0o755)
        return made

    def close(self) -> None:
        """Remove everything. Idempotent."""
        if self._lock >= 0:
            remove_tree(self.path)
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def reachable_temp() -> Path:
    """The temp dir; as root one that every user id can pass through."""
    chosen = Path(tempfile.gettempdir()).resolve()
    if os.geteuid() != 0:
        return chosen
    for folder in (chosen, Path("/tmp"), Path("/var/tmp")):  # noqa: S108 - mkdtemp makes a private folder there
        if folder.is_dir() and all(step.stat().st_mode & stat.S_IXOTH for step in (folder, *folder.parents)):
            return folder
    return chosen


def sweep() -> int:
    """Remove the scratch folders of owners that are gone; how many they were."""
    removed = 0
    for folder in reachable_temp().glob(f"*{PREFIX}*-*"):
        try:
            about = folder.lstat()
            unfinished = folder.name.startswith(".new-")
            if not _NAME.fullmatch(folder.name) or not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid():
                continue
            if unfinished and time.time() - about.st_mtime < _UNFINISHED_S:
                continue
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_tree(folder)
            removed += 1
        except OSError:
            pass
        finally:
            os.close(lock)
    return removed


def remove_tree(folder: Path) -> None:
    """Remove a tree even where a program took its own rights to its folders away."""
    shutil.rmtree(folder, ignore_errors=True)
    if os.geteuid() == 0 or not folder.exists():
        return
    for inner, folders, _ in os.walk(folder):
        for name in (".", *folders):
            path = Path(inner, name)
            if not path.is_symlink():
                with suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
