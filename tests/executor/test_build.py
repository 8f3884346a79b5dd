from __future__ import annotations

import asyncio
import errno
import gc
import os
import shutil
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from maxcode_lsp.errors import SandboxLost, StorageFull
from maxcode_lsp.executor.build import Builder, Kind, flags_for, lay_out, read_result
from maxcode_lsp.executor.cache import BuildCache
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.precompiled import header_for
from maxcode_lsp.executor.sandbox import Scratch
from maxcode_lsp.executor.sandbox.contract import Exit
from maxcode_lsp.executor.toolchain import Compiler, find_compiler
from maxcode_lsp.records import Outcome
from maxcode_lsp.target.job import Limits
from tests.executor.jobs import SUM, job


@pytest.fixture
async def builder(tmp_path: Path) -> AsyncIterator[Builder]:
    cache = BuildCache(tmp_path / "cache")
    with Scratch() as scratch:
        made = Builder(scratch, Cores(), cache, allow_unconfined=False)
        yield made
        await made.close()
    cache.close()


@pytest.fixture
async def compiler() -> Compiler:
    return await find_compiler("g++")


async def test_one_content_is_compiled_once(builder: Builder, compiler: Compiler) -> None:
    built = await asyncio.gather(*(builder.build(job(SUM), compiler, SUM, Kind.PLAIN) for _ in range(3)))
    assert {b.outcome for b in built} == {Outcome.CORRECT}
    assert builder.compiles == 1
    again = await builder.build(job(SUM), compiler, SUM, Kind.PLAIN)
    assert again.program == built[0].program
    assert builder.compiles == 1
    await builder.build(job(SUM, flags=("-O1",)), compiler, SUM, Kind.PLAIN)
    assert builder.compiles == 2


async def test_precompiled_headers_never_hide_a_missing_include(builder: Builder, compiler: Compiler) -> None:
    original = (
        b"#include <iostream>\n#include <vector>\n"
        b"int main() { std::vector<int> v(3); std::cout << v.size() << '\\n'; }\n"
    )
    without = original.replace(b"#include <vector>\n", b"").replace(b"std::vector<int> v(3)", b"std::list<int> v(3)")
    wanted = job(original)
    assert (await builder.build(wanted, compiler, original, Kind.SEARCH)).outcome is Outcome.CORRECT
    assert (await builder.build(wanted, compiler, without, Kind.SEARCH)).outcome is Outcome.COMPILE_ERROR
    needs_list = original.replace(b"std::vector<int> v(3)", b"std::list<int> v(3)")
    assert (await builder.build(wanted, compiler, needs_list, Kind.SEARCH)).outcome is Outcome.COMPILE_ERROR


async def test_search_and_plain_builds_behave_alike(builder: Builder, compiler: Compiler) -> None:
    from maxcode_lsp.executor.binary import identity

    search = await builder.build(job(SUM), compiler, SUM, Kind.SEARCH)
    plain = await builder.build(job(SUM), compiler, SUM, Kind.PLAIN)
    assert identity(search.program) == identity(plain.program)


async def test_template_bombs_and_devices_end(builder: Builder, compiler: Compiler) -> None:
    limits = Limits(build_s=4.0, build_memory_bytes=512 << 20)
    bomb = (
        b"template <int N, int M> struct T { T<N - 1, M * 2> a; T<N - 1, M * 2 + 1> b; };\n"
        b"template <int M> struct T<0, M> {};\nint main() { return sizeof(T<22, 1>); }\n"
    )
    for text in (
        bomb,
        b'#include "/dev/zero"\nint main() {}\n',
        b"int a[1 << 30] = {1}; int main() { return a[5]; }\n",
    ):
        built = await builder.build(job(text, limits=limits), compiler, text, Kind.PLAIN)
        assert built.outcome in {Outcome.TIMEOUT, Outcome.COMPILE_ERROR}


async def test_cancelled_builds_end(builder: Builder, compiler: Compiler) -> None:
    slow = b"#include <bits/stdc++.h>\nint main() { std::map<std::string, int> m; return m.size(); }\n"
    waiting = asyncio.create_task(builder.build(job(slow), compiler, slow, Kind.PLAIN))
    await asyncio.sleep(0.3)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await builder.close()


def test_sanitized_flags_replace_optimisation() -> None:
    flags = flags_for(("-O3", "-std=c++20", "-static", "-D_FORTIFY_SOURCE=2"), Kind.SANITIZED)
    assert "-O3" not in flags
    assert "-static" not in flags
    assert "-D_FORTIFY_SOURCE=2" not in flags
    assert "-std=c++20" in flags
    assert any(flag.startswith("-fsanitize=address") for flag in flags)


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x"])
def test_a_job_never_writes_outside_its_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="not a path inside"):
        lay_out(tmp_path / "root", {path: b""})


@pytest.mark.parametrize(
    "trouble",
    [
        SandboxLost("The sandbox died."),
        StorageFull("The disk is full."),
        OSError(errno.ENOSPC, "No space"),
        RuntimeError("a mistake of ours"),
    ],
    ids=lambda trouble: type(trouble).__name__,
)
async def test_trouble_with_headers_neither_ends_a_build_nor_stays(
    builder: Builder, compiler: Compiler, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    asked = 0

    def fails_once(includes: tuple[bytes, ...]) -> bytes:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise trouble
        return header_for(includes)

    monkeypatch.setattr("maxcode_lsp.executor.build.header_for", fails_once)
    odd: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: odd.append(context))
    builder.warm(job(SUM), compiler, SUM)
    for number in range(3):
        unit = SUM.replace(b"31", str(33 + number).encode())
        built = await builder.build(job(SUM), compiler, unit, Kind.SEARCH)
        assert built.outcome is Outcome.CORRECT
    assert asked == 2  # once more after the failure, then what is there is used
    gc.collect()
    assert odd == []


async def test_failures_that_nobody_waits_for_are_not_complained_about(
    builder: Builder, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = asyncio.Event()

    async def fails(*_: object, **__: object) -> None:
        await held.wait()
        raise SandboxLost("The sandbox died.")

    monkeypatch.setattr("maxcode_lsp.executor.build.open_sandbox", fails)
    odd: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: odd.append(context))
    builder.warm(job(SUM), compiler, SUM)
    waiting = [asyncio.create_task(builder.build(job(SUM), compiler, SUM, kind)) for kind in (Kind.SEARCH, Kind.PLAIN)]
    await asyncio.sleep(0.05)
    for waiter in waiting:
        waiter.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    held.set()
    await asyncio.sleep(0.05)
    waiting.clear()
    gc.collect()
    assert odd == []


async def test_what_a_limit_ended_is_tried_again_under_another(builder: Builder, compiler: Compiler) -> None:
    tight = Limits(build_memory_bytes=96 << 20)
    hungry = b"#include <iostream>\n#include <map>\nint main() {}\n"
    built = await builder.build(job(hungry, limits=tight), compiler, hungry, Kind.PLAIN)
    assert built.outcome is Outcome.COMPILE_ERROR
    assert built.limited
    assert (await builder.build(job(hungry), compiler, hungry, Kind.PLAIN)).outcome is Outcome.CORRECT


async def test_a_mistake_in_the_code_is_compiled_once(builder: Builder, compiler: Compiler) -> None:
    wrong = b"int main() { return x; }\n"
    for _ in range(2):
        assert not (await builder.build(job(wrong), compiler, wrong, Kind.PLAIN)).limited
    assert builder.compiles == 1


ENDED = Exit(
    code=1,
    signal=None,
    timed_out=False,
    overflowed=False,
    leftovers=0,
    wall_ns=1,
    cpu_ns=1,
    max_rss_bytes=1,
    stdout=b"",
    stderr=b"a.cpp:1:1: error: something",
)


@pytest.mark.parametrize(
    ("ended", "limited"),
    [
        (ENDED, False),
        (replace(ENDED, code=None, signal=9), True),
        (replace(ENDED, overflowed=True), True),
        (replace(ENDED, timed_out=True), True),
        (replace(ENDED, leftovers=1, code=0), True),
        (replace(ENDED, stderr=b"g++: fatal error: Killed signal terminated program cc1plus"), True),
        (replace(ENDED, stderr=b"virtual memory exhausted: Cannot allocate memory"), True),
        (replace(ENDED, stderr=b"cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes"), True),
        (replace(ENDED, stderr=b"LLVM ERROR: out of memory"), True),
        (replace(ENDED, stderr=b"clang++: error: unable to execute command: Killed"), True),
        (replace(ENDED, stderr=b"/usr/bin/ld: final link failed: memory exhausted"), True),
        (replace(ENDED, stderr=b"/usr/bin/ld: final link failed: File too large"), True),
        (replace(ENDED, stderr=b"as: final write failed: No space left on device"), True),
    ],
    ids=lambda value: value.stderr.decode()[-24:] if isinstance(value, Exit) else str(value),
)
def test_what_is_said_about_limits(tmp_path: Path, ended: Exit, limited: bool) -> None:
    built = read_result(ended, tmp_path / "program", job(SUM))
    assert built.outcome in {Outcome.COMPILE_ERROR, Outcome.TIMEOUT}
    assert built.limited is limited


def test_a_full_disk_is_believed_only_where_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = replace(ENDED, stderr=b"fatal error: No space left on device")
    assert read_result(ended, tmp_path / "program", job(SUM)).outcome is Outcome.COMPILE_ERROR
    usage = shutil.disk_usage(tmp_path)._replace(free=1 << 20)

    def disk_usage(_: object) -> object:
        return usage

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)
    with pytest.raises(StorageFull):
        read_result(ended, tmp_path / "program", job(SUM))
    assert read_result(ENDED, tmp_path / "program", job(SUM)).outcome is Outcome.COMPILE_ERROR
    (tmp_path / "program").write_bytes(b"built")
    assert read_result(replace(ended, code=0), tmp_path / "program", job(SUM)).outcome is Outcome.CORRECT


async def test_a_text_about_a_full_disk_is_the_candidates_own(builder: Builder, compiler: Compiler) -> None:
    for text in (b"#error No space left on device\n", b"#warning No space left on device\nint main() {}\n"):
        built = await builder.build(job(text), compiler, text, Kind.PLAIN)
        assert built.outcome is (Outcome.COMPILE_ERROR if b"#error" in text else Outcome.CORRECT)


@pytest.mark.parametrize("umask", [0o077, 0o777, 0o000])
def test_the_sandbox_can_read_what_is_laid_out(tmp_path: Path, umask: int) -> None:
    if umask == 0o777 and os.geteuid() != 0:
        pytest.skip("only root can write into such folders")
    before = os.umask(umask)
    try:
        lay_out(tmp_path / "root", {"a.cpp": b"", "in/ner/b.hpp": b"", "in/c.hpp": b""})
    finally:
        os.umask(before)
    for made in (tmp_path / "root", *(tmp_path / "root").rglob("*")):
        assert stat.S_IMODE(made.stat().st_mode) == (0o755 if made.is_dir() else 0o644)


async def test_builds_under_a_closed_umask(tmp_path: Path, compiler: Compiler) -> None:
    text = b'#include <vector>\n#include "in/own.hpp"\nint main() { return OWN; }\n'
    wanted = job(text, more={"in/own.hpp": b"#pragma once\n#define OWN 0\n"})
    before = os.umask(0o077)
    try:
        with Scratch() as scratch:
            builder = Builder(scratch, Cores(), BuildCache(tmp_path / "cache"), allow_unconfined=False)
            for kind in Kind:
                built = await builder.build(wanted, compiler, text, kind)
                assert built.outcome is Outcome.CORRECT, built.diagnostics
            assert list(scratch.path.glob("headers-*/headers.hpp.gch"))
            await builder.close()
    finally:
        os.umask(before)
