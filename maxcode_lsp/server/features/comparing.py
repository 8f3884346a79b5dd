"""Showing a version beside the document, in any editor: it is written to a file of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

import msgspec
from lsprotocol.types import MessageType
from msgspec import Struct

from maxcode_lsp.errors import Refused, StorageFull
from maxcode_lsp.messages import editors
from maxcode_lsp.server.custom import COMPARING, CompareArguments
from maxcode_lsp.server.runs import journals
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import COPY
from maxcode_lsp.server.workspace.uris import uri_of
from maxcode_lsp.settings import cache_folder

_ODD = re.compile(r"[^0-9a-z]")
KEPT_S = 7 * 86400.0
"""Written versions are swept when they are this old."""


class Version(Struct, frozen=True):
    """A version of a program."""

    program: Path
    candidate: str | None
    """Its id; None: it is not known."""
    text: bytes
    """The whole file."""


class Comparing(Feature):
    """Writes versions below the cache folder, where no build looks, and has the editor show them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def compare(self, arguments: CompareArguments) -> str:
        """Show a version; returns the URI of its file. Raises Refused, JournalError or StorageFull.

        A client that compares by itself is only told; it asks for the texts.
        """
        run = self._session.runs.get(arguments.run)
        if self._session.folders.options.comparing:
            self._session.editor.notify(COMPARING, msgspec.to_builtins(arguments))
            return run.uri if run is not None else ""
        if run is not None:
            found = await asyncio.to_thread(_version, run, arguments.candidate)
        else:
            found = await _recorded(arguments)
        if found is None:
            raise Refused(editors.no_version(run.target if run is not None else arguments.run))
        try:
            file = await asyncio.to_thread(write, versions_folder(), arguments.run, found)
        except OSError as error:
            raise StorageFull(editors.copy_failed(found.program.name, error.strerror or str(error))) from error
        uri = uri_of(file)
        if not await self._session.editor.show(uri):
            self._session.editor.say(editors.copy_at(found.program.name, str(file)), MessageType.Info)
        return uri


def versions_folder() -> Path:
    """Where versions are written; it may not exist yet."""
    return cache_folder() / "compare"


def write(folder: Path, run: str, version: Version) -> Path:
    """Write a version in one step, read-only, and sweep old ones; blocks. Raises OSError."""
    _sweep(folder)
    place = folder / run / _ODD.sub("", version.candidate or "result")[:16]
    file = place / f"{version.program.stem}{COPY}{version.program.suffix.removeprefix('.')}"
    place.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=place)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(version.text)
        Path(temporary).chmod(0o444)
        Path(temporary).replace(file)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return file


def _sweep(folder: Path) -> None:
    oldest = time.time() - KEPT_S
    for old in folder.iterdir() if folder.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):  # another server sweeps as well
            if old.stat().st_mtime < oldest:
                shutil.rmtree(old, ignore_errors=True)


def _version(run: Run, candidate: str | None) -> Version | None:
    result = run.result
    if candidate is None and result is not None and result.edited is not None:
        return Version(run.file, result.winner, result.edited)
    candidate = candidate or next((c for c, judged in reversed(run.evaluated.items()) if judged.best), None)
    text = run.version(candidate) if candidate is not None else None
    return Version(run.file, candidate, text) if text is not None else None


async def _recorded(arguments: CompareArguments) -> Version | None:
    """Of a run of an earlier session, or another window's. Raises JournalError."""
    found = await journals.recorded(arguments.run)
    if found is None:
        raise Refused(editors.unknown_run(arguments.run))
    program, result = Path(found.opened.file), found.result
    if arguments.candidate is None and result is not None and result.edited is not None:
        return Version(program, result.winner, result.edited)
    candidate = arguments.candidate or (found.best.evaluation.candidate if found.best is not None else None)
    if candidate is None:
        return None
    return Version(program, candidate, await asyncio.to_thread(found.text, candidate))
