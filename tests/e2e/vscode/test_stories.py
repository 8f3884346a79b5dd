"""What a person does in VS Code, done in a real one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.programs import SLOW
from tests.e2e.test_story import SETTINGS, built_and_run
from tests.e2e.vscode.conftest import Start

pytestmark = pytest.mark.xdist_group("vscode")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a slow program and an awkward name."""
    made = tmp_path / "a project ü"
    made.mkdir()
    (made / "slow.cpp").write_text(SLOW)
    (made / "maxcode.toml").write_text(SETTINGS)
    return made


def faster(file: Path, original: str, tmp_path: Path) -> None:
    """The program does the same as before, and takes far less time, by nothing of ours."""
    before = tmp_path / "original.cpp"
    before.write_text(original)
    nothing = Path(os.devnull)
    (said, slow_s), (says, fast_s) = (built_and_run(each, tmp_path, nothing) for each in (before, file))
    assert said == says
    assert slow_s / fast_s > 1.5


def test_the_whole_story(start: Start, folder: Path, shots: Path, tmp_path: Path) -> None:
    code = start({"editor.fontSize": 13})
    print(code.story("whole", folder, shots))
    faster(folder / "slow.cpp", SLOW, tmp_path)
