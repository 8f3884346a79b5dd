"""``maxcode bench evaluator``: candidates a minute against the plain serial way, and whether the verdicts agree.

The mix is fixed (``programs/manifest.toml``): broken or wrong, duplicates, without effect, faster. The
plain way builds each candidate with ``g++ -O3``, runs all tests, and takes 25 timed runs in a row;
the least CPU time of them decides.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from maxcode_lsp.benchmarks.jobs import FLAGS, job_of
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.machine import machine
from maxcode_lsp.executor.original import Original
from maxcode_lsp.executor.rig import Case
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.records import Candidate, Change, Evaluation, Origin, Outcome, Verdict, candidate_id
from maxcode_lsp.target.comparison import compare
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText

PROGRAMS = files("maxcode_lsp.benchmarks") / "programs"
TIMED_RUNS = 25
IN_FLIGHT = 4
FASTER = 1.05
SAMPLE_S = 0.25


class Version(Struct, frozen=True):
    """One candidate of the mix."""

    file: str
    kind: str


class Specimen(Struct, frozen=True):
    """One program of the mix."""

    name: str
    original: str
    generator: str
    size: int
    candidate: tuple[Version, ...]


def specimens() -> tuple[Specimen, ...]:
    """The mix, from its manifest."""
    raw = tomllib.loads((PROGRAMS / "manifest.toml").read_text())
    return msgspec.convert(raw["program"], tuple[Specimen, ...])


def read(name: str) -> bytes:
    """A file of the mix."""
    return (PROGRAMS / name).read_bytes()


async def run(quick: bool, report: Callable[[str], None]) -> dict[str, Any]:
    """All figures by their names; ``quick`` takes the first of the five programs, with all its candidates."""
    chosen = specimens()[: 1 if quick else None]
    ours_s = plain_s = ours_cpu_s = plain_cpu_s = 0.0
    differing: list[str] = []
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for specimen in chosen:
            before = _cpu_s()
            start = time.monotonic()
            executor = LocalExecutor(Path(folder) / "cache")
            try:
                base, ours = await _ours(executor, specimen)
                ours_s += time.monotonic() - start
                middle = _cpu_s()
                plain, took_s = await asyncio.to_thread(_plain, specimen, executor.original(base), Path(folder))
            finally:
                await executor.close()
            plain_s += took_s
            ours_cpu_s += middle - before
            plain_cpu_s += _cpu_s() - middle
            for version, evaluation, other in zip(specimen.candidate, ours, plain, strict=True):
                outcomes[evaluation.outcome.value] += 1
                said = _classes(specimen, ours)[version.file]
                if said != other:
                    differing.append(f"{version.file}: {said}, plain {other}")
            report(f"{specimen.name}: ours {ours_s:.0f} s, plain {plain_s:.0f} s so far")
    count = sum(len(specimen.candidate) for specimen in chosen)
    return {
        "candidates": count,
        "candidates_per_minute": 60 * count / ours_s,
        "plain_candidates_per_minute": 60 * count / plain_s,
        "ratio": plain_s / ours_s,
        "same_verdicts": not differing,
        "differing": differing,
        "cpu_s_per_candidate": ours_cpu_s / count,
        "plain_cpu_s_per_candidate": plain_cpu_s / count,
        "outcomes": dict(outcomes),
        "machine": machine(),
    }


def _cpu_s() -> float:
    """CPU time of this process and its ended children."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


async def _ours(executor: LocalExecutor, specimen: Specimen) -> tuple[Baseline, list[Evaluation]]:
    source = SourceText(read(specimen.original))
    base = await executor.prepare(job_of(source.raw, read(specimen.generator), specimen.size, SAMPLE_S))
    turns = asyncio.Semaphore(IN_FLIGHT)
    test = PairedTest(tell_slower=False)

    async def one(version: Version) -> Evaluation:
        text = SourceText(read(version.file)).data
        change = Change(base.job.unit, source.sha256, diff(source.data, text))
        candidate = Candidate(f"{candidate_id(text)}", change, None, 1, Origin("bench", (version.file,), ""))
        async with turns:
            return await executor.evaluate(base, candidate, test=test)

    return base, await asyncio.gather(*map(one, specimen.candidate))


def _classes(specimen: Specimen, evaluations: Sequence[Evaluation]) -> dict[str, str]:
    """``broken``, ``faster`` or ``no_effect`` by file; a twin is what its twin is."""
    by_id = {evaluation.candidate: evaluation for evaluation in evaluations}
    found: dict[str, str] = {}
    for version, evaluation in zip(specimen.candidate, evaluations, strict=True):
        if evaluation.outcome is Outcome.IDENTICAL:
            twin = next((e for i, e in by_id.items() if i in evaluation.feedback.message), None)
            found[version.file] = "no_effect" if twin is None else _class(twin)
        else:
            found[version.file] = _class(evaluation)
    return found


def _class(evaluation: Evaluation) -> str:
    if evaluation.outcome is not Outcome.CORRECT:
        return "broken"
    taken = evaluation.measurement
    return "faster" if taken is not None and taken.verdict is Verdict.FASTER else "no_effect"


def _plain(specimen: Specimen, original: Original, folder: Path) -> tuple[list[str], float]:
    """The plain serial way, on the same inputs: its verdicts, and the seconds it took.

    The original is timed once more at the end, uncounted: in a row of runs the machine's drift would
    otherwise make verdicts of its own.
    """
    start = time.monotonic()
    names = (specimen.original, *(version.file for version in specimen.candidate))
    stdin = original.inputs / (original.timed[0].stdin or os.devnull)
    least_s: list[float | None] = []
    for number, name in enumerate(names):
        program = folder / f"plain-{number}"
        right = _built(read(name), program) and all(_right(program, case, original) for case in original.cases)
        # The least CPU time of a row of runs: the kindest reading of the plain way on a busy machine.
        least_s.append(min(_timed(program, stdin) for _ in range(TIMED_RUNS)) if right else None)
    took_s = time.monotonic() - start
    again_s = min(_timed(folder / "plain-0", stdin) for _ in range(TIMED_RUNS))
    reference_s = min(least_s[0] or again_s, again_s)
    return [_plain_class(reference_s, candidate_s) for candidate_s in least_s[1:]], took_s


def _plain_class(reference_s: float, candidate_s: float | None) -> str:
    if candidate_s is None:
        return "broken"
    return "faster" if reference_s / candidate_s > FASTER else "no_effect"


def _built(source: bytes, program: Path) -> bool:
    file = program.with_suffix(".cpp")
    file.write_bytes(source)
    argv = ["g++", *FLAGS, str(file), "-o", str(program)]
    ended = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    return ended.returncode == 0


def _right(program: Path, case: Case, original: Original) -> bool:
    with (original.inputs / (case.stdin or os.devnull)).open("rb") as stdin:
        try:
            ended = subprocess.run([str(program)], stdin=stdin, capture_output=True, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            return False
    return ended.returncode == 0 and compare(case.expected, ended.stdout, original.job.output) is None


def _timed(program: Path, stdin: Path) -> float:
    with stdin.open("rb") as given, subprocess.Popen([str(program)], stdin=given, stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime
