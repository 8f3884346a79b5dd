"""The real workbench: one sandbox with the toolchain, the closure read-only and one writable folder."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import shutil
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from maxcode_lsp.executor.build import lay_out
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.profile.workbench import Program
from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Mount, Sandbox, Scratch, filling, open_sandbox
from maxcode_lsp.executor.toolchain import Compiler, find_compiler
from maxcode_lsp.messages import phrases
from maxcode_lsp.target.job import EvaluationJob

MESSAGES_BYTES = 64 << 10
OUTPUT_BYTES = 64 << 20
"""Tools may write this much even where the program may not."""
_numbers = itertools.count(1)


class SandboxedWorkbench:
    """See :class:`~maxcode_lsp.executor.profile.workbench.Workbench`; made by :func:`open_workbench`."""

    def __init__(self, box: Sandbox, folder: Path, job: EvaluationJob, compiler: Compiler, cores: Cores | None) -> None:
        self._box = box
        self._folder = folder
        self._job = job
        self._compiler = compiler
        self._cores = cores
        self._turn = asyncio.Lock()

    @property
    def unit(self) -> str:
        """Inside path of the translation unit."""
        return self._box.path(f"/src/{self._job.unit}")

    @property
    def compiler(self) -> str:
        """Path of the target's compiler."""
        return str(self._compiler.path)

    async def build(self, name: str, flags: tuple[str, ...]) -> Program:
        """Build the unit with exactly these flags into the program ``name``."""
        target = self.path(name)
        libraries = tuple(flag for flag in flags if flag.startswith("-l"))
        rest = tuple(flag for flag in flags if not flag.startswith("-l"))
        argv = (str(self._compiler.path), *rest, self._job.unit, "-o", target, *libraries)
        limits = self._job.limits
        ended = await self._run(argv, Conduct.TOOL, limit_s=limits.build_s, memory_bytes=limits.build_memory_bytes)
        said = phrases.plain(ended.stderr[-MESSAGES_BYTES:])
        return Program(target if ended.ok and (self._folder / "work" / name).is_file() else None, said)

    async def run(self, binary: str, stdin: bytes | None, *, limit_s: float) -> Exit:
        """Run a program that ``build`` made, as code under judgement."""
        memory_bytes = self._job.limits.run_memory_bytes
        return await self._run(
            (binary,), Conduct.THREADED, limit_s=limit_s, memory_bytes=memory_bytes, stdin=self._input(stdin)
        )

    async def tool(self, argv: tuple[str, ...], *, stdin: bytes | None = None, limit_s: float) -> Exit:
        """Run a tool, which may start processes."""
        # Valgrind reserves far more addresses than it uses, so only the sandbox as a whole is bounded.
        return await self._run(argv, Conduct.TOOL, limit_s=limit_s, memory_bytes=0, stdin=self._input(stdin))

    def path(self, name: str) -> str:
        """Inside path of a file in the writable folder."""
        return self._box.path(f"/work/{name}")

    def write(self, name: str, data: bytes) -> None:
        """Put a file into the writable folder."""
        _put(self._folder / "work" / name, data)

    def read(self, name: str, *, most_bytes: int = 64 << 20) -> bytes:
        """Content of a file in the writable folder; empty if there is none."""
        file = self._folder / "work" / name
        # What runs inside may have put a link there.
        if file.is_symlink() or not file.is_file():
            return b""
        with file.open("rb") as stream:
            return stream.read(most_bytes)

    def _input(self, stdin: bytes | None) -> str | None:
        if stdin is None:
            return None
        name = hashlib.sha256(stdin).hexdigest()[:16]
        file = self._folder / "in" / name
        if not file.exists():
            _put(file, stdin)
        return self._box.path(f"/in/{name}")

    async def _run(
        self, argv: tuple[str, ...], conduct: Conduct, *, limit_s: float, memory_bytes: int, stdin: str | None = None
    ) -> Exit:
        async with self._turn:
            if self._cores is None:
                return await self._box.run(self._command(argv, conduct, limit_s, memory_bytes, stdin, None))
            async with self._cores.any() as core:
                return await self._box.run(self._command(argv, conduct, limit_s, memory_bytes, stdin, core))

    def _command(
        self,
        argv: tuple[str, ...],
        conduct: Conduct,
        limit_s: float,
        memory_bytes: int,
        stdin: str | None,
        core: int | None,
    ) -> Command:
        work = self._box.path("/work")
        return Command(
            argv=argv,
            conduct=conduct,
            stdin=stdin,
            cwd=self._box.path("/src") if conduct is Conduct.TOOL else work,
            wall_s=limit_s,
            cpu_s=limit_s,
            memory_bytes=memory_bytes,
            output_bytes=max(self._job.limits.output_bytes, OUTPUT_BYTES),
            core=core,
            env={"TMPDIR": work, "HOME": work} if conduct is Conduct.TOOL else {},
        )


def _put(file: Path, data: bytes) -> None:
    file.unlink(missing_ok=True)
    with filling(file):
        file.write_bytes(data)
    file.chmod(0o644)


@asynccontextmanager
async def open_workbench(
    scratch: Scratch, job: EvaluationJob, text: bytes, *, allow_unconfined: bool = False, cores: Cores | None = None
) -> AsyncGenerator[SandboxedWorkbench, None]:
    """A workbench for the job with ``text`` (bytes of the file) as its translation unit.

    ``cores``: each command holds one of them; None: nobody else is at work.

    Raises ToolMissing, SandboxUnavailable, SandboxLost.
    """
    compiler = await find_compiler(job.compiler)
    folder = scratch.folder(f"critique-{next(_numbers)}")
    try:
        with filling(folder):
            (folder / "in").mkdir()
            (folder / "work").mkdir()
        lay_out(folder / "src", _files(job, text))
        box = await open_sandbox(
            [
                Mount(folder / "src", "/src"),
                Mount(folder / "in", "/in"),
                Mount(folder / "work", "/work", writable=True),
                *compiler.mounts,
            ],
            toolchain=True,
            memory_bytes=max(job.limits.build_memory_bytes, job.limits.run_memory_bytes),
            allow_unconfined=allow_unconfined,
        )
        try:
            yield SandboxedWorkbench(box, folder, job, compiler, cores)
        finally:
            await box.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _files(job: EvaluationJob, text: bytes) -> Mapping[str, bytes]:
    return {file.path: text if file.path == job.unit else job.blobs[file.sha256] for file in job.files}
