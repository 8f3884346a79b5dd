"""The same story in Neovim 0.11, which nobody here wrote."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.processes import started_with
from tests.e2e.programs import SLOW
from tests.e2e.test_story import SETTINGS, built_and_run

RECIPES = Path(__file__).parents[2] / "docs" / "editors.md"
STORY = Path(__file__).parent / "neovim" / "story.lua"


def nvim() -> str:
    """Neovim from PyPI beside this Python, else the one on PATH."""
    beside = Path(sys.executable).with_name("nvim")
    found = str(beside) if beside.exists() else shutil.which("nvim")
    if found is None:
        pytest.skip("there is no Neovim here: the package of the dev extra is for x86-64 only, and none is on PATH")
    return found


def test_the_whole_story_in_neovim(tmp_path: Path) -> None:
    workspace = tmp_path / "a project ü"
    workspace.mkdir()
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    (workspace / "maxcode.toml").write_text(SETTINGS)
    original = tmp_path / "original.cpp"
    original.write_text(SLOW)
    env = dict(os.environ) | {
        f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")
    }
    recipe = tmp_path / "recipe.lua"
    (lua,) = re.findall(r"```lua\n(.*?)```", RECIPES.read_text(), re.DOTALL)
    recipe.write_text(lua)
    env |= {
        "MAXCODE_RECIPE": str(recipe),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "MAXCODE_PYTHON": sys.executable,
        "MAXCODE_FILE": str(file),
    }
    ended = subprocess.run(
        [nvim(), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-l", STORY],
        env=env,
        cwd=workspace,
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=400,
    )
    said = ended.stdout.decode() + ended.stderr.decode()
    assert ended.returncode == 0 and "story: done" in said, said
    nothing = Path(os.devnull)
    before, slow_s = built_and_run(original, tmp_path, nothing)
    after, fast_s = built_and_run(file, tmp_path, nothing)
    assert before == after
    assert slow_s / fast_s > 1.5, said
    assert not started_with(str(tmp_path)), "something of it still runs"
