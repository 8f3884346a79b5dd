"""What of a server is still alive: looked up in ``/proc``, so also what lost its parent."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

GONE_S = 20.0
"""Ours: ten times what is promised, as others may load the machine, and far less than any search here would go on.
The promise is measured by ``maxcode bench lsp``.
"""


def started_with(mark: str) -> dict[int, str]:
    """Processes that carry ``mark`` in their environment, with their command lines. Zombies do not count."""
    found: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if command:
                    found[int(folder.name)] = command
    return found


def below(pid: int) -> set[int]:
    """All descendants of a process."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if fields[0] != "Z":
                    parents[int(folder.name)] = int(fields[1])
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        children = {child for child, its in parents.items() if its == parent} - found
        found |= children
        waiting += children
    return found


def alive(pids: set[int]) -> set[int]:
    """Those that still run."""
    left: set[int] = set()
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            if Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] != "Z":
                left.add(pid)
    return left


async def gone(pids: set[int]) -> set[int]:
    """What is left of some processes after ``GONE_S``; returns as soon as nothing is."""
    for _ in range(int(GONE_S / 0.05)):
        if not alive(pids):
            return set()
        await asyncio.sleep(0.05)
    return alive(pids)
