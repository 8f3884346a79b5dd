from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.closure import dependencies, include_folders, project_root, scan
from maxcode_lsp.executor.toolchain import find_compiler


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
