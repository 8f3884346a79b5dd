"""The tools that maxcode runs inside do their work there: compiler, profilers, interpreter."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Level, Mount, Scratch
from maxcode_lsp.executor.sandbox.box import Box

from .conftest import opened


async def tool(box: Box, *argv: str) -> Exit:
    return await box.run(Command(argv, Conduct.TOOL, wall_s=60.0, cpu_s=60.0, memory_bytes=0, cwd=box.path("/out")))


async def test_compile_link_and_run(level: Level, scratch: Scratch) -> None:
    source, out = scratch.folder("src"), scratch.folder("out")
    (source / "a b.cpp").write_text('#include <cstdio>\n#include "h.hpp"\nint main() { std::puts(WORD); }\n')
    (source / "h.hpp").write_text('#define WORD "hello"\n')
    box = await opened(level, [Mount(source, "/src"), Mount(out, "/out", writable=True)], toolchain=True)
    async with box:
        built = await tool(box, "g++", "-O1", "-pipe", box.path("/src/a b.cpp"), "-o", box.path("/out/a"))
        assert built.ok, built.stderr.decode()
        assert built.cpu_ns > 10_000_000
        ran = await box.run(Command((box.path("/out/a"),), Conduct.PROGRAM))
        assert ran.stdout == b"hello\n"
    plain = await opened(level, [Mount(out, "/bin-out")])
    async with plain:
        assert (await plain.run(Command((plain.path("/bin-out/a"),), Conduct.PROGRAM))).stdout == b"hello\n"


@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.LANDLOCK], ids=lambda level: level.value)
async def test_private_files_cannot_be_included(level: Level, scratch: Scratch) -> None:
    secret = scratch.path / "secret.hpp"
    secret.write_text("int secret;\n")
    source, out = scratch.folder("src"), scratch.folder("out")
    (source / "a.cpp").write_text(f'#include "{secret}"\nint main() {{}}\n')
    box = await opened(level, [Mount(source, "/src"), Mount(out, "/out", writable=True)], toolchain=True)
    async with box:
        built = await tool(box, "g++", box.path("/src/a.cpp"), "-o", box.path("/out/a"))
        assert built.code == 1 and b"secret.hpp" in built.stderr


@pytest.mark.parametrize("name", ["valgrind", "perf", "python3"])
async def test_profilers_and_interpreter(level: Level, subject: Path, scratch: Scratch, name: str) -> None:
    if shutil.which(name, path="/usr/local/bin:/usr/bin:/bin") is None:
        pytest.skip(f"{name} is not installed")
    out = scratch.folder("out")
    box = await opened(level, [Mount(subject, "/subject"), Mount(out, "/out", writable=True)], toolchain=True)
    async with box:
        program, data = box.path("/subject/subject"), box.path("/out/data")
        argv = {
            "valgrind": ("valgrind", "--tool=callgrind", f"--callgrind-out-file={data}", program, "exit", "0"),
            "perf": ("perf", "record", "-q", "-e", "cpu-clock", "-o", data, "--", program, "spin", "0.1"),
            "python3": ("python3", "-c", f"open({data!r}, 'w').write('x'); print(6 * 7)"),
        }[name]
        ended = await tool(box, *argv)
        if name == "perf" and not ended.ok and os.geteuid() != 0:
            pytest.skip("perf is not allowed to this user")
        assert ended.ok, ended.stderr.decode()
        assert (out / "data").stat().st_size > 0


@pytest.mark.parametrize("kind", ["address", "undefined"])
async def test_sanitized_programs_run_as_programs(level: Level, scratch: Scratch, kind: str) -> None:
    source, out = scratch.folder("src"), scratch.folder("out")
    (source / "a.cpp").write_text(
        "#include <cstdio>\n#include <cstdlib>\n"
        "int main(int c, char** v) { int* p = new int[4]; p[0] = c + 2147483646;\n"
        'if (c > 1) p[0] += p[std::atoi(v[1])]; std::printf("%d\\n", p[0]); delete[] p; }\n'
    )
    box = await opened(level, [Mount(source, "/src"), Mount(out, "/out", writable=True)], toolchain=True)
    async with box:
        built = await tool(
            box,
            "g++",
            "-g",
            f"-fsanitize={kind}",
            "-fno-sanitize-recover=all",
            box.path("/src/a.cpp"),
            "-o",
            box.path("/out/a"),
        )
        assert built.ok, built.stderr.decode()
        env = {"ASAN_OPTIONS": "detect_leaks=0"}
        fine = await box.run(Command((box.path("/out/a"),), Conduct.PROGRAM, memory_bytes=0, env=env))
        assert fine.ok and fine.stdout == b"2147483647\n", fine.stderr.decode()
        wrong = await box.run(Command((box.path("/out/a"), "4"), Conduct.PROGRAM, memory_bytes=0, env=env))
        assert not wrong.ok and (b"heap-buffer-overflow" in wrong.stderr or b"overflow" in wrong.stderr), wrong
