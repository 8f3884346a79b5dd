"""The same story in Emacs with eglot, set up as docs/editors.md says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.nvim.test_plugin import assert_faster_and_right
from tests.e2e.playing import assert_nothing_runs, environment, play
from tests.e2e.programs import SLOW
from tests.e2e.test_story import SETTINGS

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "editors.md"
LIMIT_S = 60.0


@pytest.fixture
def emacs() -> str:
    """Emacs with eglot: its own from 29 on, else Debian's package."""
    found = shutil.which("emacs")
    if found is None:
        pytest.skip("there is no Emacs here: run .ci/editors (Debian: apt install emacs-nox elpa-eglot)")
    try:
        subprocess.run(
            [found, "--batch", "--eval", "(require 'eglot)"], check=True, capture_output=True, timeout=LIMIT_S
        )
    except subprocess.CalledProcessError:
        pytest.skip("this Emacs has no eglot: run .ci/editors (Debian: apt install elpa-eglot)")
    return found


async def test_the_whole_story(emacs: str, tmp_path: Path) -> None:
    workspace = tmp_path / "a project ü"
    workspace.mkdir()
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    (workspace / "maxcode.toml").write_text(SETTINGS)
    recipe = tmp_path / "recipe.el"
    (elisp,) = re.findall(r"```elisp\n(.*?)```", PAGE.read_text(), re.DOTALL)
    recipe.write_text(elisp)
    programs = tmp_path / "bin"
    programs.mkdir()
    maxcode = programs / "maxcode"
    maxcode.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m maxcode_lsp "$@"\n')
    maxcode.chmod(0o755)
    more = {
        "MAXCODE_RECIPE": str(recipe),
        "MAXCODE_FILE": str(file),
        "PATH": f"{programs}:/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
    }
    played = play([emacs, "--batch", "-l", HERE / "story.el"], environment(tmp_path, more), workspace)
    assert_faster_and_right(file, tmp_path)
    await assert_nothing_runs(played, tmp_path)
