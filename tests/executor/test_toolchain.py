from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.errors import ToolMissing
from maxcode_lsp.executor.toolchain import Compiler, find_compiler


@pytest.mark.parametrize("name", ["g++", "gcc", "c++", "cc"])
async def test_compilers_are_found_by_their_names(name: str) -> None:
    compiler = await find_compiler(name)
    assert compiler.path.is_absolute()
    assert compiler.version != "unknown"
    assert compiler.is_c is ("++" not in name)


ODD = [
    "/usr/bin/g++",
    "../bin/g++",
    "./g++",
    "bin/g++",
    "sh",
    "python3",
    "",
    ".",
    "g++ -v",
    "g++\n",
    "g++;sh",
    "\x1b[2Jg++",
    "\ud800",
]


@pytest.mark.parametrize("name", ODD)
async def test_no_other_program_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for program in (tmp_path / "g++", tmp_path / "bin" / "g++", tmp_path / "python3"):
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\ntouch started\n")
        program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(ToolMissing, match="not found on PATH") as caught:
        await find_compiler(name)
    assert str(caught.value).isprintable()
    assert not (tmp_path / "started").exists()


@given(st.text(max_size=12).filter(lambda name: "+" not in name and "cc" not in name and "clang" not in name))
async def test_any_other_name_is_no_compiler(name: str) -> None:
    with pytest.raises(ToolMissing):
        await find_compiler(name)


@pytest.mark.parametrize(
    ("there", "path", "shown"),
    [
        (["opt/bin", "opt/lib"], "opt/bin/g++", "opt"),
        (["opt/bin", "opt/libexec"], "opt/bin/g++", "opt"),
        (["opt/bin"], "opt/bin/g++", "opt/bin"),
        (["opt/lib"], "opt/g++", "opt"),
        (["home/bin"], "home/bin/g++", "home/bin"),
        (["home/bin", "home/lib"], "home/bin/g++", "home/bin"),
        (["home/.local/bin", "home/.local/lib"], "home/.local/bin/g++", "home/.local"),
        (["bin", "lib"], "bin/g++", "bin"),
    ],
)
def test_a_home_is_never_shown_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: list[str], path: str, shown: str
) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in there:
        (tmp_path / folder).mkdir(parents=True)
    (mount,) = Compiler("g++", tmp_path / path, "1").mounts
    assert mount.source == tmp_path / shown
    assert mount.name == str(mount.source)


def test_the_system_needs_no_mount() -> None:
    assert Compiler("g++", Path("/usr/bin/g++"), "1").mounts == ()
    (mount,) = Compiler("g++", Path("/bin/g++"), "1").mounts
    assert mount.source == Path("/bin")
