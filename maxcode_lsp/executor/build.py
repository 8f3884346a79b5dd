"""Building: the job's closure in a fresh folder, the compiler in a sandbox, the result cached by content."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
from collections.abc import Mapping
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Any

from maxcode_lsp.executor.cache import BuildCache, Built, content_key
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.precompiled import header_for, leading_includes
from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Mount, Scratch, disk_full, filling, open_sandbox
from maxcode_lsp.executor.toolchain import Compiler
from maxcode_lsp.messages import phrases, preparing
from maxcode_lsp.records import Outcome
from maxcode_lsp.target.job import EvaluationJob

_log = logging.getLogger(__name__)

DIAGNOSTICS_BYTES = 8 << 10
PROGRAM_BYTES = 256 << 20
DISK_FULL_BYTES = 64 << 20
"""With less than this free a compiler that could not write is believed."""
_AT_A_LIMIT = re.compile(
    rb"virtual memory exhausted|out of memory|memory exhausted|[Cc]annot allocate memory|what\(\):  std::bad_alloc"
    rb"|signal terminated program|unable to execute command|failed due to signal|File too large|^cannot start ",
    re.MULTILINE,
)
"""A driver ends by itself where what it started was killed: then only its words tell."""
_NO_ROOM = b"No space left on device"


class Kind(str, Enum):
    """What a build is for."""

    SEARCH = "search"
    """The user's flags; leading includes may come precompiled."""
    PLAIN = "plain"
    """Exactly the user's command."""
    SANITIZED = "sanitized"
    """With address and undefined-behaviour sanitizers."""


SANITIZE = (
    # What is not initialised gets a pattern, so that using it shows in the output.
    "-ftrivial-auto-var-init=pattern",
    "-O1", "-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined",
    "-fno-sanitize=vptr", "-fno-sanitize-recover=all",
)  # fmt: skip


class Builder:
    """Builds translation units of jobs. One compile for one content, however often it is asked for."""

    def __init__(self, scratch: Scratch, cores: Cores, cache: BuildCache, *, allow_unconfined: bool) -> None:
        self._scratch = scratch
        self._cores = cores
        self._cache = cache
        self._allow_unconfined = allow_unconfined
        self._running: dict[str, asyncio.Task[Built]] = {}
        self._precompiled: dict[str, asyncio.Task[Path | None]] = {}
        self._warming: set[asyncio.Task[Path | None]] = set()
        self._number = 0
        self.compiles = 0
        """Compiler starts so far (cache hits do not count)."""

    async def build(self, job: EvaluationJob, compiler: Compiler, unit: bytes, kind: Kind) -> Built:
        """Build the job with ``unit`` (raw bytes) as its translation unit."""
        flags = flags_for(job.flags, kind)
        others = [f"{f.path}:{f.sha256}" for f in job.files if f.path != job.unit]
        key = content_key([compiler.version, str(compiler.path), kind.value, job.unit, unit, *flags, "--", *others])
        if (known := self._cache.get(key)) is not None:
            return known
        task = self._running.get(key)
        if task is None:
            task = asyncio.create_task(self._build(key, job, compiler, unit, kind, flags))
            self._running[key] = task
            task.add_done_callback(lambda _: self._running.pop(key, None))
            task.add_done_callback(_retrieve)
        return await asyncio.shield(task)

    def warm(self, job: EvaluationJob, compiler: Compiler, unit: bytes) -> None:
        """Begin to precompile the headers that builds of this job for a search will use."""
        task = asyncio.create_task(self._headers(job, compiler, unit, flags_for(job.flags, Kind.SEARCH)))
        self._warming.add(task)
        task.add_done_callback(self._warming.discard)
        task.add_done_callback(_retrieve)

    async def _build(
        self, key: str, job: EvaluationJob, compiler: Compiler, unit: bytes, kind: Kind, flags: tuple[str, ...]
    ) -> Built:
        headers = await self._headers(job, compiler, unit, flags) if kind is Kind.SEARCH else None
        self._number += 1
        folder = self._scratch.folder(f"build-{self._number}")
        try:
            files = {f.path: unit if f.path == job.unit else job.blobs[f.sha256] for f in job.files}
            with filling(folder):
                lay_out(folder / "src", files)
                built = await self._compile(folder, job, compiler, flags, headers)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if not built.limited:  # the key holds no limits
            self._cache.put(key, built)
        return built

    async def _compile(
        self, folder: Path, job: EvaluationJob, compiler: Compiler, flags: tuple[str, ...], headers: Path | None
    ) -> Built:
        out = folder / "out"
        out.mkdir()
        mounts = [Mount(folder / "src", "/src"), Mount(out, "/out", writable=True), *compiler.mounts]
        if headers is not None:
            mounts.append(Mount(headers, "/headers"))
        async with self._cores.any() as core:
            box = await open_sandbox(
                mounts,
                toolchain=True,
                memory_bytes=job.limits.build_memory_bytes,
                allow_unconfined=self._allow_unconfined,
            )
            try:
                include = ("-include", box.path("/headers/headers.hpp")) if headers is not None else ()
                libraries = tuple(f for f in flags if f.startswith("-l"))
                rest = tuple(f for f in flags if not f.startswith("-l"))
                unit_name = f"./{job.unit}" if job.unit.startswith("-") else job.unit
                argv = (str(compiler.path), *rest, *include, unit_name, "-o", box.path("/out/program"), *libraries)
                self.compiles += 1
                ended = await box.run(compile_command(argv, box.path("/src"), box.path("/out"), job, core))
            finally:
                await box.close()
        return read_result(ended, out / "program", job)

    async def _headers(
        self, job: EvaluationJob, compiler: Compiler, unit: bytes, flags: tuple[str, ...]
    ) -> Path | None:
        """A folder with the precompiled leading includes of the *original*, where the unit has them too."""
        original = next(f.sha256 for f in job.files if f.path == job.unit)
        includes = leading_includes(job.blobs[original])
        if not compiler.is_gcc or not includes or not set(includes) <= set(leading_includes(unit)):
            return None
        key = content_key([str(compiler.path), *flags, *includes])
        task = self._precompiled.get(key)
        if task is None:
            task = asyncio.create_task(self._precompile(job, compiler, flags, includes))
            self._precompiled[key] = task
            task.add_done_callback(_retrieve)
        try:
            return await asyncio.shield(task)
        except Exception:  # noqa: BLE001
            # Headers only save time: trouble with them must neither end a build nor stay.
            _log.warning("the headers could not be precompiled", exc_info=True)
            if self._precompiled.get(key) is task:
                del self._precompiled[key]
            return None

    async def _precompile(
        self, job: EvaluationJob, compiler: Compiler, flags: tuple[str, ...], includes: tuple[bytes, ...]
    ) -> Path | None:
        self._number += 1
        folder = self._scratch.folder(f"headers-{self._number}")
        made = False
        try:
            made = await self._precompile_in(folder, job, compiler, flags, includes)
        finally:
            if not made:
                shutil.rmtree(folder, ignore_errors=True)
        return folder if made else None

    async def _precompile_in(
        self,
        folder: Path,
        job: EvaluationJob,
        compiler: Compiler,
        flags: tuple[str, ...],
        includes: tuple[bytes, ...],
    ) -> bool:
        (folder / "headers.hpp").write_bytes(header_for(includes))
        (folder / "headers.hpp").chmod(0o644)
        out = folder / "out"
        out.mkdir()
        async with self._cores.any() as core:
            box = await open_sandbox(
                [
                    Mount(folder / "headers.hpp", "/src/headers.hpp"),
                    Mount(out, "/out", writable=True),
                    *compiler.mounts,
                ],
                toolchain=True,
                memory_bytes=job.limits.build_memory_bytes,
                allow_unconfined=self._allow_unconfined,
            )
            try:
                language = "c-header" if compiler.is_c else "c++-header"
                rest = tuple(f for f in flags if not f.startswith("-l"))
                source, target = box.path("/src/headers.hpp"), box.path("/out/headers.hpp.gch")
                argv = (str(compiler.path), *rest, "-x", language, source, "-o", target)
                ended = await box.run(compile_command(argv, box.path("/out"), box.path("/out"), job, core))
            finally:
                await box.close()
        product = out / "headers.hpp.gch"
        if not ended.ok or not product.is_file():
            return False
        shutil.move(product, folder / "headers.hpp.gch")
        (folder / "headers.hpp.gch").chmod(0o644)
        return True

    async def close(self) -> None:
        """End all builds. Idempotent."""
        tasks: list[asyncio.Task[Any]] = [*self._running.values(), *self._precompiled.values(), *self._warming]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _retrieve(task: asyncio.Task[Any]) -> None:
    """Take note of a task's exception: whoever waited for it may be gone."""
    if not task.cancelled():
        task.exception()


def flags_for(flags: tuple[str, ...], kind: Kind) -> tuple[str, ...]:
    """The job's flags for one kind of build."""
    if kind is not Kind.SANITIZED:
        return flags
    # Fortified and static builds do not go together with sanitizers.
    return (*(f for f in flags if not f.startswith(("-O", "-D_FORTIFY_SOURCE")) and f != "-static"), *SANITIZE)


def lay_out(root: Path, files: Mapping[str, bytes]) -> None:
    """Write the closure below the new folder ``root``, readable by the sandbox's uid whatever the umask.

    Raises StorageFull.
    """
    with filling(root):
        _lay_out(root, files)


def _lay_out(root: Path, files: Mapping[str, bytes]) -> None:
    root.mkdir()
    for path, data in files.items():
        relative = PurePosixPath(path)
        if relative.is_absolute() or ".." in relative.parts:
            raise ValueError(f"not a path inside a job: {path}")
        file = root / relative
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    for made in (root, *root.rglob("*")):
        made.chmod(0o755 if made.is_dir() else 0o644)


def compile_command(argv: tuple[str, ...], cwd: str, tmp: str, job: EvaluationJob, core: int | None) -> Command:
    """The compiler as a sandboxed command."""
    return Command(
        argv=argv,
        conduct=Conduct.TOOL,
        cwd=cwd,
        wall_s=job.limits.build_s,
        cpu_s=job.limits.build_s,
        memory_bytes=job.limits.build_memory_bytes,
        output_bytes=PROGRAM_BYTES,
        core=core,
        env={"TMPDIR": tmp},
    )


def read_result(ended: Exit, program: Path, job: EvaluationJob) -> Built:
    """What the compiler's end means. Raises StorageFull."""
    said = phrases.plain(ended.stderr[-DIAGNOSTICS_BYTES:])
    cpu_s = ended.cpu_ns / 1e9
    if ended.timed_out:
        text = preparing.build_too_slow(job.limits.build_s) + "\n" + said
        return Built(Outcome.TIMEOUT, b"", text, cpu_s, limited=True)
    if ended.ok and program.is_file() and not program.is_symlink():
        return Built(Outcome.CORRECT, program.read_bytes(), said, cpu_s)
    no_room = _NO_ROOM in ended.stderr
    # Anybody's #error can say so, too.
    if no_room and shutil.disk_usage(program.parent).free < DISK_FULL_BYTES:
        raise disk_full(program.parent)
    killed = ended.code is None or ended.overflowed
    killed = killed or (ended.code != 0 and _AT_A_LIMIT.search(ended.stderr) is not None)
    if killed:
        said = f"{preparing.compiler_killed()}\n{said}"
    limited = killed or no_room or ended.leftovers > 0
    return Built(Outcome.COMPILE_ERROR, b"", said, cpu_s, limited=limited)
