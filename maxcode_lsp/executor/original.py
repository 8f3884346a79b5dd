"""The verified original: what an executor keeps about a target once it knows how it behaves."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.binary import OUTSIDE_IMPORTS, identity, imports, uses_threads
from maxcode_lsp.executor.build import Builder, Kind
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.measure import Course
from maxcode_lsp.executor.rig import Case, Rig, RunLimits, output_difference
from maxcode_lsp.executor.sandbox import Conduct, Exit, Scratch, filling
from maxcode_lsp.executor.toolchain import Compiler
from maxcode_lsp.messages import phrases, preparing
from maxcode_lsp.records import Metric, Outcome
from maxcode_lsp.target.job import EvaluationJob
from maxcode_lsp.target.program import uses_arguments
from maxcode_lsp.text.source import SourceText

REPEATS = 3
"""Runs of the original on each given input that must agree (design: deterministic over 3 runs)."""


_NUMBERS = itertools.count(1)


class Room(Struct, frozen=True):
    """The means of one local executor."""

    scratch: Scratch
    cores: Cores
    builder: Builder
    allow_unconfined: bool


class Original:
    """A built original with the inputs on which it was seen to behave."""

    def __init__(self, room: Room, job: EvaluationJob, compiler: Compiler, program: bytes) -> None:
        self.room = room
        self.job = job
        self.compiler = compiler
        self.program = program
        self._sanitized: asyncio.Task[bytes | None] | None = None
        self.threads = uses_threads(program)
        self.source = SourceText(job.blobs[next(f.sha256 for f in job.files if f.path == job.unit)])
        self.inputs: Path = room.scratch.folder(f"inputs-{next(_NUMBERS)}")
        self.given: list[Case] = []
        self.held_out: list[Case] = []
        self.timed: list[Case] = []
        self._longest_output = 0
        self.times_ns: dict[str, int] = {}
        """CPU time (wall for threads) of the original by case name, the least seen."""
        self.level = ""
        """Sandbox level that it ran at."""
        self.generated_size = 0
        """Size of the timed generated input; 0 without a generator."""
        self.seen: dict[str, str | None] = {identity(program): None}
        """Machine code identity to the candidate that had it first (None: the original)."""

    async def sanitized(self) -> bytes | None:
        """The original built with sanitizers, on first use; None where it cannot be built so."""
        return await asyncio.shield(self.begin_sanitizing())

    def begin_sanitizing(self) -> asyncio.Task[bytes | None]:
        """Start that build, if it has not been."""
        if self._sanitized is None:
            self._sanitized = asyncio.create_task(self._sanitize())
        return self._sanitized

    async def _sanitize(self) -> bytes | None:
        built = await self.room.builder.build(self.job, self.compiler, self.source.raw, Kind.SANITIZED)
        return built.program if built.outcome is Outcome.CORRECT else None

    @property
    def name(self) -> str:
        """The file's own name, for people."""
        return Path(self.job.unit).name

    @property
    def answers(self) -> list[bytes]:
        """Expected outputs."""
        return [case.expected for case in (*self.given, *self.timed)]

    @property
    def full_limits(self) -> RunLimits:
        """The bounds that the settings give."""
        limits = self.job.limits
        return RunLimits(limits.run_s, limits.run_memory_bytes, limits.output_bytes)

    @property
    def limits(self) -> RunLimits:
        """Bounds for a candidate, the same in all its runs: five times what the original needed, plus one second."""
        limits = self.job.limits
        slowest_s = max(self.times_ns.values(), default=0) / 1e9
        output_bytes = min(limits.output_bytes, 2 * self._longest_output + (1 << 20))
        return RunLimits(min(limits.run_s, 5 * slowest_s + 1), limits.run_memory_bytes, output_bytes)

    @property
    def cases(self) -> list[Case]:
        """Every case of the search, each once: given, timed, held out."""
        return list({case.name: case for case in (*self.given, *self.timed, *self.held_out)}.values())

    def place(self, conduct: Conduct) -> AbstractAsyncContextManager[int | None]:
        """Where a run that is not timed takes place: on one core, or with threads on all of them."""
        cores = self.room.cores
        return cores.measuring(all_cores=True) if conduct is Conduct.THREADED else cores.any()

    def conduct(self, *programs: bytes) -> Conduct:
        """``THREADED`` where the original or one of the programs uses threads."""
        return Conduct.THREADED if self.threads or any(map(uses_threads, programs)) else Conduct.PROGRAM

    def course(self, metric: Metric, cases: list[Case] | None = None) -> Course:
        """What is timed: the timed inputs, or ``cases``."""
        chosen = tuple(self.timed if cases is None else cases)
        return Course(chosen, metric, self.job.output, self.limits)

    async def rig(
        self, programs: dict[str, bytes], conduct: Conduct | None = None, memory_bytes: int | None = None
    ) -> Rig:
        """A fresh sandbox with the programs and all inputs."""
        return await Rig.open(
            self.room.scratch,
            programs,
            self.inputs,
            conduct=conduct or self.conduct(*programs.values()),
            memory_bytes=memory_bytes or self.job.limits.run_memory_bytes,
            allow_unconfined=self.room.allow_unconfined,
        )

    def store(self, data: bytes) -> str:
        """Put an input where rigs see it; returns its file name."""
        name = hashlib.sha256(data).hexdigest()
        file = self.inputs / name
        if not file.exists():
            with filling(file):
                file.write_bytes(data)
            file.chmod(0o644)
        return name

    async def observe(self, rig: Rig, name: str, stdin: str | None, repeats: int) -> Case:
        """Run the original on one input and take what it prints as expected. Raises Refused."""
        limits = self.full_limits
        outputs: list[bytes] = []
        times: list[int] = []
        for _ in range(repeats):
            async with self.place(self.conduct()) as core:
                ended = await rig.run("original", stdin, limits, core)
            self._accept(ended, name)
            outputs.append(ended.stdout)
            times.append(ended.wall_ns if self.threads else ended.cpu_ns)
            difference = await output_difference(outputs[0], ended.stdout, self.job.output)
            if difference is not None:
                raise Refused(preparing.original_not_deterministic(self.name, difference))
        self.times_ns[name] = min(times)
        self._longest_output = max(self._longest_output, len(outputs[0]))
        return Case(name, stdin, outputs[0])

    def _accept(self, ended: Exit, case: str) -> None:
        limits = self.job.limits
        if ended.timed_out:
            raise Refused(preparing.original_too_slow(self.name, case, limits.run_s))
        if ended.overflowed:
            raise Refused(preparing.original_prints_too_much(self.name, case, limits.output_bytes))
        if ended.code != 0 or ended.leftovers:
            how = preparing.ended_with(ended.code, ended.signal)
            if ended.code == 0:
                how = preparing.left_processes(ended.leftovers)
            said = phrases.plain(ended.stderr[-400:]).strip().splitlines()
            how = f"{how} ({said[-1]})" if said else how
            raise Refused(preparing.original_crashed(self.name, case, how, uses_arguments=uses_arguments(self.source)))


async def build_original(room: Room, job: EvaluationJob, compiler: Compiler) -> Original:
    """Build the original as the user does. Raises Refused."""
    unit = job.blobs[next(f.sha256 for f in job.files if f.path == job.unit)]
    room.builder.warm(job, compiler, unit)
    plain = await room.builder.build(job, compiler, unit, Kind.PLAIN)
    if plain.outcome is not Outcome.CORRECT:
        raise Refused(preparing.original_does_not_compile(Path(job.unit).name, phrases.first_error(plain.diagnostics)))
    if outside := sorted(imports(plain.program) & OUTSIDE_IMPORTS):
        raise Refused(preparing.original_reaches_outside(Path(job.unit).name, outside[0]))
    return Original(room, job, compiler, plain.program)
