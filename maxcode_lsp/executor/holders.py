"""Which other processes hold the cores, where the kernel tells."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from maxcode_lsp.executor.locks import lock_folder


def holders(locks: Path = Path("/proc/locks")) -> tuple[int, ...]:
    """Process ids of others that hold locks of cores, ascending. Never raises.

    Those in other containers are not told.
    """
    files: set[tuple[int, int]] = set()
    held: set[int] = set()
    with suppress(OSError):
        for file in lock_folder().glob("core-*"):
            about = file.lstat()
            files.add((about.st_dev, about.st_ino))
        for line in locks.read_text(encoding="ascii", errors="replace").splitlines():
            # “1: FLOCK  ADVISORY  WRITE 11440 fe:01:12345 0 EOF”; who only waits has “->” behind the number.
            words = line.split()
            if len(words) < 6 or words[1] != "FLOCK":
                continue
            with suppress(ValueError):
                major, minor, inode = words[5].split(":")
                if (os.makedev(int(major, 16), int(minor, 16)), int(inode)) in files:
                    held.add(int(words[4]))
    return tuple(sorted(pid for pid in held if pid > 0 and pid != os.getpid()))
