"""Finding a file's entry in ``compile_commands.json``."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp.errors import SettingsError
from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.file import is_file

DATABASE = "compile_commands.json"
PLACES = (".", "build")
"""Where a database is looked for, in every folder from the file's upwards."""
LARGEST_BYTES = 256 << 20
LAUNCHERS = frozenset({"ccache", "sccache", "distcc", "icecc"})


class Entry(Struct, frozen=True):
    """How a database says that a file is compiled."""

    database: Path
    folder: Path
    """What relative paths are relative to; absolute."""
    compiler: str
    flags: tuple[str, ...]
    """All that follows the compiler."""


class _Row(Struct):
    directory: str
    file: str
    arguments: list[str] | None = None
    command: str | None = None


def find_entry(file: Path) -> Entry | None:
    """The first entry for ``file`` in the nearest database that has one; None without.

    Raises SettingsError where a database on the way is damaged.
    """
    file = file.resolve()
    for folder in file.parents:
        for place in PLACES:
            database = folder / place / DATABASE
            if is_file(database):
                entry = _entry(database, file)
                if entry is not None:
                    return entry
    return None


def _entry(database: Path, file: Path) -> Entry | None:
    try:
        if database.stat().st_size > LARGEST_BYTES:
            raise SettingsError(refusals.database_too_large(DATABASE), path=str(database))
        rows = msgspec.json.decode(database.read_bytes(), type=list[_Row])
    except OSError as error:
        said = error.strerror or "it cannot be read"
        raise SettingsError(refusals.database_damaged(DATABASE, said), path=str(database)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError(refusals.database_damaged(DATABASE, str(error)), path=str(database)) from error
    for row in rows:
        if "\0" in row.file + row.directory:
            raise SettingsError(refusals.database_damaged(DATABASE, "a path holds a NUL"), path=str(database))
        if Path(row.file).name != file.name:
            continue
        folder = (database.parent / row.directory).resolve()
        if (folder / row.file).resolve() != file:
            continue
        words = row.arguments if row.arguments is not None else _split(row.command or "", database)
        if words and Path(words[0]).name in LAUNCHERS:
            words = words[1:]
        if not words:
            raise SettingsError(refusals.database_damaged(DATABASE, f"no command for {row.file}"), path=str(database))
        return Entry(database, folder, words[0], tuple(words[1:]))
    return None


def _split(command: str, database: Path) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise SettingsError(refusals.database_damaged(DATABASE, str(error)), path=str(database)) from error
