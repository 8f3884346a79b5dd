"""What this machine offers: each level is tried for real, once a process."""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.errors import InfrastructureError, SandboxUnavailable, ToolMissing
from maxcode_lsp.executor.child import start
from maxcode_lsp.executor.sandbox import cgroup, scratch, uids
from maxcode_lsp.executor.sandbox.box import Box
from maxcode_lsp.executor.sandbox.contract import Command, Conduct, Level, Mount
from maxcode_lsp.executor.sandbox.launcher import shared_launcher

ENVIRONMENT_VARIABLE = "MAXCODE_SANDBOX"
_OWN_PROCESSES = 8
"""The launcher and bubblewrap count too."""
_SLACK = 512
"""Room for what else the user starts, where a process limit counts all of it."""


class Support(Struct, frozen=True):
    """What holds on this machine."""

    level: Level | None
    """The strongest level that works; None: only UNCONFINED would, if the user allows it."""
    reasons: dict[Level, str]
    """Why each stronger level does not work, one sentence each."""
    cgroup: str
    """One sentence on the control groups that bound memory and processes."""


_support: Support | None = None
_groups: bool | None = None
_swept = False


async def probe() -> Support:
    """Try the levels, strongest first. The answer is kept. Raises ToolMissing without a C++ compiler."""
    global _support  # noqa: PLW0603 - one a process
    if _support is None:
        _sweep()
        _support = await _probe()
    return _support


def _sweep() -> None:
    """Remove what killed processes left; once a process."""
    global _swept  # noqa: PLW0603 - one a process
    if not _swept:
        _swept = True
        scratch.sweep()
        cgroup.sweep()


async def open_sandbox(
    mounts: Sequence[Mount],
    *,
    level: Level | None = None,
    toolchain: bool = False,
    allow_unconfined: bool = False,
    keep_uid: bool = False,
    memory_bytes: int,
    processes: int = 64,
) -> Box:
    """A live sandbox at ``level`` (None: the strongest that works, or what MAXCODE_SANDBOX names).

    ``toolchain``: compilers and tools of the system are visible too, not only shared libraries.
    ``keep_uid``: as root, keep the user's own id (a trusted tool that must read the user's files).
    ``memory_bytes``, ``processes``: bounds of the whole sandbox, where control groups are writable.
    Writable mounts are given to the sandbox's user id. Raises SandboxUnavailable.
    """
    _sweep()
    if level is None:
        level = forced() or (await probe()).level or Level.UNCONFINED
    if level is Level.UNCONFINED and not allow_unconfined:
        raise SandboxUnavailable(_refusal(await probe()))
    try:
        return await _open(level, mounts, toolchain, keep_uid, memory_bytes, processes)
    except SandboxUnavailable as problem:
        raise SandboxUnavailable(
            f"The sandbox ({level.value}) could not be opened: {problem}. "
            "Run “maxcode doctor” to see what this machine offers."
        ) from problem


def _refusal(support: Support) -> str:
    if support.level is not None:
        return (
            "Nothing was run: running without confinement was chosen but not allowed. "
            f"Allow it with --unsafe, or leave the choice to maxcode ({support.level.value} works here)."
        )
    reasons = " ".join(support.reasons.values())
    return (
        f"Nothing was run: no sandbox holds on this machine. {reasons} Install bubblewrap (apt install bubblewrap), "
        "or allow running without confinement with --unsafe."
    )


async def _open(
    level: Level, mounts: Sequence[Mount], toolchain: bool, keep_uid: bool, memory_bytes: int, processes: int
) -> Box:
    program = await shared_launcher()
    limits = (memory_bytes, processes + _OWN_PROCESSES)
    group = cgroup.create(*limits) if await _groups_hold(program) else None
    uid: uids.DedicatedUid | None = None
    try:
        if os.geteuid() == 0 and not keep_uid and uids.can_drop():
            uid = uids.take_uid()
            for mount in mounts:
                if mount.writable:
                    os.chown(mount.source, uid.uid, uid.uid, follow_symlinks=False)
    except BaseException:
        if group is not None:
            group.remove()
        if uid is not None:
            uid.release()
        raise
    if level is Level.UNCONFINED and uid is None:
        _close_own_memory()
    limit = _process_limit(level, uid is not None, processes)
    box = Box(level, mounts, launcher=program, uid=uid, group=group, process_limit=limit)
    try:
        await box.start(toolchain=toolchain)
    except BaseException:
        await box.close()
        raise
    return box


async def _groups_hold(program: Path) -> bool:
    """Whether a process can be put into a control group of ours; tried once."""
    global _groups  # noqa: PLW0603 - one a process
    if _groups is None:
        group = cgroup.create(64 << 20, 8)
        _groups = group is not None
        if group is not None:
            joins = [part for file in group.joins for part in ("--join", str(file))]
            trial = await start(
                (str(program), "enter", *joins, "--", str(program), "version"),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env={},
            )
            _groups = await trial.wait() == 0
            for pause_s in cgroup.remove_within(group, 1.0):
                await asyncio.sleep(pause_s)
    return _groups


def _close_own_memory() -> None:
    """Keep unconfined programs of the same user from reading expected outputs in this process's memory."""
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE


def _process_limit(level: Level, dedicated: bool, processes: int) -> int:
    """RLIMIT_NPROC, which counts all processes of a user id (in a user namespace since Linux 5.14); 0: none."""
    release = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2])
    if dedicated or (level is Level.BUBBLEWRAP and release >= (5, 14)):
        return processes + _OWN_PROCESSES
    if os.geteuid() == 0:
        return 0
    return processes + _own_tasks() + _SLACK


def _own_tasks() -> int:
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == os.geteuid():
                count += len(list((process / "task").iterdir()))
        except OSError:
            continue
    return count


def forced() -> Level | None:
    """The level that MAXCODE_SANDBOX names, if any. Raises SandboxUnavailable where there is no such level."""
    name = os.environ.get(ENVIRONMENT_VARIABLE)
    if not name:
        return None
    try:
        return Level(name)
    except ValueError:
        known = ", ".join(level.value for level in Level)
        raise SandboxUnavailable(
            f"{ENVIRONMENT_VARIABLE}={name} names no sandbox level. Use one of {known}, or unset it."
        ) from None


async def _probe() -> Support:
    reasons: dict[Level, str] = {}
    found: Level | None = None
    for level in (Level.BUBBLEWRAP, Level.LANDLOCK):
        try:
            await try_level(level)
            found = level
            break
        except ToolMissing:
            raise
        except InfrastructureError as problem:
            reasons[level] = f"{level.value.capitalize()} does not work here: {str(problem).rstrip('.')}."
    if await _groups_hold(await shared_launcher()):
        words = "Control groups bound the memory and the processes of each whole sandbox."
    else:
        words = "Control groups are not writable here: memory is bounded for each process, not for the whole sandbox."
    return Support(found, reasons, words)


async def try_level(level: Level) -> None:
    """Open a sandbox and see that it confines. Raises SandboxUnavailable with the reason, or ToolMissing."""
    box = await _open(level, (), False, False, 1 << 30, 16)
    try:
        ended = await box.run(Command((box.launcher, "check", "files"), Conduct.PROGRAM, memory_bytes=0))
    finally:
        await box.close()
    if not ended.ok:
        raise SandboxUnavailable(
            (ended.stdout or ended.stderr).decode(errors="replace").strip() or f"the check ended with {ended.code}"
        )
