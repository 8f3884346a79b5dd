"""The folders that an editor has open, and which of them a file is in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct


class Home(Struct, frozen=True):
    """Where a file belongs."""

    folder: Path
    """As the editor names it; without one around the file, the file's own folder."""
    top: Path | None
    """The same folder on the way upwards from ``file``; None: the file is in no open folder."""
    file: Path
    """The file, by the name under which it lies in ``top``."""


class Roots:
    """Open folders, which may lie in each other. Case counts, as in the file systems here."""

    def __init__(self) -> None:
        self._real: dict[Path, Path] = {}
        """Each folder, and where it is once links are followed."""

    def __iter__(self) -> Iterator[Path]:
        return iter(list(self._real))

    def add(self, folder: Path) -> None:
        """A folder was opened."""
        plain = lexical(folder)
        self._real[plain] = real(plain)

    def remove(self, folder: Path) -> None:
        """A folder was closed; one that is not open is nobody's mistake."""
        self._real.pop(lexical(folder), None)

    def home(self, file: Path) -> Home:
        """The folder with the longest path above a file: by the editor's names, else with links followed."""
        file = lexical(file)
        around = [folder for folder in self._real if file.is_relative_to(folder)]
        if around:
            folder = max(around, key=_depth)
            return Home(folder, folder, file)
        followed = real(file)
        around = [folder for folder, place in self._real.items() if followed.is_relative_to(place)]
        if around:
            folder = max(around, key=lambda folder: _depth(self._real[folder]))
            return Home(folder, self._real[folder], followed)
        return Home(file.parent, None, file)


def lexical(path: Path) -> Path:
    """One spelling of an absolute path: without ``.``, ``..`` and slashes too many. Touches no disk."""
    return Path("/" + os.path.normpath(path).lstrip("/"))


def real(path: Path) -> Path:
    """With links followed, as far as there is something; the path itself where they lead in a circle."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path


def _depth(path: Path) -> int:
    return len(path.parts)
