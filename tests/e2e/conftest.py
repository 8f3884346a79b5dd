from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.e2e.editor import Editor
from tests.e2e.processes import below, gone

Launch = Callable[..., Awaitable[Editor]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty folder with an awkward name."""
    folder = tmp_path / "a project ü"
    folder.mkdir()
    return folder


@pytest_asyncio.fixture
async def launch(tmp_path: Path, workspace: Path) -> AsyncIterator[Launch]:
    """Starts editors; at the end none may have an open progress or a living child."""
    editors: list[Editor] = []

    async def start(
        name: str = "vscode", options: Any = None, folder: Path | None = None, settings: Any = None
    ) -> Editor:
        editor = Editor(folder or workspace, name, tmp_path / "home")
        editors.append(editor)
        await editor.start({"trusted": True} if options is None else options, settings)
        return editor

    yield start
    for editor in editors:
        server = editor.client._server
        if server is None or server.returncode is not None:
            continue
        family = below(editor.pid) | {editor.pid}
        code = await editor.quit()
        assert code == 0, f"the server ended with {code}"
        assert editor.ended(), f"a progress was left open: {editor.progress()}"
        left = await gone(family)
        assert not left, f"processes were left: {left}"
    await asyncio.sleep(0)
