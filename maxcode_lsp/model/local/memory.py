"""How much memory is free for a model."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")
"""Of a container; elsewhere it has no limit of its own."""


def free_memory(meminfo: Path = Path("/proc/meminfo"), group: Path = _GROUP) -> int | None:
    """Bytes that can be used without others having to give some back; None: nobody says."""
    free: list[int] = []
    with suppress(OSError, ValueError, KeyError):
        free.append(_table(meminfo)["MemAvailable:"] * 1024)
    with suppress(OSError, ValueError, KeyError):
        most, used = (int((group / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current"))
        free.append(most - used + _table(group / "memory.stat")["inactive_file"])
    return max(min(free), 0) if free else None


def _table(file: Path) -> dict[str, int]:
    rows = (line.split() for line in file.read_text(encoding="ascii", errors="replace").splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}
