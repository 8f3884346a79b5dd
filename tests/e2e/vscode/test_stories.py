"""What a person does in VS Code, done in a real one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.programs import SLOW
from tests.e2e.test_story import SETTINGS, built_and_run
from tests.e2e.vscode.code_server import CLIENT
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
    start({"editor.fontSize": 13}).story("whole", folder, shots)
    faster(folder / "slow.cpp", SLOW, tmp_path)


def test_the_view_of_runs_and_the_page_of_one(start: Start, folder: Path, shots: Path) -> None:
    start({"workbench.colorTheme": "Dark Modern"}).story("view", folder, shots)
    assert (folder / "slow.cpp").read_text() == SLOW, "nothing was applied"


def test_edits_while_it_runs_in_a_crlf_file(start: Start, folder: Path, shots: Path) -> None:
    file = folder / "slow.cpp"
    file.write_bytes(SLOW.replace("\n", "\r\n").encode())
    start({"maxcode.preview": True}).story("edits", folder, shots)


def test_a_server_that_dies(start: Start, folder: Path, shots: Path) -> None:
    start().story("crash", folder, shots)


def test_a_folder_that_nobody_trusts(start: Start, folder: Path, shots: Path) -> None:
    start({"security.workspace.trust.startupPrompt": "always"}, trust=True).story("untrusted", folder, shots)


def test_cuda_settings_and_the_example(start: Start, folder: Path, shots: Path) -> None:
    (folder / "scale.cu").write_text(
        "__global__ void scale(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] *= 2; }\n"
    )
    (folder / "maxcode.toml").write_text(SETTINGS + "bugdet = 3\n")
    start().story("small", folder, shots)


def test_a_server_that_is_not_there(start: Start, folder: Path, shots: Path) -> None:
    start({"maxcode.server.path": "/not/there/maxcode"}).story("missing", folder, shots)


def test_inside_the_extension_host(start: Start, folder: Path, shots: Path) -> None:
    said = start(host=True).story("host", folder, shots, client=str(CLIENT))
    assert " 0 failed" in said
