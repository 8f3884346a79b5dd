"""A suite: targets to search on. What it is made from is seen from what is there.

A report and a journal know targets by name only, so other kinds of targets need a loader and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from msgspec import Struct

from maxcode_lsp.engine.load import Loaded, load
from maxcode_lsp.errors import Refused
from maxcode_lsp.messages import comparisons
from maxcode_lsp.settings import Settings, find
from maxcode_lsp.settings import load as load_settings

OURS = Path("tests/suite")
"""Of the checkout."""
SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++"})
TABLE = "table.jsonl.gz"


class Subject(Struct, frozen=True):
    """One target of a suite."""

    name: str
    """Unique in its suite."""
    settings: Settings
    load: Callable[[], Coroutine[Any, Any, Loaded]]
    """Reads it and all it needs. Raises as a run does."""
    reference: bytes | None = None
    """A faster version that somebody wrote, where the suite has one."""


class Suite(Struct, frozen=True):
    """Targets by name, and where they are."""

    name: str
    home: Path
    subjects: tuple[Subject, ...]

    @property
    def table(self) -> Path:
        """Where its replay table is, if it has one."""
        return self.home / TABLE


def load_suite(name: str, only: tuple[str, ...] = ()) -> Suite:
    """The suite of a name: ``dev`` or ``test`` of the checkout, a folder of programs with inputs, or a file of pairs in
    PIE's form. ``only``: names of targets; empty: all. Raises Refused where there is none.
    """
    path = OURS / name if (OURS / name).is_dir() else Path(name)
    if path.suffix == ".jsonl" and path.is_file():
        from maxcode_lsp.benchmarks.suites.pie import read_pairs

        suite = Suite(path.stem, path.parent, read_pairs(path))
    elif path.is_dir():
        suite = Suite(path.name, path, tuple(map(_program, _files(path))))
    else:
        raise Refused(comparisons.no_suite(name))
    known = [subject.name for subject in suite.subjects]
    missing = [one for one in only if one not in known] if known else []
    if not known or missing:
        raise Refused(comparisons.no_programs(name, missing))
    chosen = tuple(subject for subject in suite.subjects if not only or subject.name in only)
    return Suite(suite.name, suite.home, chosen)


def _files(folder: Path) -> list[Path]:
    """``NAME.cpp`` in the folder, and ``NAME/NAME.cpp`` below."""
    found = [*folder.iterdir(), *(child / f"{child.name}.cpp" for child in folder.iterdir() if child.is_dir())]
    return sorted(file for file in found if file.suffix in SUFFIXES and file.is_file())


def _program(file: Path) -> Subject:
    settings, _ = load_settings(find(file), file)

    async def read() -> Loaded:
        return await load(file, settings)

    return Subject(file.stem, settings, read)
