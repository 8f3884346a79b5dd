"""Running an input generator: ``GENERATOR SEED SIZE`` prints one input; sandboxed, bounded, repeatable."""

from __future__ import annotations

import itertools
import shutil
import sys
from contextlib import nullcontext
from pathlib import Path

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Mount, Sandbox, Scratch, filling, open_sandbox
from maxcode_lsp.messages import phrases, preparing
from maxcode_lsp.target.job import EvaluationJob, Generator

TIME_LIMIT_S = 60.0
MEMORY_BYTES = 2 << 30
INPUT_BYTES = 256 << 20
_NUMBERS = itertools.count(1)


def python_mounts() -> tuple[str, tuple[Mount, ...]]:
    """A Python interpreter that a sandbox can see, and what must be mounted for it."""
    system = Path("/usr/bin/python3")
    if system.exists():
        return str(system), ()
    prefix = Path(sys.base_prefix).resolve()
    return str(prefix / "bin" / "python3"), (Mount(prefix, str(prefix)),)


class InputSource:
    """A job's generator in an open sandbox. Close it."""

    def __init__(
        self, box: Sandbox, argv: tuple[str, ...], name: str, folder: Path, cores: Cores | None = None
    ) -> None:
        self._box = box
        self._argv = argv
        self._name = name
        self._folder = folder
        self._cores = cores

    @classmethod
    async def open(
        cls,
        scratch: Scratch,
        job: EvaluationJob,
        generator: Generator,
        *,
        allow_unconfined: bool,
        cores: Cores | None = None,
    ) -> InputSource:
        """Put the generator into a sandbox of its own; it sees nothing else of the job.

        ``cores``: each input is made while holding one; None: nobody measures.
        """
        folder = scratch.folder(f"generator-{next(_NUMBERS)}")
        name = Path(generator.file.path).name
        data = job.blobs[generator.file.sha256]
        script = folder / name
        with filling(script):
            script.write_bytes(data)
        script.chmod(0o755)
        mounts = [Mount(folder, "/generator")]
        is_python = name.endswith(".py") or data.startswith((b"#!/usr/bin/env python", b"#!/usr/bin/python"))
        python, more = python_mounts()
        if is_python:
            mounts += more
        box = await open_sandbox(mounts, toolchain=True, memory_bytes=MEMORY_BYTES, allow_unconfined=allow_unconfined)
        path = box.path(f"/generator/{name}")
        return cls(box, (python, "-I", "-S", path) if is_python else (path,), name, folder, cores)

    async def make(self, seed: int, size: int) -> bytes:
        """One input. Raises Refused with the reason where the generator does not work."""
        async with nullcontext() if self._cores is None else self._cores.any() as core:
            ended = await self._box.run(
                Command(
                    argv=(*self._argv, str(seed), str(size)),
                    conduct=Conduct.TOOL,
                    wall_s=TIME_LIMIT_S,
                    cpu_s=TIME_LIMIT_S,
                    memory_bytes=MEMORY_BYTES,
                    output_bytes=INPUT_BYTES,
                    core=core,
                    env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
                )
            )
        if not ended.ok:
            raise Refused(preparing.generator_failed(self._name, seed, size, _trouble(ended)))
        return ended.stdout

    async def close(self) -> None:
        """Free everything. Idempotent."""
        await self._box.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _trouble(ended: Exit) -> str:
    """Why it is no input, in a clause."""
    if ended.timed_out:
        return preparing.ran_past(TIME_LIMIT_S)
    if ended.overflowed:
        return preparing.printed_without_end(INPUT_BYTES)
    if ended.code == 0:
        return preparing.left_processes(ended.leftovers)
    how = preparing.ended_with(ended.code, ended.signal)
    last = phrases.plain(ended.stderr[-500:]).strip().splitlines()
    return f"{how}: {last[-1]}" if last else how
