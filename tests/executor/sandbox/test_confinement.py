"""What code under judgement cannot do, at every level."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Level, Mount, Scratch
from maxcode_lsp.executor.sandbox.box import Box

from .conftest import Try, opened

FILE_LEVELS = pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.LANDLOCK], ids=lambda level: level.value)
JUDGED = pytest.mark.parametrize("conduct", [Conduct.PROGRAM, Conduct.THREADED], ids=lambda conduct: conduct.value)


def refused(ended: Exit) -> bool:
    return ended.stdout.startswith(b"no: ")


@JUDGED
async def test_no_process(run: Try, conduct: Conduct) -> None:
    for mode in ("fork", "vfork", "clone", "clone3", "system"):
        assert refused(await run(mode, conduct=conduct)), mode


async def test_threads_only_where_allowed(run: Try) -> None:
    assert refused(await run("thread"))
    assert (await run("thread", conduct=Conduct.THREADED)).stdout == b"yes\n"


@JUDGED
async def test_no_other_program(run: Try, conduct: Conduct) -> None:
    for mode in ("exec", "execveat"):
        ended = await run(mode, conduct=conduct)
        assert refused(ended) and ended.code == 0, mode


@JUDGED
async def test_no_reach_beyond_itself(run: Try, conduct: Conduct) -> None:
    modes = (
        "socketpair",
        "ptrace",
        "kill",
        "kill-all",
        "pidfd",
        "limits",
        "affinity",
        "pdeathsig",
        "seccomp",
        "unshare",
        "io_uring",
    )
    for mode in modes:
        assert refused(await run(mode, conduct=conduct)), mode
    for family in ("1", "2", "10"):
        assert refused(await run("socket", family, conduct=conduct))
    assert (await run("exit", "0")).ok


async def test_tools_have_no_network_and_no_namespaces(run: Try) -> None:
    for mode in (
        ("socket", "1"),
        ("socket", "2"),
        ("socket", "10"),
        ("unshare",),
        ("keyring",),
        ("io_uring",),
        ("shmget",),
    ):
        assert refused(await run(*mode, conduct=Conduct.TOOL)), mode


@JUDGED
async def test_nothing_outlives_a_command(run: Try, conduct: Conduct) -> None:
    for mode in ("shmget", "shm_open", "msgget", "mq_open", "keyring"):
        assert refused(await run(mode, conduct=conduct)), mode
    await run("leave-output", conduct=conduct)
    assert (await run("read-output", conduct=conduct)).stdout == b"0\n"
    first = (await run("stdout-flags", conduct=conduct)).stdout
    assert (await run("stdout-flags", conduct=conduct)).stdout == first


@JUDGED
async def test_nothing_is_written_anywhere(run: Try, box: Box, scratch: Scratch, conduct: Conduct) -> None:
    kept = scratch.path / "out" / "kept"
    kept.write_text("kept")
    if box.uid is not None:
        os.chown(kept, box.uid, box.uid)
    before = kept.stat()
    inside, folder = box.path("/out/kept"), box.path("/out")
    for how in ("write", "truncate", "unlink", "chmod", "rename", "utime", "xattr"):
        assert refused(await run(how, inside, conduct=conduct)), how
    for how in ("create", "mkdir", "symlink", "openat2"):
        for path in (f"{folder}/new", "/tmp/maxcode-new", "/dev/shm/maxcode-new", "/maxcode-new"):
            assert refused(await run(how, path, conduct=conduct)), (how, path)
    assert refused(await run("tmpfile", folder, conduct=conduct))
    after = kept.stat()
    assert (after.st_mtime_ns, after.st_ctime_ns, after.st_mode) == (
        before.st_mtime_ns,
        before.st_ctime_ns,
        before.st_mode,
    )
    assert [each.name for each in (scratch.path / "out").iterdir()] == ["kept"]


async def test_tools_write_to_their_mounts_only(run: Try, box: Box, scratch: Scratch) -> None:
    assert (await run("create", box.path("/out/new"), conduct=Conduct.TOOL)).stdout == b"yes\n"
    assert (scratch.path / "out" / "new").exists()
    assert refused(await run("create", box.path("/subject/new"), conduct=Conduct.TOOL)) or box.level is Level.UNCONFINED
    if box.level is not Level.UNCONFINED:
        for path in ("/tmp/maxcode-new", "/dev/shm/maxcode-new", "/maxcode-new"):
            assert refused(await run("create", path, conduct=Conduct.TOOL)), path


@FILE_LEVELS
@pytest.mark.parametrize("conduct", list(Conduct), ids=lambda conduct: conduct.value)
async def test_files_outside_the_mounts_are_not_there(run: Try, box: Box, scratch: Scratch, conduct: Conduct) -> None:
    secret = scratch.path / "secret"
    secret.write_text("x")
    secret.chmod(0o644)
    outside = (
        "/etc/passwd",
        "/etc/hostname",
        str(Path.home()),
        str(secret),
        "/proc/1/root/etc/passwd",
        "/usr/bin/env",
        __file__,
    )
    for path in outside:
        assert refused(await run("open", path, conduct=conduct)), path
    assert (await run("open", box.path("/subject/subject"), conduct=conduct)).stdout == b"yes\n"


@pytest.mark.parametrize("conduct", list(Conduct), ids=lambda conduct: conduct.value)
async def test_launcher_is_closed_to_its_children(run: Try, conduct: Conduct) -> None:
    for name in ("fd", "mem", "environ", "maps"):
        assert refused(await run("parent", name, conduct=conduct)), name


@pytest.mark.parametrize("conduct", list(Conduct), ids=lambda conduct: conduct.value)
async def test_no_descriptor_is_inherited(run: Try, conduct: Conduct) -> None:
    leaked = os.dup2(0, 1000, inheritable=True)
    try:
        assert (await run("fds", conduct=conduct)).stdout == b""
    finally:
        os.close(leaked)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 is an ABI of x86-64")
async def test_x32_calls_are_fatal(run: Try) -> None:
    assert (await run("x32")).signal is not None


@pytest.mark.parametrize("level", [Level.BUBBLEWRAP], ids=lambda level: level.value)
async def test_tool_cannot_end_its_launcher(run: Try) -> None:
    await run("kill", conduct=Conduct.TOOL)
    assert (await run("exit", "0")).ok


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has user ids to give")
async def test_each_live_sandbox_has_its_own_user(level: Level, subject: Path) -> None:
    one, two = [await opened(level, [Mount(subject, "/subject")]) for _ in range(2)]
    try:
        seen: list[int] = []
        for box in (one, two):
            ended = await box.run(Command((box.path("/subject/subject"), "uid"), Conduct.PROGRAM))
            seen.append(int(ended.stdout))
        assert seen == [one.uid, two.uid] and seen[0] != seen[1] and 0 not in seen
    finally:
        await one.close()
        await two.close()
