"""What must hold of a bundle's manifest before anything is done with it: it may come from anybody."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from msgspec.structs import asdict, replace

from maxcode_lsp.errors import Refused, SettingsError
from maxcode_lsp.executor.toolchain import Compiler
from maxcode_lsp.records import Candidate, candidate_id
from maxcode_lsp.settings.patterns import pattern as compile_pattern
from maxcode_lsp.target.flags import check_job_flags
from maxcode_lsp.target.job import EvaluationJob, Limits
from maxcode_lsp.text.edits import apply
from maxcode_lsp.text.source import SourceText

LARGEST = Limits(
    build_s=600.0, run_s=100.0, build_memory_bytes=8 << 30, run_memory_bytes=8 << 30, output_bytes=256 << 20
)
"""More is cut down to this. Above the defaults, since a user may have raised them for an honest result."""
LEAST = Limits(build_s=0.1, run_s=0.01, build_memory_bytes=64 << 20, run_memory_bytes=16 << 20, output_bytes=1 << 10)
LONGEST_SAMPLE_S = 60.0
LARGEST_SIZE = 1 << 40
"""Of what a generator is asked for."""
LARGEST_THRESHOLD = 100.0
MOST_FILES = 50_000
"""Of files, and of inputs."""
LONGEST_PART_BYTES, LONGEST_PATH_BYTES = 255, 4000
"""What file systems take."""


class BundleFault(Exception):
    """What is wrong with a bundle, as a clause: ``it has no manifest``."""


def check_manifest(job: EvaluationJob, candidate: Candidate, threshold: float) -> None:
    """Raise BundleFault unless this is a job, with its blobs in place, and a candidate that we could have written."""
    if max(len(job.files), len(job.cases)) > MOST_FILES:
        raise BundleFault("it has more files than any bundle we write")
    _check_files(job)
    try:
        check_job_flags(job.compiler, job.flags, job.unit, _toolchain(job.compiler))
    except (SettingsError, Refused) as error:
        raise BundleFault(f"it cannot be built ({str(error).rstrip('.')})") from error
    _check_change(job, candidate)
    _check_workload(job)
    if not 1 <= threshold <= LARGEST_THRESHOLD:
        raise BundleFault(f"its threshold is {threshold}, which proves nothing")


def _toolchain(compiler: str) -> list[Path]:
    """Where folders outside of the job may be: those that a compiler's sandbox shows in any case."""
    found = shutil.which(compiler)
    shown = Compiler(compiler, Path(found).resolve(), "").mounts if found else ()
    return [Path("/usr"), *(mount.source for mount in shown)]


def bounded(job: EvaluationJob) -> EvaluationJob:
    """The job with its limits cut down to ``LARGEST``. Raises BundleFault where one is too small to be one."""
    kept: dict[str, float] = {}
    for name, most in asdict(LARGEST).items():
        value = getattr(job.limits, name)
        if not value >= getattr(LEAST, name):
            raise BundleFault(f"its limit {name} is {value}")
        kept[name] = min(value, most)
    return replace(job, limits=replace(job.limits, **kept))


def _check_files(job: EvaluationJob) -> None:
    paths = [file.path for file in job.files]
    _check_paths(paths)
    if job.unit not in paths:
        raise BundleFault("the file to build is not in it")
    # After the flags the compiler would read such a name as one more of them.
    if job.unit.startswith(("-", "@")):
        raise BundleFault(f"“{job.unit}” is no name for a file to build")


def _check_paths(paths: Iterable[str]) -> None:
    seen: set[str] = set()
    folders: set[str] = set()
    for path in paths:
        plain = PurePosixPath(path)
        try:
            sizes = [len(os.fsencode(part)) for part in plain.parts]
        except UnicodeEncodeError:
            sizes = []
        inside = bool(sizes) and not plain.is_absolute() and ".." not in plain.parts and "\0" not in path
        if not inside or str(plain) != path or max(sizes) > LONGEST_PART_BYTES or sum(sizes) > LONGEST_PATH_BYTES:
            raise BundleFault(f"“{path[:80]}” is no path of a file in it")
        if path in seen:
            raise BundleFault(f"“{path[:80]}” is in it twice")
        seen.add(path)
        folders |= {str(folder) for folder in plain.parents}
    if both := seen & folders:
        raise BundleFault(f"“{min(both)[:80]}” is both a file and a folder in it")


def _check_change(job: EvaluationJob, candidate: Candidate) -> None:
    unit = next(file for file in job.files if file.path == job.unit)
    original = SourceText(job.blobs[unit.sha256])
    if candidate.change.path != job.unit or candidate.change.base_sha256 != original.sha256:
        raise BundleFault("its change is one of another file")
    try:
        text = apply(original.data, candidate.change.hunks)
    except ValueError as error:
        raise BundleFault(f"its change does not fit ({error})") from error
    if candidate.id != candidate_id(text):
        raise BundleFault("its change makes another version than the one it names")


def _check_workload(job: EvaluationJob) -> None:
    if not job.cases and job.generator is None:
        raise BundleFault("it has no input")
    if len({case.name for case in job.cases}) < len(job.cases):
        raise BundleFault("two of its inputs have one name")
    if (generator := job.generator) is not None:
        _check_paths([generator.file.path])
        if not 1 <= generator.size <= LARGEST_SIZE or not 0 < generator.sample_s <= LONGEST_SAMPLE_S:
            raise BundleFault("its generator is asked for an input of no sane size")
    if not (math.isfinite(job.output.float_tolerance) and 0 <= job.output.float_tolerance < 1):
        raise BundleFault("it compares outputs with no sane tolerance")
    for pattern in job.output.ignore:
        _check_pattern(pattern)


def _check_pattern(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except ValueError as error:
        raise BundleFault(f"“{pattern[:80]}” is not a regular expression ({error})") from error
