"""Programs in PIE's form (arXiv 2302.07867): JSON lines of slow and fast versions, with test cases beside them.

A line has ``src_id``, ``tgt_id``, ``problem_id``, ``src_code`` (slow) and ``tgt_code`` (fast); other fields are left
alone. ``tests``, where it is there, names the numbers of the test cases that are meant. Those of a problem are files
``input.N.txt`` and ``output.N.txt`` in a folder of its name, looked for in :data:`CASES` beside the file of pairs.

Built with PIE's flags. PIE accepts an output whose numbers differ by less than 10^-3 and does not look at surplus
lines; our own comparison, which is stricter, decides here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp.benchmarks.suites.suite import Subject
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.errors import Refused
from maxcode_lsp.messages import comparisons
from maxcode_lsp.settings import Settings
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, JobFile, Limits, TestCase
from maxcode_lsp.text.source import SourceText

FLAGS = ("--std=c++17", "-O3")
CASES = ("public_test_cases", "merged_test_cases", "generated_test_cases", "test_cases")
LONGEST_LINE = 4 << 20
MOST_CASES = 200
"""Ours: of one problem."""


class Pair(Struct, frozen=True):
    """A slow program and a faster one."""

    problem_id: str
    src_code: str
    tgt_code: str
    src_id: str = ""
    tgt_id: str = ""
    tests: list[int] | None = None

    @property
    def name(self) -> str:
        """What it is called in a suite."""
        return "-".join(filter(None, (self.problem_id, self.src_id, self.tgt_id)))


def read_pairs(file: Path) -> tuple[Subject, ...]:
    """The pairs of a file as subjects; their test cases are read when they are loaded. Raises Refused."""
    subjects: dict[str, Subject] = {}
    for number, pair in _pairs(file):
        name = pair.name if pair.name not in subjects else f"{pair.name}-{number}"
        read = partial(_load, pair, file.parent)
        subjects[name] = Subject(name, Settings(), read, SourceText(pair.tgt_code.encode()).data)
    return tuple(subjects.values())


def _pairs(file: Path) -> Iterator[tuple[int, Pair]]:
    decoder = msgspec.json.Decoder(Pair)
    with file.open("rb") as lines:
        number = 0
        while line := lines.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise Refused(comparisons.pair_wrong(str(file), number, f"it is longer than {LONGEST_LINE >> 20} MB"))
            if not line.strip():
                continue
            try:
                yield number, decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise Refused(comparisons.pair_wrong(str(file), number, str(error))) from error


async def _load(pair: Pair, home: Path) -> Loaded:
    source = SourceText(pair.src_code.encode())
    blobs: dict[str, bytes] = {}

    def kept(data: bytes) -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        blobs[sha256] = data
        return sha256

    cases = tuple(
        TestCase(f"input.{number}", kept(given.read_bytes()), kept(expected.read_bytes()))
        for number, given, expected in _cases(pair, home)
    )
    job = EvaluationJob(
        files=(JobFile("program.cpp", kept(source.raw)),),
        unit="program.cpp",
        compiler="g++",
        flags=FLAGS,
        cases=cases,
        generator=None,
        output=OutputPolicy(),
        limits=Limits(),
        blobs=blobs,
    )
    return Loaded(pair.name, source, job, ())


def _cases(pair: Pair, home: Path) -> list[tuple[int, Path, Path]]:
    """Number, input and expected output of each test case, by number."""
    if "/" in pair.problem_id or pair.problem_id in {"", ".", ".."}:
        raise Refused(comparisons.pair_without_tests(pair.problem_id, str(home)))
    found: dict[int, tuple[Path, Path]] = {}
    folders = [home / kind / pair.problem_id for kind in CASES]
    for folder in reversed(folders):
        for given in folder.glob("input.*.txt"):
            number = given.name.split(".")[1]
            expected = folder / f"output.{number}.txt"
            if number.isdecimal() and expected.is_file():
                found[int(number)] = given, expected
    meant = sorted(found) if pair.tests is None else [number for number in sorted(pair.tests) if number in found]
    if not meant:
        raise Refused(comparisons.pair_without_tests(pair.problem_id, str(folders[0])))
    return [(number, *found[number]) for number in meant[:MOST_CASES]]
