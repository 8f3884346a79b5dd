"""The workspace's folders: whose settings hold for a file, what is wrong in them, and whether code may be run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from maxcode_lsp.server.editor import Editor
from maxcode_lsp.settings.schema import Settings


class Folders:
    """All folders. A file belongs to the one with the longest path above it; a file in none to its own folder."""

    def __init__(self, editor: Editor) -> None:
        raise NotImplementedError

    def open(self, folders: Sequence[Path], options: Any) -> None:
        """The folders of ``initialize``, and its ``initializationOptions`` (anything; what is wrong is reported)."""
        raise NotImplementedError

    def change(self, added: Sequence[Path], removed: Sequence[Path]) -> None:
        """``workspace/didChangeWorkspaceFolders``."""
        raise NotImplementedError

    def folder_of(self, file: Path) -> Path:
        """The folder that a file belongs to."""
        raise NotImplementedError

    async def settings(self, file: Path) -> Settings:
        """What holds for a file now: ``maxcode.toml`` under the editor's settings. Mistakes are diagnostics."""
        raise NotImplementedError

    async def configured(self, pushed: Any = None) -> None:
        """Ask for (``workspace/configuration``) or take (``didChangeConfiguration``) the editor's settings."""
        raise NotImplementedError

    async def reload(self, file: Path) -> None:
        """A settings file was changed, made or removed: its diagnostics are published anew."""
        raise NotImplementedError

    def trusted(self, file: Path) -> bool | None:
        """Whether code of its folder may be run: said by the editor, else remembered; None: nobody was asked yet."""
        raise NotImplementedError

    async def ask_trust(self, file: Path) -> bool:
        """Ask once whether code of its folder may be run, and remember a yes."""
        raise NotImplementedError
