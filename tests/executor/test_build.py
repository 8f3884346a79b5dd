from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from maxcode_lsp.executor.build import Builder, Kind, flags_for, lay_out
from maxcode_lsp.executor.cache import BuildCache
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.sandbox import Scratch
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
