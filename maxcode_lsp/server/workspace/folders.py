"""The workspace's folders: whose settings hold for a file, what is wrong in them, and whether code may be run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from msgspec import Struct

from maxcode_lsp.messages import editors, titles
from maxcode_lsp.server.connection.editor import Editor
from maxcode_lsp.server.workspace.configuration import Configuration
from maxcode_lsp.server.workspace.mistakes import Mistakes
from maxcode_lsp.server.workspace.options import Options, read_options
from maxcode_lsp.server.workspace.roots import Home, Roots, lexical, real
from maxcode_lsp.server.workspace.trust import Kept, covers, kept, remember, trust_file
from maxcode_lsp.settings.file import FILE, Problem, find, is_file, load
from maxcode_lsp.settings.layers import lay, lay_environment
from maxcode_lsp.settings.own import is_own, own_file
from maxcode_lsp.settings.schema import Settings

READ_S = 5.0
"""For a settings file to be found and read; network folders can hang."""
MOST_READINGS = 256
"""Files whose settings are remembered."""

_log = logging.getLogger(__name__)


class _Reading(Struct, frozen=True):
    """What the settings files said about a file."""

    paths: tuple[Path, ...]
    """The user's own and the workspace's, as far as they are there."""
    stamps: tuple[tuple[int, ...], ...]
    settings: Settings
    problems: tuple[Problem, ...]


class Folders:
    """All folders. A file belongs to the one with the longest path above it; a file in none to its own folder."""

    def __init__(self, editor: Editor) -> None:
        self.options = Options()
        """What ``initialize`` brought."""
        self._editor = editor
        self._roots = Roots()
        self._configuration = Configuration(editor)
        self._mistakes = Mistakes(editor)
        self._readings: dict[Path, _Reading] = {}
        self._laid: dict[Path, tuple[_Reading, Any, Settings]] = {}
        """What came out, and of what."""
        self._turn = 0
        self._published: dict[Path, int] = {}
        """Turn of the newest reading of a settings file; an older one says nothing more."""
        self._kept: Kept | None = None
        self._trusted: set[Path] = set()
        """Folders trusted in this session, links followed."""
        self._asking: dict[Path, asyncio.Task[bool]] = {}

    def open(self, folders: Sequence[Path], options: Any) -> None:
        """The folders of ``initialize``, and its ``initializationOptions`` (anything; what is wrong is reported)."""
        self.options, wrong, unknown = read_options(options)
        for sentence in wrong:
            self._editor.log(sentence)
        if unknown:
            self._editor.log(f"initializationOptions has keys that mean nothing here: {', '.join(unknown[:20])}")
        if wrong:
            self._editor.say(" ".join(wrong), types.MessageType.Warning)
        self._mistakes.in_editor((*lay_environment(Settings())[1], *lay(Settings(), self.options.settings)[1]))
        self.change(folders, ())

    def change(self, added: Sequence[Path], removed: Sequence[Path]) -> None:
        """``workspace/didChangeWorkspaceFolders``."""
        for folder in removed:
            self._roots.remove(folder)
            self._configuration.forget(lexical(folder))
        for folder in added:
            self._roots.add(folder)
        self._readings.clear()
        for file in self._mistakes.files():
            if any(file.is_relative_to(lexical(folder)) for folder in removed) and self._roots.home(file).top is None:
                self._mistakes.in_file(file, ())

    def folder_of(self, file: Path) -> Path:
        """The folder that a file belongs to."""
        return self._roots.home(file).folder

    async def settings(self, file: Path) -> Settings:
        """What holds for a file now: ``maxcode.toml``, the workspace's over the user's own, under the environment and
        the editor's settings. Mistakes are diagnostics.
        """
        home = self._roots.home(file)
        said = await self._configuration.of(home.folder if home.top is not None else None)
        reading = await self._read(home)
        before = self._laid.get(home.file)
        if before is not None and before[0] is reading and before[1] is said:
            return before[2]
        settings, _ = lay_environment(reading.settings)
        settings, _ = lay(settings, self.options.settings, home.folder)
        settings, _ = lay(settings, said, home.folder)
        _keep(self._laid, home.file, (reading, said, settings))
        return settings

    async def configured(self, pushed: Any = None) -> None:
        """Ask for (``workspace/configuration``) or take (``didChangeConfiguration``) the editor's settings."""
        await self._configuration.refresh(pushed, self._roots)
        wrong = [problem for said in self._configuration.all() for problem in lay(Settings(), said)[1]]
        self._mistakes.in_editor(wrong)
        self._editor.refresh_lenses()

    async def reload(self, file: Path) -> None:
        """A settings file was changed, made or removed: its diagnostics are published anew."""
        file = lexical(file)
        if file.name != FILE:
            return
        self._readings.clear()
        turn = self._next_turn()
        try:
            async with asyncio.timeout(READ_S):
                problems = await asyncio.to_thread(_problems_of, file)
        except TimeoutError:
            self._editor.log(editors.settings_slow(str(file)))
            return
        self._tell(file, problems, turn)
        self._editor.refresh_lenses()

    def trusted(self, file: Path) -> bool | None:
        """Whether code of its folder may be run: said by the editor, else remembered; None: nobody said yes yet.

        False is only what the editor said: then nobody is asked.
        """
        if self.options.trusted is not None:
            return self.options.trusted
        home = self._roots.home(file)
        return True if self._is_known(real(home.folder), alone=home.top is None) else None

    async def ask_trust(self, file: Path) -> bool:
        """Ask once whether code of its folder may be run, and remember a yes.

        For explicit starts only: after “Not now” the next call asks again. Calls at the same time ask once.
        """
        self._kept = None  # another window may have asked meanwhile
        known = self.trusted(file)
        if known is not None:
            return known
        home = self._roots.home(file)
        asking = self._asking.get(home.folder)
        if asking is None:
            asking = self._asking[home.folder] = asyncio.create_task(self._ask(home))
            asking.add_done_callback(lambda _: self._asking.pop(home.folder, None))
        # Not cancelled with one start that waits: another may wait for the same answer.
        await asyncio.wait([asking])
        return not asking.cancelled() and asking.result()

    def close(self) -> None:
        """Wait for no answer any more."""
        self._configuration.close()
        for asking in list(self._asking.values()):
            asking.cancel()

    async def _ask(self, home: Home) -> bool:
        yes = titles.trust_yes()
        question = editors.trust_question(str(home.folder))
        if await self._editor.ask(question, [yes, titles.trust_no()], types.MessageType.Warning) != yes:
            return False
        folder = real(home.folder)
        self._trusted.add(folder)
        place = trust_file()
        if not await asyncio.to_thread(remember, place, folder, alone=home.top is None):
            self._editor.say(editors.trust_not_kept(str(place)), types.MessageType.Warning)
        return True

    def _is_known(self, folder: Path, *, alone: bool) -> bool:
        if folder in self._trusted:
            return True
        if self._kept is None:
            self._kept = kept(trust_file())
        return covers(self._kept, folder, alone=alone)

    async def _read(self, home: Home) -> _Reading:
        before = self._readings.get(home.file)
        turn = self._next_turn()
        shown = self._mistakes.files()
        try:
            async with asyncio.timeout(READ_S):
                reading, gone = await asyncio.to_thread(_read, home, before, shown)
        except TimeoutError:
            self._editor.log(editors.settings_slow(str(home.file.parent / FILE)))
            return before or _Reading((), (), Settings(), ())
        _keep(self._readings, home.file, reading)
        for file in gone:
            self._tell(file, (), turn)
        for file in reading.paths:
            self._tell(file, tuple(problem for problem in reading.problems if problem.path == str(file)), turn)
        return reading

    def _next_turn(self) -> int:
        self._turn += 1
        return self._turn

    def _tell(self, file: Path, problems: tuple[Problem, ...], turn: int) -> None:
        if turn >= self._published.get(file, 0):
            self._published[file] = turn
            self._mistakes.in_file(file, problems)


def _keep(known: dict[Path, Any], file: Path, what: object) -> None:
    while len(known) >= MOST_READINGS:
        del known[next(iter(known))]
    known[file] = what


def _read(home: Home, before: _Reading | None, shown: Sequence[Path]) -> tuple[_Reading, list[Path]]:
    """The settings for a file, and settings files that are no longer there. Reads only what changed."""
    gone = [file for file in shown if not is_file(file)]
    own, path = own_file(), find(home.file, home.top)
    paths = tuple(file for file in (own, path) if file is not None and is_file(file))
    stamps = tuple(_stamp(file) for file in paths)
    if before is not None and (before.paths, before.stamps) == (paths, stamps):
        return before, gone
    return _Reading(paths, stamps, *load(path, home.file, own)), gone


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _problems_of(file: Path) -> tuple[Problem, ...]:
    if not is_file(file):
        return ()
    return load(None, own=file)[1] if is_own(file, own_file()) else load(file)[1]
