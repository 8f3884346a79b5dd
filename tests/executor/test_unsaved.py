from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.errors import Refused, SandboxUnavailable
from maxcode_lsp.executor.build import Builder, Kind
from maxcode_lsp.executor.cache import BuildCache
from maxcode_lsp.executor.closure import Closure, scan
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.sandbox import Level, Scratch, open_sandbox
from maxcode_lsp.executor.toolchain import find_compiler
from maxcode_lsp.executor.unsaved import view_with
from maxcode_lsp.records import Outcome
from maxcode_lsp.target.job import EvaluationJob
from tests.executor.jobs import job

UNSAVED = b"""#include <vector>
#include "beside.h"
#include "../above.h"
#include "inner/deep.h"
int main() { return beside() + above() + deep(); }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    top = tmp_path / "a project ü"
    (top / "src" / "inner").mkdir(parents=True)
    (top / "include").mkdir()
    (top / ".git").mkdir()
    (top / "include" / "common.h").write_text("inline int common() { return 2; }\n")
    (top / "src" / "common.h").write_text("#error not this one: inner/deep.h does not stand beside it\n")
    (top / "src" / "beside.h").write_text("inline int beside() { return 3; }\n")
    (top / "src" / "inner" / "deep.h").write_text(
        '#include "../../above.h"\n#include "common.h"\n#pragma once\ninline int deep() { return common(); }\n'
    )
    (top / "above.h").write_text("#pragma once\ninline int above() { return 1; }\n")
    return top


def wanted(closure: Closure) -> EvaluationJob:
    made = job(b"")
    return EvaluationJob(
        files=closure.files,
        unit=closure.unit,
        compiler="g++",
        flags=closure.flags,
        cases=made.cases,
        generator=None,
        output=made.output,
        limits=made.limits,
        blobs=closure.blobs,
    )


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("saved", [None, "int main() {}\n", '#include "gone.h"\nint main() {}\n'])
async def test_the_headers_are_those_of_the_unsaved_text(
    project: Path, level: Level, saved: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        await (await open_sandbox([], level=level, allow_unconfined=True, memory_bytes=1 << 30)).close()
    except SandboxUnavailable as problem:
        pytest.skip(str(problem))
    monkeypatch.setenv("MAXCODE_SANDBOX", level.value)
    file = project / "src" / "solve it.cpp"
    if saved is not None:
        file.write_text(saved)
    flags = ("-O1", f"-I{project / 'include'}")
    found = await scan(file, await find_compiler("g++"), flags, text=UNSAVED, allow_unconfined=True)
    assert {f.path for f in found.files} == {
        "src/solve it.cpp",
        "src/beside.h",
        "above.h",
        "src/inner/deep.h",
        "include/common.h",
    }
    assert found.unit == "src/solve it.cpp"
    assert found.flags == ("-O1", "-Iinclude")
    assert found.blobs[next(f.sha256 for f in found.files if f.path == found.unit)] == UNSAVED
    assert file.exists() == (saved is not None)


async def test_the_closure_of_unsaved_text_builds(project: Path, tmp_path: Path) -> None:
    compiler = await find_compiler("g++")
    file = project / "src" / "new.cpp"
    flags = ("-I", str(project / "include"))
    found = await scan(file, compiler, flags, text=UNSAVED, allow_unconfined=False)
    with Scratch() as scratch:
        cache = BuildCache(tmp_path / "cache")
        builder = Builder(scratch, Cores(), cache, allow_unconfined=False)
        built = await builder.build(wanted(found), compiler, UNSAVED, Kind.PLAIN)
        assert built.outcome is Outcome.CORRECT, built.diagnostics
        await builder.close()
        cache.close()


@pytest.mark.parametrize("itself", ['"self.cpp"', "__FILE__", '"../src/self.cpp"'])
async def test_a_file_that_includes_itself(project: Path, itself: str) -> None:
    text = f'#ifndef TWICE\n#define TWICE\n#include {itself}\n#else\n#include "beside.h"\nint main() {{}}\n#endif\n'
    file = project / "src" / "self.cpp"
    found = await scan(file, await find_compiler("g++"), (), text=text.encode(), allow_unconfined=False)
    assert {f.path for f in found.files} == {"self.cpp", "beside.h"}


async def test_what_the_compiler_says_names_the_users_file(project: Path) -> None:
    file = project / "src" / "new.cpp"
    compiler = await find_compiler("g++")
    with pytest.raises(Refused, match=f"{file}:2:2: error"):
        await scan(file, compiler, (), text=b"\n#error no\n", allow_unconfined=False)
    with pytest.raises(Refused, match=r"the header not_there\.h"):
        await scan(file, compiler, (), text=b'#include "not_there.h"\n', allow_unconfined=False)


async def test_nothing_is_left_and_nobody_else_can_look(project: Path, tmp_path: Path) -> None:
    with Scratch() as scratch:
        file = project / "src" / "new.cpp"
        view = view_with(file, b"secret", project, scratch.folder("view"))
        assert view.seen(file).read_bytes() == b"secret"
        assert view.meant(view.seen(file)) == file
        assert view.meant(tmp_path / "else") == tmp_path / "else"
        assert view.top.stat().st_mode & 0o077 == 0
        assert (view.top / "above.h").readlink() == project / "above.h"
        gone = scratch.path
    assert not gone.exists()
    assert {entry.name for entry in (project / "src").iterdir()} == {"inner", "common.h", "beside.h"}
