from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.build import Builder, Kind
from maxcode_lsp.executor.cache import BuildCache
from maxcode_lsp.executor.closure import dependencies, include_folders, project_root, provided, scan
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.sandbox import Scratch
from maxcode_lsp.executor.toolchain import Compiler, find_compiler
from maxcode_lsp.records import Outcome
from tests.executor.jobs import job


async def test_closure_has_relative_paths_only(tmp_path: Path) -> None:
    project = tmp_path / "a project ü"
    (project / "src").mkdir(parents=True)
    (project / "include dir").mkdir()
    (project / "unused").mkdir()
    (project / ".git").mkdir()
    (project / "include dir" / "own.h").write_text('#pragma once\n#include "deeper.h"\n')
    (project / "include dir" / "deeper.h").write_text("#pragma once\ninline int deep() { return 1; }\n")
    main = project / "src" / "the main.cpp"
    main.write_text('#include <vector>\n#include "own.h"\n#include "../near.h"\nint main() { return deep(); }\n')
    (project / "near.h").write_text("")
    flags = ("-O2", "-I", str(project / "include dir"), "-I", str(project / "unused"), "-lm")
    closure = await scan(main, await find_compiler("g++"), flags, allow_unconfined=False)
    assert {f.path for f in closure.files} == {
        "src/the main.cpp",
        "include dir/own.h",
        "include dir/deeper.h",
        "near.h",
    }
    assert closure.unit == "src/the main.cpp"
    assert closure.flags == ("-O2", "-I", "include dir", "-lm")
    assert all(str(tmp_path) not in flag for flag in closure.flags)
    assert len(closure.blobs) == len({f.sha256 for f in closure.files})


async def test_missing_header_is_named(tmp_path: Path) -> None:
    main = tmp_path / "a.cpp"
    main.write_text('#include "not/there.h"\nint main() {}\n')
    with pytest.raises(Refused, match=r"not/there\.h"):
        await scan(main, await find_compiler("g++"), (), allow_unconfined=False)


def test_makefile_quoting() -> None:
    rule = b"x: a\\ b.cpp \\\n  sub/c\\#d.h $$e.h /usr/include/stdio.h a\\ b.cpp\n"
    base = Path("/base")
    assert dependencies(rule, base) == [
        base / "a b.cpp",
        base / "sub/c#d.h",
        base / "$e.h",
        Path("/usr/include/stdio.h"),
    ]


def test_include_flags_joined_and_apart() -> None:
    assert include_folders(("-I", "/a", "-I/b", "-isystem", "/c", "-O2", "-iquote/d")) == [
        Path(p) for p in ("/a", "/b", "/c", "/d")
    ]


def test_project_root_never_is_the_machine(tmp_path: Path) -> None:
    assert project_root(tmp_path) == tmp_path
    (tmp_path / "maxcode.toml").write_text("")
    (tmp_path / "in" / "ner").mkdir(parents=True)
    assert project_root(tmp_path / "in" / "ner") == tmp_path


async def test_folders_of_the_toolchain_stay_as_they_are(tmp_path: Path) -> None:
    main = tmp_path / "a.cpp"
    main.write_text("#include <version.h>\nint main() { return LINUX_VERSION_CODE == 0; }\n")
    compiler = await find_compiler("g++")
    for flags in (("-I", "/usr/include/linux"), ("-isystem/usr/include/linux", "-O1"), ("-idirafter", "/usr/include")):
        with_header = (*flags, "-I/usr/include/linux")
        closure = await scan(main, compiler, with_header, allow_unconfined=False)
        assert closure.flags == with_header
        assert [file.path for file in closure.files] == ["a.cpp"]
    with Scratch() as scratch:
        builder = Builder(scratch, Cores(), BuildCache(tmp_path / "cache"), allow_unconfined=False)
        wanted = job(main.read_bytes(), flags=closure.flags)
        built = await builder.build(wanted, compiler, main.read_bytes(), Kind.PLAIN)
        assert built.outcome is Outcome.CORRECT, built.diagnostics
        await builder.close()


async def test_a_compiler_installed_elsewhere_brings_its_headers(tmp_path: Path) -> None:
    prefix = tmp_path / "opt"
    for name in ("bin", "lib", "include"):
        (prefix / name).mkdir(parents=True)
    (prefix / "include" / "theirs.h").write_text("")
    (prefix / "bin" / "g++").write_text('#!/bin/sh\nexec /usr/bin/g++ "$@"\n')
    (prefix / "bin" / "g++").chmod(0o755)
    project = tmp_path / "project"
    (project / "own").mkdir(parents=True)
    (project / "own" / "own.h").write_text("")
    (project / "a.cpp").write_text("#include <theirs.h>\n#include <own.h>\nint main() {}\n")
    flags = ("-I", str(prefix / "include"), f"-I{project / 'own'}")
    compiler = Compiler("g++", prefix / "bin" / "g++", "1")
    closure = await scan(project / "a.cpp", compiler, flags, allow_unconfined=False)
    assert closure.flags == ("-I", str(prefix / "include"), "-Iown")
    assert {file.path for file in closure.files} == {"a.cpp", "own/own.h"}


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/usr/include/eigen3/Eigen/Core", "/home/me/p", True),
        ("/usr/local/include/x.h", "/home/me/p", True),
        ("/home/me/p/x.h", "/home/me/p", False),
        ("/opt/gcc/include/x.h", "/home/me/p", True),
        ("/opt/boost/x.h", "/home/me/p", False),
        ("/usr/src/p/x.h", "/usr/src/p", False),
        ("/usr/include/x.h", "/usr/src/p", True),
        ("/opt/gcc/include/x.h", "/opt", True),
    ],
)
def test_what_comes_with_the_toolchain(path: str, root: str, expected: bool) -> None:
    assert provided(Path(path), Path(root), [Path("/usr"), Path("/opt/gcc")]) is expected


async def test_a_scan_does_not_disturb_a_measurement(tmp_path: Path) -> None:
    main = tmp_path / "a.cpp"
    main.write_text("int main() {}\n")
    compiler, cores = await find_compiler("g++"), Cores()
    async with cores.measuring(all_cores=True):
        scanning = asyncio.create_task(scan(main, compiler, (), allow_unconfined=False, cores=cores))
        await asyncio.sleep(0.3)
        assert not scanning.done()
    assert (await scanning).unit == "a.cpp"
    cores.close()
