"""How files beside a program are named when they are its inputs, expected outputs or generator."""

from __future__ import annotations

import os
import re
from pathlib import Path

from maxcode_lsp.target.program import SUFFIXES

EXPECTED_SUFFIXES = (".out", ".ans", ".expected")
GENERIC = re.compile(r"in(?:put)?([._-]?\d*)(\.txt|\.in)?")
"""Names that fit any program: ``input.1.txt``, ``input2.txt``, ``input``."""


def inputs_beside(program: Path) -> list[Path]:
    """Input files of a program, in natural order.

    Those named after it (``NAME.in``, ``NAME_1.in``, ``tests/NAME/*``); only where there are none,
    those with a name that fits any program (``input.1.txt``).
    """
    folder, name = program.parent, program.stem
    named = [f for f in _files(folder) if f.suffix == ".in" and _belongs(f.stem, name, _programs(folder))]
    tests = [f for f in _files(folder / "tests" / name) if f.suffix == ".in" or GENERIC.fullmatch(f.name)]
    found = sorted(named, key=natural) + sorted(tests, key=natural)
    return found or sorted((f for f in _files(folder) if GENERIC.fullmatch(f.name)), key=natural)


def expected_beside(file: Path) -> Path | None:
    """The file with the expected output of an input; None without one."""
    names = [file.stem + suffix for suffix in EXPECTED_SUFFIXES] if file.suffix == ".in" else []
    if generic := GENERIC.fullmatch(file.name):
        number, suffix = generic.group(1), generic.group(2) or ""
        word = "output" if file.name.startswith("input") else "out"
        names += [f"{word}{number}{suffix}", *(f"{file.stem}{other}" for other in EXPECTED_SUFFIXES)]
        names += [f"{word}{number}{other}" for other in EXPECTED_SUFFIXES]
    places = (file.parent / name for name in names if name != file.name)
    return next((place for place in places if _is_there(place)), None)


def generator_names(name: str) -> tuple[str, ...]:
    """Names of a program's generator, the most particular first."""
    return (f"{name}_gen.py", f"{name}.gen.py", f"{name}_gen", f"{name}.gen", "gen.py", "gen")


def natural(file: Path) -> tuple[tuple[int, int, str], ...]:
    """Sort key by which ``solve_2.in`` comes before ``solve_10.in``."""
    parts = re.split(r"(\d+)", str(file))
    return tuple((1, int(part[:18]), part) if part.isdecimal() else (0, 0, part) for part in parts if part)


def _belongs(stem: str, name: str, programs: set[str]) -> bool:
    """Whether an input with this stem is one of the program ``name``: no other program's name fits better."""
    return stem.startswith(name) and not any(stem.startswith(other) and len(other) > len(name) for other in programs)


def _programs(folder: Path) -> set[str]:
    return {f.stem for f in _files(folder) if f.suffix in SUFFIXES}


def _files(folder: Path) -> list[Path]:
    """What lies in a folder and is no folder itself: dangling links too, so that they can be complained about."""
    try:
        return [f for f in folder.iterdir() if not f.is_dir()]
    except OSError:
        return []


def _is_there(place: Path) -> bool:
    return os.path.lexists(place) and not place.is_dir()
