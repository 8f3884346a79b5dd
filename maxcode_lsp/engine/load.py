"""From a file on the user's machine to an evaluation job that has no paths of it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.executor.closure import scan
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.toolchain import find_compiler
from maxcode_lsp.settings import Settings
from maxcode_lsp.target.flags import build_command
from maxcode_lsp.target.job import EvaluationJob, Limits
from maxcode_lsp.target.program import find_program, read_program
from maxcode_lsp.target.workloads import discover
from maxcode_lsp.text.source import SourceText

MIB = 1 << 20


class Loaded(Struct, frozen=True):
    """A target, found and read."""

    name: str
    """The file's name, for people."""
    source: SourceText
    job: EvaluationJob
    notes: tuple[str, ...]


async def load(
    file: Path,
    settings: Settings,
    *,
    text: bytes | None = None,
    allow_unconfined: bool = False,
    cores: Cores | None = None,
) -> Loaded:
    """Read a program and all it needs. Raises Refused, SettingsError or InfrastructureError.

    ``text``: the bytes of an unsaved buffer; they stand for the file, which need not be on disk. Inputs and headers
    are those of its folder. ``cores``: one is held while the compiler looks for headers; None: nobody measures.
    """
    # As the compiler's own paths are: without “..”, links kept.
    file = Path(os.path.normpath(file.absolute()))  # noqa: ASYNC240 - touches no disk
    # Parsing a large file and reading large inputs take seconds.
    source = await asyncio.to_thread(read_program, file) if text is None else SourceText(text)
    facts = await asyncio.to_thread(find_program, source, file)
    command = build_command(file, settings)
    workload = await asyncio.to_thread(discover, file, facts, settings)
    compiler = await find_compiler(command.compiler)
    closure = await scan(file, compiler, command.flags, text=text, allow_unconfined=allow_unconfined, cores=cores)
    generator = workload.job_generator()
    job = EvaluationJob(
        files=closure.files,
        unit=closure.unit,
        compiler=command.compiler,
        flags=closure.flags,
        cases=workload.job_cases(),
        generator=generator and replace(generator, sample_s=settings.workload.seconds),
        output=workload.output,
        limits=limits_of(settings),
        blobs={**closure.blobs, **workload.blobs()},
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
