"""From a file on the user's machine to an evaluation job that has no paths of it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.executor.closure import scan
from maxcode_lsp.executor.toolchain import find_compiler
from maxcode_lsp.settings import Settings
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.flags import build_command
from maxcode_lsp.target.job import EvaluationJob, Generator, JobFile, Limits, TestCase
from maxcode_lsp.target.program import find_program, read_source
from maxcode_lsp.target.workloads import Workload, discover
from maxcode_lsp.text.source import SourceText

MIB = 1 << 20


class Loaded(Struct, frozen=True):
    """A target, found and read."""

    name: str
    """The file's name, for people."""
    source: SourceText
    job: EvaluationJob
    notes: tuple[str, ...]


async def load(file: Path, settings: Settings, *, allow_unconfined: bool = False) -> Loaded:
    """Read a program and all it needs. Raises Refused, SettingsError or InfrastructureError."""
    file = file.absolute()
    source = read_source(file)
    facts = find_program(source, file)
    command = build_command(file, settings)
    workload = discover(file, facts, settings)
    compiler = await find_compiler(command.compiler)
    closure = await scan(file, compiler, command.flags, allow_unconfined=allow_unconfined)
    blobs = dict(closure.blobs)
    cases = tuple(_case(blobs, case.name, case.stdin, case.expected) for case in workload.cases)
    job = EvaluationJob(
        files=closure.files,
        unit=closure.unit,
        compiler=command.compiler,
        flags=closure.flags,
        cases=cases,
        generator=_generator(blobs, workload, settings),
        output=OutputPolicy(
            float_tolerance=settings.output.float_tolerance,
            ignore=settings.output.ignore,
            white_space=settings.output.white_space,
        ),
        limits=limits_of(settings),
        blobs=blobs,
    )
    return Loaded(file.name, source, job, (*command.notes, *workload.notes))


def limits_of(settings: Settings) -> Limits:
    """The bounds of children, from settings."""
    given = settings.limits
    return Limits(
        build_s=given.build_s,
        run_s=given.run_s,
        build_memory_bytes=given.build_memory_mb * MIB,
        run_memory_bytes=given.run_memory_mb * MIB,
        output_bytes=given.output_mb * MIB,
    )


def _store(blobs: dict[str, bytes], data: bytes) -> str:
    sha256 = hashlib.sha256(data).hexdigest()
    blobs[sha256] = data
    return sha256


def _case(blobs: dict[str, bytes], name: str, stdin: bytes | None, expected: bytes | None) -> TestCase:
    return TestCase(
        name,
        None if stdin is None else _store(blobs, stdin),
        None if expected is None else _store(blobs, expected),
    )


def _generator(blobs: dict[str, bytes], workload: Workload, settings: Settings) -> Generator | None:
    path = workload.generator
    if path is None:
        return None
    file = JobFile(path.name, _store(blobs, path.read_bytes()))
    return Generator(file, workload.size, settings.workload.seconds)
