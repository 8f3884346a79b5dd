"""Control groups that bound the memory and the number of processes of a whole sandbox, where they are writable."""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_MOUNTS = Path("/sys/fs/cgroup")
_NAME = re.compile(r"maxcode-(\d+)-(\d+)-\d+")
_numbers = itertools.count()


class Cgroup:
    """One group in each hierarchy it needs. ``joins`` are the files a process writes its id to."""

    def __init__(self, version: int, folders: list[Path]) -> None:
        self.version = version
        self.folders = folders
        self.joins = [folder / "cgroup.procs" for folder in folders]

    def kill(self) -> None:
        """End every process inside."""
        for folder in self.folders:
            try:
                (folder / "cgroup.kill").write_text("1")
            except OSError:
                for pid in _read(folder / "cgroup.procs").split():
                    with suppress(ProcessLookupError):
                        os.kill(int(pid), 9)

    def remove(self) -> bool:
        """Whether it is gone; False while the kernel still holds a process in it."""
        for folder in list(self.folders):
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                continue
            self.folders.remove(folder)
        return not self.folders


def create(memory_bytes: int, processes: int) -> Cgroup | None:
    """A fresh group with both limits; None where neither cgroup version is writable with both."""
    name = f"maxcode-{os.getpid()}-{_start_time(os.getpid())}-{next(_numbers)}"
    for parent in _parents_v2():
        group = _create(
            [(parent, {"memory.max": memory_bytes, "pids.max": processes}, {"memory.swap.max": 0})], name, 2
        )
        if group is not None:
            return group
    for memory, pids in _parents_v1():
        limits = {"memory.limit_in_bytes": memory_bytes}
        extra = {"memory.memsw.limit_in_bytes": memory_bytes}
        group = _create([(memory, limits, extra), (pids, {"pids.max": processes}, {})], name, 1)
        if group is not None:
            return group
    return None


def sweep() -> None:
    """Remove the groups of maxcode processes that are gone."""
    for parent in {*_parents_v2(), *(folder for pair in _parents_v1() for folder in pair)}:
        for folder in parent.glob("maxcode-*"):
            match = _NAME.fullmatch(folder.name)
            if match and _start_time(int(match[1])) != match[2]:
                with suppress(OSError):
                    folder.rmdir()


def _create(parts: list[tuple[Path, dict[str, int], dict[str, int]]], name: str, version: int) -> Cgroup | None:
    group = Cgroup(version, [])
    try:
        for parent, limits, extra in parts:
            folder = parent / name
            folder.mkdir()
            group.folders.append(folder)
            for file, value in limits.items():
                (folder / file).write_text(str(value))
            for file, value in extra.items():
                if (folder / file).exists():
                    (folder / file).write_text(str(value))
    except OSError:
        group.remove()
        return None
    return Cgroup(version, group.folders)


def _parents_v2() -> Iterator[Path]:
    """Groups that may hold ours: this process's own parent (no processes in it), then its own, then the root."""
    for mount in (_MOUNTS, _MOUNTS / "unified"):
        if not (mount / "cgroup.controllers").exists():
            continue
        own = mount / _own_path("").lstrip("/")
        for parent in (own.parent, own, mount):
            if {"memory", "pids"} <= set(_read(parent / "cgroup.subtree_control").split()) and mount in (
                parent,
                *parent.parents,
            ):
                yield parent


def _parents_v1() -> Iterator[tuple[Path, Path]]:
    own = (_MOUNTS / "memory" / _own_path("memory").lstrip("/"), _MOUNTS / "pids" / _own_path("pids").lstrip("/"))
    for memory, pids in (own, (_MOUNTS / "memory", _MOUNTS / "pids")):
        if (memory / "memory.limit_in_bytes").exists() and (pids / "cgroup.procs").exists():
            yield memory, pids


def _own_path(controller: str) -> str:
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(",") and (controller or not names):
            return path
    return "/"


def _start_time(pid: int) -> str:
    """Start of a process in ticks since boot; empty where there is no such process."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else ""


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


def remove_within(group: Cgroup, seconds: float) -> Iterator[float]:
    """Kill and remove, yielding the pause to make between attempts."""
    end = time.monotonic() + seconds
    group.kill()
    while not group.remove() and time.monotonic() < end:
        yield 0.01
        group.kill()
