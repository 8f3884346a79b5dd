"""A rig: one sandbox that holds built programs and inputs, for verification and measurement."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Mount, Sandbox, Scratch, filling, open_sandbox
from maxcode_lsp.messages import phrases, preparing, verdicts
from maxcode_lsp.records import Feedback, Outcome
from maxcode_lsp.target.comparison import OutputPolicy, compare, is_empty

DETAIL_BYTES = 2 << 10
_NUMBERS = itertools.count(1)


class Case(Struct, frozen=True):
    """One input with what must come out. ``stdin`` is a file name in the rig's inputs; None: no input."""

    name: str
    stdin: str | None
    expected: bytes


class RunLimits(Struct, frozen=True):
    """Bounds of one run of a program."""

    run_s: float
    memory_bytes: int
    output_bytes: int


class Rig:
    """Programs by name, in one sandbox. Close it."""

    def __init__(self, box: Sandbox, folder: Path, conduct: Conduct) -> None:
        self._box = box
        self._folder = folder
        self._conduct = conduct
        self.level = box.level
        self.cpu_ns = 0
        """CPU time of all runs so far."""

    @classmethod
    async def open(
        cls,
        scratch: Scratch,
        programs: Mapping[str, bytes],
        inputs: Path,
        *,
        conduct: Conduct,
        memory_bytes: int,
        allow_unconfined: bool,
    ) -> Rig:
        """Put ``programs`` and the folder ``inputs`` into a fresh sandbox."""
        folder = scratch.folder(f"rig-{next(_NUMBERS)}")
        with filling(folder):
            for name, data in programs.items():
                home = folder / name
                home.mkdir()
                home.chmod(0o755)
                file = home / "program"
                file.write_bytes(data)
                file.chmod(0o755)
        mounts = [*(Mount(folder / name, f"/{name}") for name in programs), Mount(inputs, "/in")]
        try:
            box = await open_sandbox(mounts, memory_bytes=memory_bytes, processes=64, allow_unconfined=allow_unconfined)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return cls(box, folder, conduct)

    async def run(
        self,
        name: str,
        stdin: str | None,
        limits: RunLimits,
        core: int | None,
        env: Mapping[str, str] | None = None,
        meter_s: float = 0.0,
    ) -> Exit:
        """Run a program once on one input; no run differs from another in how it is started."""
        ended = await self._box.run(
            Command(
                argv=(self._box.path(f"/{name}/program"),),
                conduct=self._conduct,
                stdin=None if stdin is None else self._box.path(f"/in/{stdin}"),
                cwd=self._box.path(f"/{name}"),
                wall_s=limits.run_s,
                cpu_s=limits.run_s * (os.cpu_count() or 1 if self._conduct is Conduct.THREADED else 1),
                memory_bytes=limits.memory_bytes,
                output_bytes=limits.output_bytes,
                core=core,
                meter_s=meter_s,
                env=env or {},
            )
        )
        self.cpu_ns += ended.cpu_ns
        return ended

    async def close(self) -> None:
        """Free everything. Idempotent."""
        await self._box.close()
        shutil.rmtree(self._folder, ignore_errors=True)


async def output_difference(expected: bytes, actual: bytes, policy: OutputPolicy) -> str | None:
    """As :func:`compare`, but on a single input printing nothing is an answer like any other.

    That not every input is answered so is checked when the original is prepared.
    """
    if expected == actual:
        return None
    # Large outputs that differ in their last digits take seconds to compare.
    return await asyncio.to_thread(_difference, expected, actual, policy)


def _difference(expected: bytes, actual: bytes, policy: OutputPolicy) -> str | None:
    if is_empty(expected, policy) and is_empty(actual, policy):
        return None
    return compare(expected, actual, policy)


def judge_exit(ended: Exit, case: str, limits: RunLimits) -> tuple[Outcome, Feedback] | None:
    """Why a run did not end as the original does; None if it did."""
    detail = phrases.plain(ended.stderr[-DETAIL_BYTES:])
    if ended.timed_out:
        return Outcome.TIMEOUT, Feedback(verdicts.ran_too_long(case, limits.run_s), detail)
    if ended.overflowed:
        return Outcome.RUNTIME_ERROR, Feedback(verdicts.printed_too_much(case), detail)
    if ended.leftovers or ended.code != 0:
        return Outcome.RUNTIME_ERROR, Feedback(
            verdicts.broke(case, preparing.ended_with(ended.code, ended.signal)), detail
        )
    return None


async def judge_output(ended: Exit, case: Case, policy: OutputPolicy) -> tuple[Outcome, Feedback] | None:
    """Why the output is not the expected one; None if it is."""
    difference = await output_difference(case.expected, ended.stdout, policy)
    if difference is None:
        return None
    return Outcome.WRONG_OUTPUT, Feedback(verdicts.wrong_output(case.name, difference))


async def verify(
    rig: Rig, name: str, cases: list[Case], policy: OutputPolicy, limits: RunLimits, core: int | None
) -> tuple[Outcome, Feedback] | None:
    """Run a program on all cases, stopping at the first no; None: all correct."""
    for case in cases:
        ended = await rig.run(name, case.stdin, limits, core)
        if (no := judge_exit(ended, case.name, limits) or await judge_output(ended, case, policy)) is not None:
            return no
    return None
