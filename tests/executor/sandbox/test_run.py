"""What a command is given and what is said about how it ended, at every level."""

from __future__ import annotations

import asyncio
import os
import resource
import select
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode_lsp.errors import InfrastructureError, SandboxLost
from maxcode_lsp.executor.sandbox import Command, Conduct, Level, Mount, Scratch
from maxcode_lsp.executor.sandbox.box import Box

from .conftest import Try, opened

ANY = pytest.mark.parametrize("conduct", list(Conduct), ids=lambda conduct: conduct.value)


@ANY
async def test_exit_status(run: Try, conduct: Conduct) -> None:
    ended = await run("exit", "3", conduct=conduct)
    assert (ended.code, ended.signal, ended.ok) == (3, None, False)
    assert (await run("exit", "0", conduct=conduct)).ok


@ANY
@pytest.mark.parametrize(
    ("mode", "number"), [("abort", signal.SIGABRT), ("segv", signal.SIGSEGV), ("kill-self", signal.SIGTERM)]
)
async def test_signals(run: Try, conduct: Conduct, mode: str, number: int) -> None:
    ended = await run(mode, conduct=conduct)
    assert (ended.code, ended.signal, ended.ok) == (None, number, False)


@ANY
async def test_wall_limit(run: Try, conduct: Conduct) -> None:
    ended = await run("sleep", "30", conduct=conduct, wall_s=0.2)
    assert ended.timed_out and ended.signal == signal.SIGKILL and not ended.ok
    assert (await run("exit", "0", conduct=conduct)).ok


async def test_cpu_limit(run: Try) -> None:
    ended = await run("spin", "20", cpu_s=1.0, wall_s=30.0)
    assert ended.timed_out and ended.signal == signal.SIGXCPU


async def test_cpu_time_is_what_was_spent(run: Try) -> None:
    assert 150_000_000 < (await run("spin", "0.2")).cpu_ns < 300_000_000
    ended = await run("sleep", "0.2")
    assert ended.cpu_ns < 100_000_000 and ended.wall_ns >= 200_000_000


async def test_large_output_comes_whole(run: Try) -> None:
    ended = await run("print", str(5_000_001))
    assert ended.ok and ended.stdout == b"x" * 5_000_001


async def test_output_up_to_its_bound(run: Try) -> None:
    assert (await run("print", "100000", output_bytes=100_000)).ok
    ended = await run("print", "100001", output_bytes=100_000)
    assert ended.overflowed and not ended.ok and len(ended.stdout) == 100_000


async def test_memory_limit(run: Try) -> None:
    assert (await run("alloc", "200", memory_bytes=512 << 20)).stdout == b"yes\n"
    ended = await run("alloc", "600", memory_bytes=512 << 20)
    assert not ended.ok and ended.signal == signal.SIGABRT
    assert (await run("alloc", "200", memory_bytes=0)).max_rss_bytes > 200 << 20


async def test_stdin(run: Try, box: Box, scratch: Scratch) -> None:
    (scratch.path / "out" / "in put.txt").write_bytes(b"a\0b\n")
    assert (await run("cat", stdin=box.path("/out/in put.txt"))).stdout == b"a\0b\n"
    assert (await run("cat")).stdout == b""


async def test_cwd(run: Try, box: Box) -> None:
    assert (await run("cwd")).stdout.decode().strip() == box.path("/subject")
    assert (await run("cwd", cwd=box.path("/out"))).stdout.decode().strip() == box.path("/out")


async def test_environment_is_clean(run: Try, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "x")
    lines = (await run("env", env={"A": "b c\nd=é"})).stdout.decode()
    assert set(lines.splitlines()) == {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "A=b c", "d=é"}
    tool = (await run("env", conduct=Conduct.TOOL)).stdout.decode()
    assert f"TMPDIR={box.path('/out')}" in tool.splitlines()


async def test_arguments_survive_any_bytes(box: Box, run: Try) -> None:
    odd = ("a b", "new\nline", "é\u4e2d", os.fsdecode(b"\xff\xfe"), "", "'\"\\$(x)", "x" * 100_000)
    ended = await run("args", *odd)
    assert ended.stdout == b"".join(os.fsencode(each) + b"\0" for each in odd)
    with pytest.raises(ValueError, match="null"):
        await run("args", "a\0b")
    assert (await run("exit", "0")).ok


async def test_arguments_property(subject: Path, scratch: Scratch) -> None:
    box = await opened(Level.UNCONFINED, [Mount(subject, "/subject")])
    loop = asyncio.get_running_loop()

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.lists(st.binary(max_size=40).map(lambda raw: os.fsdecode(raw.replace(b"\0", b"")))))
    def same(arguments: list[str]) -> None:
        command = Command((box.path("/subject/subject"), "args", *arguments), Conduct.PROGRAM)
        ended = asyncio.run_coroutine_threadsafe(box.run(command), loop).result(20)
        assert ended.stdout == b"".join(os.fsencode(each) + b"\0" for each in arguments)

    await asyncio.to_thread(same)
    await box.close()


async def test_core_is_held(run: Try) -> None:
    core = min(os.sched_getaffinity(0))
    assert (await run("cores", core=core)).stdout == b"1\n"
    assert (await run("cores")).stdout.strip() == str(len(os.sched_getaffinity(0))).encode()


async def test_recursion_may_go_as_deep_as_for_the_user(run: Try) -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
    kilobytes = (256 << 10) if soft == resource.RLIM_INFINITY else min(soft >> 10, 256 << 10)
    assert (await run("stack", str(kilobytes * 8 // 10))).stdout == b"yes\n"
    assert (await run("stack", str(kilobytes * 12 // 10))).signal == signal.SIGSEGV


async def test_missing_program_and_missing_input(box: Box, run: Try) -> None:
    ended = await box.run(Command(("no-such-program",), Conduct.TOOL))
    assert ended.code == 127 and b"No such file" in ended.stderr
    with pytest.raises(InfrastructureError, match="No such file"):
        await run("cat", stdin="/no/such/file")
    assert (await run("exit", "0")).ok


async def test_leftovers_are_ended_and_counted(box: Box, run: Try) -> None:
    ended = await run("daemon", conduct=Conduct.TOOL)
    assert ended.code == 0 and ended.leftovers == 1 and not ended.ok
    assert (await run("exit", "0", conduct=Conduct.TOOL)).leftovers == 0


async def test_processes_are_bounded(box: Box, run: Try) -> None:
    ended = await run("forks", conduct=Conduct.TOOL)
    assert 10 < int(ended.stdout) <= 48
    assert ended.leftovers == int(ended.stdout)


@ANY
async def test_cancelling_ends_the_command_and_keeps_the_sandbox(run: Try, conduct: Conduct) -> None:
    task = asyncio.ensure_future(run("sleep", "30", conduct=conduct, wall_s=40.0))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await run("exit", "4", conduct=conduct)).code == 4


async def test_a_cancellation_and_the_answer_may_meet(box: Box, run: Try) -> None:
    """However far the loop has got with the answer, the cancellation holds and the sandbox stays."""
    for turns in range(16):
        task = asyncio.ensure_future(run("sleep", "0.1"))
        for _ in range(10):
            await asyncio.sleep(0)
        assert box._control is not None
        select.select([box._control], [], [], 20.0)
        for _ in range(turns):
            await asyncio.sleep(0)
        if task.cancel():
            with pytest.raises(asyncio.CancelledError):
                await task
        assert (await run("exit", "4")).code == 4


async def test_closed_and_lost_sandboxes_say_so(box: Box, run: Try) -> None:
    task = asyncio.ensure_future(run("sleep", "30", wall_s=40.0))
    await asyncio.sleep(0.1)
    await box.close()
    await box.close()
    with pytest.raises(SandboxLost):
        await task
    with pytest.raises(SandboxLost):
        await run("exit", "0")


async def test_commands_wait_for_their_turn(run: Try) -> None:
    endings = await asyncio.gather(*(run("exit", str(code)) for code in range(10)))
    assert [ended.code for ended in endings] == list(range(10))
