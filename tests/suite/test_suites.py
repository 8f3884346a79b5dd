"""The programs of the suites are sound: they build without a warning and do the same each time, on any size."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode_lsp.benchmarks.suites.suite import load_suite
from maxcode_lsp.benchmarks.table.table import read_tables
from maxcode_lsp.records import candidate_id
from maxcode_lsp.text.source import SourceText

HOME = Path(__file__).parent
PROGRAMS = sorted(file.parent for file in HOME.glob("*/*/*.cpp"))
FLAGS = ("-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover")


def made(folder: Path, seed: int, size: int) -> bytes:
    argv = [sys.executable, str(folder / "gen.py"), str(seed), str(size)]
    return subprocess.run(argv, capture_output=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("folder", PROGRAMS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_a_program_is_sound(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    built = subprocess.run(
        ["g++", *FLAGS, str(folder / f"{folder.name}.cpp"), "-o", str(program)],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert built.returncode == 0, built.stderr.decode()

    def run(given: bytes) -> bytes:
        ended = subprocess.run([str(program)], input=given, capture_output=True, timeout=60, check=False)
        assert ended.returncode == 0, ended.stderr.decode()
        return ended.stdout

    given = made(folder, 1, 12)
    assert made(folder, 1, 12) == given != made(folder, 2, 12)
    printed = run(given)
    assert printed.strip() and run(given) == printed
    assert run(made(folder, 2, 12)) != printed
    run(made(folder, 1, 1))
    run(b"")


@pytest.mark.parametrize("name", ["dev", "test"])
def test_a_suite_has_its_table(name: str) -> None:
    suite = load_suite(str(HOME / name))
    assert len(suite.subjects) >= 10
    tables = {table.program: table for table in read_tables(suite.table)}
    assert set(tables) == {subject.name for subject in suite.subjects}
    for subject in suite.subjects:
        source = (HOME / name / subject.name / f"{subject.name}.cpp").read_bytes()
        assert tables[subject.name].source_sha256 == SourceText(source).sha256, "make it anew: maxcode bench table"
        assert len(tables[subject.name].versions) > 50


def test_no_program_is_in_two_places() -> None:
    lines: dict[str, set[str]] = {}
    root = HOME.parents[1]
    others = [*root.glob("examples/**/*.cpp"), *root.glob("maxcode_lsp/benchmarks/programs/**/*.cpp")]
    for file in [*others, *HOME.glob("*/*/*.cpp")]:
        text = [line.strip() for line in file.read_text().splitlines()]
        lines[str(file)] = {
            line
            for line in text
            if len(line) > 30 and not line.startswith(("#", "//", "std::cout")) and "cin >>" not in line
        }
    names = list(lines)
    alike = [
        (one, other)
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if "suite" in other
        and len(shared := lines[one] & lines[other]) > 0.25 * min(len(lines[one]), len(lines[other]))
        and len(shared) > 2
    ]
    assert alike == []


def test_the_page_names_them_all() -> None:
    named = re.findall(r"^\| (\w+) \|", (HOME / "README.md").read_text(), re.MULTILINE)
    assert sorted(named) == sorted([*(folder.name for folder in PROGRAMS), "dev", "small", "test"])
    assert len({candidate_id((f / f"{f.name}.cpp").read_bytes()) for f in PROGRAMS}) == len(PROGRAMS)
