from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.nvim.neovim import Neovim
from tests.e2e.programs import SLOW
from tests.e2e.test_story import SETTINGS

NEWEST, OLDEST = "0.11 from PyPI", "0.7 from Debian"
PLACES = {NEWEST: Path(sys.executable).with_name("nvim"), OLDEST: Path("/usr/bin/nvim")}


@pytest.fixture(params=[NEWEST, OLDEST])
def nvim(request: pytest.FixtureRequest, tmp_path: Path) -> Neovim:
    """Each Neovim that is here."""
    program = PLACES[request.param]
    if not program.exists():
        pytest.skip(f"there is no Neovim {request.param} here: run .ci/editors (PyPI has it for x86-64 only)")
    return Neovim(program, tmp_path)


@pytest.fixture
def newest(tmp_path: Path) -> Neovim:
    """Neovim 0.11."""
    if not PLACES[NEWEST].exists():
        pytest.skip(f"there is no Neovim {NEWEST} here: run .ci/editors (PyPI has it for x86-64 only)")
    return Neovim(PLACES[NEWEST], tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A slow program in a folder with an awkward name, with a CUDA file beside it."""
    folder = tmp_path / "a project ü"
    folder.mkdir()
    (folder / "maxcode.toml").write_text(SETTINGS)
    (folder / "scale.cu").write_text("__global__ void scale(float *a) { a[threadIdx.x] *= 2; }\n")
    made = folder / "slow.cpp"
    made.write_text(SLOW)
    return made
