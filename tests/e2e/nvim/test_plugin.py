"""The plugin of editors/nvim in real Neovims: Debian's 0.7 and 0.11 from PyPI."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.nvim.conftest import OLDEST, PLACES
from tests.e2e.nvim.neovim import Neovim
from tests.e2e.playing import assert_nothing_runs
from tests.e2e.programs import SLOW
from tests.e2e.test_story import built_and_run


async def test_the_whole_story(nvim: Neovim, file: Path, tmp_path: Path) -> None:
    played = nvim.play("story.lua", file)
    assert "confirming the best" in played.said, "progress is in the message line"
    assert_faster_and_right(file, tmp_path)
    await assert_nothing_runs(played, tmp_path)


async def test_what_is_around_it(nvim: Neovim, file: Path, tmp_path: Path) -> None:
    played = nvim.play("around.lua", file)
    await assert_nothing_runs(played, tmp_path)


async def test_leaving_in_the_middle_of_a_run_ends_everything(nvim: Neovim, file: Path, tmp_path: Path) -> None:
    played = nvim.play("leaving.lua", file)
    assert len(played.family) > 2, "an engine with children"
    await assert_nothing_runs(played, tmp_path)


async def test_a_server_that_dies_is_told_and_begun_again(nvim: Neovim, file: Path, tmp_path: Path) -> None:
    played = nvim.play("crash.lua", file)
    await assert_nothing_runs(played, tmp_path)


async def test_not_now_runs_nothing(nvim: Neovim, file: Path, tmp_path: Path) -> None:
    played = nvim.play("untrusted.lua", file)
    await assert_nothing_runs(played, tmp_path)
    assert not list(tmp_path.rglob("trust*.json")), "a no is not remembered"


@pytest.mark.parametrize("auto", ["yes", "no"])
def test_without_a_server(nvim: Neovim, file: Path, auto: str) -> None:
    nvim.play("missing.lua", file, MAXCODE_AUTO=auto, PATH="/usr/bin:/bin", VIRTUAL_ENV="")


@pytest.mark.parametrize("place", ["environment", "path"])
def test_the_server_is_found(nvim: Neovim, file: Path, tmp_path: Path, place: str) -> None:
    """Nothing is configured: the folder is on the runtimepath, and that is all."""
    started = server_in(tmp_path / "somewhere" / "bin")
    if place == "environment":
        nvim.play("found.lua", file, VIRTUAL_ENV=str(tmp_path / "somewhere"), PATH="/usr/bin:/bin")
    else:
        nvim.play("found.lua", file, PATH=f"{started.parent}:/usr/bin:/bin", VIRTUAL_ENV="")
    assert started.exists()


@pytest.mark.parametrize("key", ["ignore", "allow"])
def test_a_server_of_the_project_is_started_only_where_that_is_allowed(nvim: Neovim, file: Path, key: str) -> None:
    started = server_in(file.parent / ".venv" / "bin")
    nvim.play("own.lua", file, MAXCODE_ANSWER=key[0], PATH="/usr/bin:/bin", VIRTUAL_ENV="")
    assert started.exists() == (key == "allow" and nvim.program != PLACES[OLDEST])


def server_in(folder: Path) -> Path:
    """Put the server there; returns the file that is there once it was started."""
    folder.mkdir(parents=True)
    started = folder / "started"
    program = folder / "maxcode"
    program.write_text(f'#!/bin/sh\ntouch "{started}"\nexec "{sys.executable}" -m maxcode_lsp "$@"\n')
    program.chmod(0o755)
    return started


def assert_faster_and_right(file: Path, folder: Path) -> None:
    """By plain g++ and plain runs."""
    original = folder / "original.cpp"
    original.write_text(SLOW)
    nothing = Path("/dev/null")
    (before, slow_s), (after, fast_s) = (built_and_run(each, folder, nothing) for each in (original, file))
    assert before == after
    assert slow_s / fast_s > 1.5
