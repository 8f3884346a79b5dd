"""Reading ``maxcode.toml``, a workspace's and the user's own: what is right holds, what is wrong becomes a problem with
its line.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from maxcode_lsp.errors import SettingsError
from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.own import is_own
from maxcode_lsp.settings.schema import FILE, Settings
from maxcode_lsp.settings.tables import TARGET, Key, Table, merge, read_table

LARGEST_BYTES = 1 << 20
MOST_BROKEN_LINES = 10
MOST_LEVELS = 100
LONG_NUMBER = re.compile(r"[0-9_]{600}")
"""Python reads no decimal number of thousands of digits, and its TOML parser does not expect that."""


class Problem(Struct, frozen=True):
    """A mistake in a settings file; what it concerns is ignored, the rest holds."""

    message: str
    path: str
    line: int | None
    """From 1; None: the whole file."""


def is_file(path: Path) -> bool:
    """Whether there is an ordinary file; False too where a folder on the way may not be entered.

    ``Path.is_file`` raises there before Python 3.14.
    """
    return os.path.isfile(path)  # noqa: PTH113


def find(target: Path, top: Path | None = None) -> Path | None:
    """The nearest settings file in the folder of ``target`` or above it, but not above ``top``."""
    folder = target.absolute() if target.is_dir() else target.absolute().parent
    for place in (folder, *folder.parents):
        if is_file(place / FILE):
            return place / FILE
        if place == top:
            break
    return None


def load(
    path: Path | None, target: Path | None = None, own: Path | None = None
) -> tuple[Settings, tuple[Problem, ...]]:
    """Settings for ``target`` from a workspace's file ``path``, over those of the user's ``own``. Never raises.

    Problems are those found in both. In a workspace's file, tables ``[target."NAME"]`` whose name or glob pattern fits
    the target's path, relative to the file's folder, come over the rest, in their order. None, or an ``own`` that is
    not there: the defaults.
    """
    values: Table = {}
    problems: list[Problem] = []
    if own is not None and is_file(own):
        reading = _Reading(own)
        _put(values, read_table(reading.parse(), Settings, (), reading.problem), flags_from=own.absolute().parent)
        problems += reading.problems
    if path is not None and not (own is not None and is_own(path, own)):
        reading = _Reading(path)
        for layer in _workspace(reading, target):
            _put(values, layer)
        problems += reading.problems
        values["file"] = str(path.absolute())
    return msgspec.convert(values, Settings), tuple(problems)


def _put(values: Table, layer: Table, flags_from: Path | None = None) -> None:
    merge(values, layer)
    if "flags" in layer:
        values["flags_from"] = "" if flags_from is None else str(flags_from)


def _workspace(reading: _Reading, target: Path | None) -> list[Table]:
    """What a workspace's file says for a target: its tables, the later ones over the earlier."""
    raw = reading.parse()
    files = raw.pop(TARGET, {})
    layers = [read_table(raw, Settings, (), reading.problem, users=False)]
    for name, table in cast("Table", files if isinstance(files, dict) else {}).items():
        special = read_table(table, Settings, (TARGET, name), reading.problem, users=False)
        if target is not None and _fits(name, target, reading.path.parent):
            layers.append(special)
    if not isinstance(files, dict):
        reading.problem(refusals.setting_ignored(refusals.setting_wrong(TARGET, files, "a table")), (TARGET,))
    return layers


def mistake(settings: Settings, key: str, message: str) -> SettingsError:
    """The error for a value that the schema cannot judge, such as a refused flag, with its line (if it has one)."""
    if not settings.file or (key == "flags" and settings.flags_from):
        return SettingsError(message)
    reading = _Reading(Path(settings.file))
    reading.parse()
    return SettingsError(message, path=settings.file, line=reading.line(tuple(key.split("."))))


class _Reading:
    """One reading of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.lines: dict[Key, int] = {}

    def problem(self, message: str, key: Key) -> None:
        self.problems.append(Problem(message, str(self.path), self.line(key)))

    def line(self, key: Key) -> int | None:
        """Line of a key, else of the nearest table around it."""
        known = (self.lines.get(key[:n]) for n in range(len(key), 0, -1))
        return next((line for line in known if line is not None), None)

    def parse(self) -> Table:
        """The tables of the file. A line that is not TOML is a problem and left out."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            self.problem(refusals.settings_unreadable(self.path.name, error.strerror or "it cannot be read"), ())
            return {}
        if len(data) > LARGEST_BYTES:
            self.problem(refusals.settings_too_large(self.path.name), ())
            return {}
        rows = data.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").replace("\r\n", "\n").split("\n")
        for number, row in enumerate(rows, 1):
            # The parser goes one level deeper for each; nobody writes so many.
            deepest = max(row.partition("=")[0].count("."), row.count("["), row.count("{"))
            if deepest > MOST_LEVELS or LONG_NUMBER.search(row):
                said = "too deeply nested" if deepest > MOST_LEVELS else "a number that long"
                self.problems.append(Problem(refusals.settings_not_toml(said), str(self.path), number))
                rows[number - 1] = ""
        for _ in range(MOST_BROKEN_LINES):
            try:
                raw = tomllib.loads("\n".join(rows))
                break
            except RecursionError:
                self.problems.append(Problem(refusals.settings_not_toml("too deeply nested"), str(self.path), None))
                return {}
            except tomllib.TOMLDecodeError as error:
                found = re.search(r"\(at line (\d+)", str(error))
                line = min(int(found.group(1)), len(rows)) if found else len(rows)
                while line > 1 and not rows[line - 1].strip():
                    line -= 1
                said = re.sub(r" \(at .*\)$", "", str(error))
                self.problems.append(Problem(refusals.settings_not_toml(said), str(self.path), line))
                rows[line - 1] = ""
        else:
            return {}
        self._find_lines(rows)
        return raw

    def _find_lines(self, rows: list[str]) -> None:
        table: Key = ()
        counts: Counter[Key] = Counter()
        for number, row in enumerate(rows, 1):
            if header := re.match(r"\s*(\[\[?[^\[].*\])\s*(?:#.*)?$", row):
                table = _path(header.group(1)) or table
                self.lines.setdefault(table, number)
                if row.lstrip().startswith("[["):
                    counts[table] += 1
                    table = (*table, f"[{counts[table] - 1}]")
                    self.lines[table] = number
            elif assigned := re.match(r"\s*([^=#\[\]{}]+?)\s*=", row):
                self.lines.setdefault((*table, *_path(f"{assigned.group(1)} = 0")), number)


def _path(statement: str) -> Key:
    """The dotted path that one line of TOML opens."""
    try:
        inner: Any = tomllib.loads(statement)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(inner, dict) and inner:
        ((name, inner),) = cast("Table", inner).items()
        path.append(name)
    return tuple(path)


def _fits(name: str, target: Path, folder: Path) -> bool:
    try:
        relative = target.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return False
    return fnmatchcase(relative, name.removeprefix("./"))
