"""The editor's own settings (``maxcode.*``), for each folder: asked for where the client can be asked, else pushed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from maxcode_lsp.server.connection.editor import Editor
from maxcode_lsp.server.workspace.uris import uri_of
from maxcode_lsp.settings.layers import SECTION
from maxcode_lsp.settings.schema import Settings
from maxcode_lsp.settings.values import keys

WAIT_S = 2.0
"""How long a request waits for a folder's settings; they hold once they come."""


class Configuration:
    """What the editor said last. A folder of None stands for files that are in no open folder."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._said: dict[Path | None, Any] = {}
        self._generation = 0
        self._asked = False
        """The client answers requests: it said that it is initialised."""
        self._asking: dict[Path | None, asyncio.Task[None]] = {}

    async def refresh(self, pushed: Any, folders: Iterable[Path]) -> None:
        """Ask for the settings of all folders; where that cannot be done, take what was pushed."""
        self._generation += 1
        generation = self._generation
        if not self._editor.can.configuration:
            if pushed is not None:
                self._said = {None: section_of(pushed)}
            return
        self._asked = True
        scopes: list[Path | None] = [None, *folders]
        answers = await self._ask(scopes)
        if answers is not None and generation == self._generation:
            self._said = dict(zip(scopes, answers, strict=True))

    async def of(self, folder: Path | None) -> Any:
        """What holds for a folder, as the editor said it. A folder that is new is asked for."""
        if self._asked and folder not in self._said:
            asking = self._asking.get(folder)
            if asking is None:
                asking = self._asking[folder] = asyncio.create_task(self._add(folder))
                asking.add_done_callback(lambda _: self._asking.pop(folder, None))
            # Not cancelled with one that waits: others wait for the same answer.
            await asyncio.wait([asking], timeout=WAIT_S)
        return self._said.get(folder, self._said.get(None))

    def forget(self, folder: Path) -> None:
        """A folder was closed."""
        self._said.pop(folder, None)

    def all(self) -> list[Any]:
        """Everything that the editor said."""
        return list(self._said.values())

    def close(self) -> None:
        """Wait for nothing any more."""
        for asking in list(self._asking.values()):
            asking.cancel()

    async def _add(self, folder: Path | None) -> None:
        generation = self._generation
        answers = await self._ask([folder])
        if generation == self._generation:
            # Without an answer the window's settings hold, and it is not asked for at every turn.
            self._said[folder] = answers[0] if answers else self._said.get(None)

    async def _ask(self, scopes: list[Path | None]) -> list[Any] | None:
        return await self._editor.configuration(SECTION, [None if scope is None else uri_of(scope) for scope in scopes])


def section_of(pushed: Any) -> Any:
    """Our part of ``didChangeConfiguration``'s settings: clients push the section, all sections, or dotted keys."""
    if not isinstance(pushed, dict):
        return None
    said = cast("dict[object, Any]", pushed)
    ours = said.get(SECTION)
    dotted = {key: value for key, value in said.items() if isinstance(key, str) and key.startswith(f"{SECTION}.")}
    if isinstance(ours, dict):
        return {**cast("dict[object, Any]", ours), **dotted}
    if SECTION in said or dotted:
        return dotted or ours
    known = keys(Settings)
    bare = bool(said) and all(isinstance(key, str) and key.partition(".")[0] in known for key in said)
    return said if bare else None
