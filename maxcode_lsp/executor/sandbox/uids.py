"""Dedicated user ids: as root every live sandbox has one of its own, so that none can touch another."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

from maxcode_lsp.errors import SandboxUnavailable

SLOTS = 256
# Neither Debian policy, systemd nor the container tools hand these out; the second where a container maps few ids.
_RANGES = (1_987_000_000, 60_800)


class DedicatedUid:
    """A user id that no other sandbox on this machine uses while ``lock`` is open somewhere.

    ``lock`` is a descriptor: handed on to the launcher it keeps the id taken until that is gone too.
    """

    def __init__(self, uid: int, lock: int) -> None:
        self.uid = uid
        self.lock = lock

    def release(self) -> None:
        """Give the id back. Idempotent."""
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1


def can_drop() -> bool:
    """Whether this process is root and other user ids exist for it."""
    return os.geteuid() == 0 and _first_uid() is not None


def take_uid() -> DedicatedUid:
    """A free id. Raises SandboxUnavailable where all are taken or none exists."""
    first = _first_uid()
    if first is None:
        raise SandboxUnavailable(
            "This process is root but has no other user id to give to untrusted code (a container that maps only one). "
            "Run maxcode as an ordinary user."
        )
    folder = _lock_folder()
    for slot in range(SLOTS):
        lock = os.open(folder / str(first + slot), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return DedicatedUid(first + slot, lock)
        except OSError:
            os.close(lock)
    raise SandboxUnavailable(
        f"{SLOTS} sandboxes are open on this machine, and there is no user id left. Close another maxcode."
    )


def _first_uid() -> int | None:
    try:
        spans = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except (OSError, ValueError):
        return _RANGES[0]
    for first in _RANGES:
        if any(start <= first and first + SLOTS <= start + count for start, _, count in spans):
            return first
    return None


def _lock_folder() -> Path:
    for parent in (Path("/run"), Path("/tmp")):  # noqa: S108 - the folder's owner and mode are checked
        folder = parent / "maxcode-uids"
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            about = folder.lstat()
        except OSError:
            continue
        if stat.S_ISDIR(about.st_mode) and about.st_uid == 0 and not about.st_mode & 0o022:
            return folder
    raise SandboxUnavailable(
        "No folder for the locks of sandbox user ids could be made in /run or /tmp; one of them must be writable."
    )
