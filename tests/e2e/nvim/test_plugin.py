"""The plugin of editors/nvim in real Neovims: Debian's 0.7 and the newest from PyPI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.processes import started_with
from tests.e2e.programs import SLOW
from tests.e2e.test_story import SETTINGS, built_and_run

HERE = Path(__file__).parent
PLUGIN = HERE.parents[2] / "editors" / "nvim"
LIMIT_S = 500


def nvims() -> dict[str, Path]:
    """Those that are here, by where they come from."""
    beside, system = Path(sys.executable).with_name("nvim"), Path("/usr/bin/nvim")
    return {"PyPI": beside, "Debian": system}


@pytest.fixture(params=["PyPI", "Debian"])
def nvim(request: pytest.FixtureRequest) -> Path:
    """Each of them; skips where it is not installed."""
    found = nvims()[request.param]
    if not found.exists():
        pytest.skip(f"there is no Neovim of {request.param} here: run .ci/editors")
    return found


def run(nvim: Path, script: str, folder: Path, file: Path, **more: str) -> str:
    """Run a script without any configuration of the user's; what it said."""
    env = dict(os.environ) | {
        f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")
    }
    plugin = folder / "plugin"
    shutil.copytree(PLUGIN, plugin, dirs_exist_ok=True)
    env |= {
        "MAXCODE_PLUGIN": str(plugin),
        "MAXCODE_PYTHON": sys.executable,
        "MAXCODE_FILE": str(file),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "HOME": str(folder),
        **more,
    }
    ended = subprocess.run(
        [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", HERE / script],
        env=env,
        cwd=file.parent,
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=LIMIT_S,
    )
    said = ended.stdout.decode() + ended.stderr.decode()
    assert ended.returncode == 0 and "story: done" in said, said
    return said


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A slow program in a folder with an awkward name."""
    workspace = tmp_path / "a project ü"
    workspace.mkdir()
    (workspace / "maxcode.toml").write_text(SETTINGS)
    (workspace / "scale.cu").write_text("__global__ void scale(float *a) { a[threadIdx.x] *= 2; }\n")
    made = workspace / "slow.cpp"
    made.write_text(SLOW)
    return made


def test_the_whole_story_with_the_plugin(nvim: Path, file: Path, tmp_path: Path) -> None:
    said = run(nvim, "story.lua", tmp_path, file)
    original = tmp_path / "original.cpp"
    original.write_text(SLOW)
    nothing = Path(os.devnull)
    (before, slow_s), (after, fast_s) = (built_and_run(each, tmp_path, nothing) for each in (original, file))
    assert before == after
    assert slow_s / fast_s > 1.5, said
    assert not started_with(str(tmp_path)), "something of it still runs"


@pytest.mark.parametrize("auto", ["yes", "no"])
def test_without_a_server(nvim: Path, file: Path, tmp_path: Path, auto: str) -> None:
    run(nvim, "missing.lua", tmp_path, file, MAXCODE_AUTO=auto, PATH="/usr/bin:/bin", VIRTUAL_ENV="")
