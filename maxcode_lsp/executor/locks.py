"""Files that are locked machine-wide, by all users. The kernel releases a lock when its holder dies."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


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


def open_lock(name: str) -> int:
    """A descriptor for ``flock`` on the file of that name. Close it."""
    path = lock_folder() / name
    with suppress(FileExistsError, PermissionError):
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644)
        try:
            os.fchmod(made, 0o644)  # whatever the umask: other users lock it, too
        finally:
            os.close(made)
    # Read-only is enough for flock and works on files of other users.
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
