from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.vscode.code_server import CodeServer, install, needed, running, vsix

Start = Callable[..., CodeServer]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the built extension installed."""
    needed()
    folder = tmp_path_factory.mktemp("installed")
    install(folder, vsix())
    return folder


@pytest.fixture
def shots(tmp_path: Path) -> Iterator[Path]:
    """Where pictures go; MAXCODE_SHOTS names a folder in which they are kept."""
    folder = tmp_path / "shots"
    folder.mkdir()
    yield folder
    if kept := os.environ.get("MAXCODE_SHOTS"):
        shutil.copytree(folder, Path(kept) / tmp_path.name, dirs_exist_ok=True)


@pytest.fixture
def start(tmp_path: Path, installed: Path) -> Iterator[Start]:
    """Starts VS Code, with settings."""
    with ExitStack() as stack:

        def begin(settings: dict[str, Any] | None = None, *, trust: bool = False, host: bool = False) -> CodeServer:
            return stack.enter_context(running(tmp_path / "vscode", installed, settings or {}, trust=trust, host=host))

        yield begin
