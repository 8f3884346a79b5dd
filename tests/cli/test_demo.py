from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from maxcode_lsp.cli.app import app
from maxcode_lsp.cli.demo import programs, summary
from maxcode_lsp.engine.events import Event, RunResult
from maxcode_lsp.settings import Settings
from tests.cli.conftest import Standin
from tests.cli.drawing import drawn
from tests.cli.recorded import IMPROVED, NO_IMPROVEMENT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "b.cpp": "int main() {}\n",
        "a/a.cpp": "int main(int, char**)\n{}\n",
        "a/part.cpp": "int f();\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_only_programs_are_taken(folder: Path) -> None:
    assert [file.name for file in programs(folder)] == ["a.cpp", "b.cpp"]


def test_the_table_has_a_line_for_each_program() -> None:
    lines = drawn(summary([IMPROVED, NO_IMPROVEMENT], 15.5))
    assert "2.31× faster (2.24–2.39)" in lines[1]
    assert "restrict, loop-order" in lines[1]
    assert "no measurable difference" in lines[2]
    assert lines[3].split() == ["6", "16"]


def test_all_programs_share_the_time(stand_in: Standin, folder: Path) -> None:
    given: list[float] = []

    async def optimize(
        file: Path,
        settings: Settings,
        on_event: Callable[[Event], None],
        *,
        run: str | None = None,
        resume: bool = False,
        allow_unsafe: bool = False,
    ) -> RunResult:
        given.append(settings.seconds)
        return replace(IMPROVED, target=file.name)

    stand_in("maxcode_lsp.engine.run", optimize=optimize)
    ended = CliRunner().invoke(app, ["demo", str(folder), "--minutes", "10"])
    assert ended.exit_code == 0
    assert given[0] < 300
    assert given[0] < given[1] < 600
    assert ended.stdout.count("faster (2.24–2.39)") == 2


def test_a_stop_ends_the_demo_and_shows_what_there_is(stand_in: Standin, folder: Path) -> None:
    async def optimize(
        file: Path,
        settings: Settings,
        on_event: Callable[[Event], None],
        *,
        run: str | None = None,
        resume: bool = False,
        allow_unsafe: bool = False,
    ) -> RunResult:
        raise asyncio.CancelledError

    stand_in("maxcode_lsp.engine.run", optimize=optimize)
    ended = CliRunner().invoke(app, ["demo", str(folder)])
    assert ended.exit_code == 130
    assert "a.cpp" in ended.stdout
    assert "b.cpp" not in ended.stdout


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    ended = CliRunner().invoke(app, ["demo", str(tmp_path)])
    assert ended.exit_code == 1
    assert "no C++ file with a main function" in ended.stderr
