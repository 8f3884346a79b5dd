"""Nothing is left behind: not by a killed host, not by a lost sandbox, not in the temp dir."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from maxcode_lsp.errors import SandboxLost, SandboxUnavailable
from maxcode_lsp.executor.sandbox import Command, Conduct, Level, Mount, Scratch, open_sandbox, probe
from maxcode_lsp.executor.sandbox.cgroup import create
from maxcode_lsp.executor.sandbox.launcher import shared_launcher
from maxcode_lsp.executor.sandbox.scratch import sweep

from .conftest import opened

HERE = Path(__file__).parent
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up root")


def marked(mark: str) -> list[int]:
    """Processes of this machine with the mark in their command line."""
    found: list[int] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def with_children(pid: int) -> list[int]:
    """A process and all its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(below for child in children for below in with_children(int(child)))]


async def reaches(wanted: int, mark: str, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while len(marked(mark)) != wanted:
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HERE.parents[2])}


@pytest.mark.parametrize(("conduct", "running"), [(Conduct.PROGRAM, 1), (Conduct.TOOL, 3)], ids=["program", "tool"])
async def test_a_killed_host_leaves_nothing(level: Level, subject: Path, conduct: Conduct, running: int) -> None:
    await (await opened(level, [])).close()
    mark = uuid.uuid4().hex
    host = await asyncio.create_subprocess_exec(
        sys.executable, str(HERE / "host.py"), level.value, conduct.value, str(subject), mark,
        stdout=asyncio.subprocess.PIPE, env=environment(),
    )  # fmt: skip
    assert host.stdout is not None and await asyncio.wait_for(host.stdout.readline(), 20) == b"open\n"
    assert await reaches(running + 1, mark, 15.0)  # the host itself carries the mark too
    host.kill()
    await host.wait()
    assert await reaches(0, mark, 20.0)


async def test_a_sandbox_that_hangs_is_ended_with_the_cancelled_command(level: Level, subject: Path) -> None:
    mark = uuid.uuid4().hex
    box = await opened(level, [Mount(subject, "/subject")])
    command = Command((box.path("/subject/subject"), "sleep", "60", mark), Conduct.PROGRAM, wall_s=100.0)
    task = asyncio.ensure_future(box.run(command))
    assert await reaches(1, mark, 15.0)
    assert box._process is not None
    for process in with_children(box._process.pid):
        os.kill(process, signal.SIGSTOP)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert box._process.returncode is not None
    assert await reaches(0, mark, 15.0)
    with pytest.raises(SandboxLost):
        await box.run(command)


async def test_a_close_that_is_given_up_leaves_no_connection(level: Level, subject: Path) -> None:
    box = await opened(level, [Mount(subject, "/subject")])
    closing = asyncio.create_task(box.close())
    for _ in range(3):  # until it waits for the launcher
        await asyncio.sleep(0)
    assert box._closing is not None
    box._closing.cancel()  # as the end of an event loop does
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert box._process is not None
    async with asyncio.timeout(20):
        await box._process.wait()
    del box, closing
    gc.collect()  # what was left open is told as an unclosed socket, which fails a test here


async def test_closing_ends_what_runs(level: Level, subject: Path) -> None:
    mark = uuid.uuid4().hex
    box = await opened(level, [Mount(subject, "/subject")], toolchain=True)
    command = ("sh", "-c", '"$@" & setsid "$@"', "sh", box.path("/subject/subject"), "sleep", "60", mark)
    task = asyncio.ensure_future(box.run(Command(command, Conduct.TOOL, wall_s=100.0)))
    assert await reaches(3, mark, 15.0)
    await box.close()
    assert not marked(mark)
    assert isinstance((await asyncio.gather(task, return_exceptions=True))[0], Exception)


@ROOT_ONLY
def test_ordinary_users_have_sandboxes_too(subject: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "ordinary_user.py"), str(subject)],
        check=False,
        capture_output=True,
        timeout=60,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr.decode()
    for level, seen in json.loads(done.stdout).items():
        if "unavailable" in seen:
            continue
        refusals = {"fork", "socket", "kill", "fd", "program", "memory"}
        if level == "unconfined":
            del seen["environ"]  # depends on the kernel's version
        else:
            refusals |= {"passwd", "environ"}
        assert {name for name, said in seen.items() if said.startswith("no: ")} == refusals, (level, seen)
        assert (seen["exit"], seen["thread"], seen["tool"], seen["daemon"]) == ("5 0", "yes", "yes", "0 1"), (
            level,
            seen,
        )
        assert seen["uid"] == "61999"


@ROOT_ONLY
@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.LANDLOCK], ids=lambda level: level.value)
async def test_trusted_tools_may_keep_the_user(level: Level, scratch: Scratch) -> None:
    await (await opened(level, [])).close()
    private = scratch.path / "private"
    private.mkdir(mode=0o700)
    (private / "a.cpp").write_text("#include <cstdio>\n")
    box = await open_sandbox([Mount(private, "/src")], level=level, toolchain=True, keep_uid=True, memory_bytes=1 << 30)
    async with box:
        ended = await box.run(Command(("g++", "-M", box.path("/src/a.cpp")), Conduct.TOOL))
        assert ended.ok and b"cstdio" in ended.stdout, ended.stderr.decode()
        rights = await box.run(Command(("grep", "CapEff", "/proc/self/status"), Conduct.TOOL))
        assert level is Level.LANDLOCK or rights.stdout.split()[-1] == b"0" * 16
        left = await box.run(Command(("sh", "-c", "setsid sleep 50 &"), Conduct.TOOL))
        assert left.leftovers == 1


async def test_probe_names_a_level_and_keeps_it() -> None:
    support = await probe()
    assert support is await probe()
    assert support.level in (Level.BUBBLEWRAP, Level.LANDLOCK, None)
    assert (support.level is Level.BUBBLEWRAP) == (Level.BUBBLEWRAP not in support.reasons)
    assert support.cgroup.endswith(".")


async def test_unconfined_needs_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SandboxUnavailable, match="--unsafe"):
        await open_sandbox([], level=Level.UNCONFINED, memory_bytes=1 << 30)
    monkeypatch.setenv("MAXCODE_SANDBOX", "unconfined")
    with pytest.raises(SandboxUnavailable, match="--unsafe"):
        await open_sandbox([], memory_bytes=1 << 30)
    monkeypatch.setenv("MAXCODE_SANDBOX", "chroot")
    with pytest.raises(SandboxUnavailable, match="MAXCODE_SANDBOX=chroot"):
        await open_sandbox([], memory_bytes=1 << 30)


async def test_a_level_can_be_chosen(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    await (await opened(level, [])).close()
    monkeypatch.setenv("MAXCODE_SANDBOX", level.value)
    async with await open_sandbox([], allow_unconfined=True, memory_bytes=1 << 30) as box:
        assert box.level is level


async def test_without_bubblewrap_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode_lsp.executor.sandbox.levels.find_bubblewrap", lambda: None)
    with pytest.raises(SandboxUnavailable, match="apt install bubblewrap"):
        await open_sandbox([], level=Level.BUBBLEWRAP, memory_bytes=1 << 30)


async def test_a_mount_that_is_not_there_is_named(scratch: Scratch) -> None:
    with pytest.raises(SandboxUnavailable, match="nowhere"):
        await open_sandbox([Mount(scratch.path / "nowhere", "/src")], level=Level.BUBBLEWRAP, memory_bytes=1 << 30)


async def test_paths_of_mounts(level: Level, subject: Path, scratch: Scratch) -> None:
    box = await opened(level, [Mount(subject, "/a"), Mount(scratch.folder("b"), "/a-b")])
    try:
        inside = level is Level.BUBBLEWRAP
        assert box.path("/a/x y") == ("/a/x y" if inside else f"{subject}/x y")
        assert box.path("/a-b/c") == ("/a-b/c" if inside else f"{scratch.path}/b/c")
        with pytest.raises(KeyError):
            box.path("/ab")
    finally:
        await box.close()


def test_scratch_is_private_and_goes_away() -> None:
    with Scratch() as scratch:
        assert scratch.path.stat().st_mode & 0o777 == 0o711
        assert str(os.getpid()) in scratch.path.name
        inner = scratch.folder("inner")
        (inner / "file").write_text("x")
        inner.chmod(0o000)
    assert not scratch.path.exists()


def test_sweep_takes_only_what_is_orphaned() -> None:
    script = (
        "import os; from maxcode_lsp.executor.sandbox import Scratch\n"
        "print(Scratch().path, flush=True); os.kill(os.getpid(), 9)"
    )
    dead = subprocess.run([sys.executable, "-c", script], check=False, stdout=subprocess.PIPE, env=environment())
    orphan = Path(dead.stdout.decode().strip())
    assert orphan.is_dir()
    with Scratch() as alive:
        assert sweep() >= 1
        assert alive.path.is_dir()
    assert not orphan.exists()


async def test_what_is_orphaned_is_swept_whatever_level_is_chosen(level: Level, scratch: Scratch) -> None:
    """By whoever opens a sandbox first, also where no level has to be looked for."""
    await (await opened(level, [])).close()
    dies = (
        "import os; from maxcode_lsp.executor.sandbox import Scratch\n"
        "print(Scratch().path, flush=True); os.kill(os.getpid(), 9)"
    )
    opens = (
        "import asyncio; from maxcode_lsp.executor.sandbox import open_sandbox\n"
        "async def main(): await (await open_sandbox([], allow_unconfined=True, memory_bytes=1 << 30)).close()\n"
        "asyncio.run(main())"
    )
    env = environment() | {"MAXCODE_SANDBOX": level.value, "TMPDIR": str(scratch.folder("temp"))}

    def run(script: str) -> bytes:
        return subprocess.run([sys.executable, "-c", script], check=False, stdout=subprocess.PIPE, env=env).stdout

    orphan = Path(os.fsdecode(await asyncio.to_thread(run, dies)).strip())
    assert orphan.is_dir()
    await asyncio.to_thread(run, opens)
    assert not orphan.exists()


async def test_launcher_is_built_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert await shared_launcher() == await shared_launcher()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("maxcode_lsp.executor.sandbox.launcher._shared", None)
    first = await shared_launcher()
    (cached,) = (tmp_path / "maxcode").iterdir()
    assert cached.read_bytes() == first.read_bytes()
    cached.write_bytes(b"damaged")
    monkeypatch.setattr("maxcode_lsp.executor.sandbox.launcher._shared", None)
    await shared_launcher()
    assert cached.read_bytes() == first.read_bytes()


async def test_whole_sandbox_memory_is_bounded(subject: Path) -> None:
    group = create(1 << 30, 16)
    if group is None:
        pytest.skip("control groups are not writable here")
    group.remove()
    box = await open_sandbox([Mount(subject, "/subject")], memory_bytes=128 << 20)
    try:
        command = Command((box.path("/subject/subject"), "alloc", "300"), Conduct.PROGRAM, memory_bytes=0)
        assert (await box.run(command)).signal == 9
        assert (await box.run(Command((box.path("/subject/subject"), "exit", "0"), Conduct.PROGRAM))).ok
    finally:
        await box.close()
