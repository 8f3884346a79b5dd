"""Builds the trusted launcher once per machine and user, and keeps it in the cache folder."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
from pathlib import Path

import platformdirs

from maxcode_lsp.errors import InfrastructureError, ToolMissing
from maxcode_lsp.executor.sandbox.scratch import Scratch, disk_full, filling
from maxcode_lsp.executor.tool import ask

_SOURCES = Path(__file__).parent / "native"
_BUILD_S = 120.0
_FULL_BYTES = 8 << 20
"""With less than this free a compiler that failed is taken to have had no room."""
_shared: Scratch | None = None


async def shared_launcher() -> Path:
    """The launcher where every user id can run it, for the life of this process.

    Built where it is not cached. Raises ToolMissing without a C++ compiler.
    """
    global _shared  # noqa: PLW0603 - one a process
    if _shared is None or not (_shared.path / "launcher").exists():
        scratch = Scratch()
        try:
            made = await _find_or_build(scratch.path)
            if made.parent != scratch.path:
                with filling(scratch.path):
                    shutil.copyfile(made, scratch.path / "launcher")
            (scratch.path / "launcher").chmod(0o755)
        except BaseException:
            scratch.close()
            raise
        atexit.register(_close, scratch, os.getpid())
        _shared = scratch
    return _shared.path / "launcher"


def _close(scratch: Scratch, owner: int) -> None:
    if os.getpid() == owner:
        scratch.close()


async def _find_or_build(scratch: Path) -> Path:
    """The cached launcher, or a new one, left in ``scratch`` where the cache folder cannot be written."""
    compiler = next(filter(None, map(shutil.which, ("g++", "clang++", "c++"))), None)
    if compiler is None:
        raise ToolMissing(
            "No C++ compiler was found, and maxcode needs one to run anything. Install it: apt install g++"
        )
    version = await ask(compiler, "--version", limit_s=_BUILD_S)
    digest = hashlib.sha256(version.said)
    for file in sorted(_SOURCES.glob("*.[ch]pp")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    cached = Path(platformdirs.user_cache_dir("maxcode")) / f"launcher-{digest.hexdigest()[:24]}"
    if await _works(cached):
        return cached
    made = scratch / "launcher"
    command = [compiler, "-std=c++17", "-O2", "-o", str(made), str(_SOURCES / "launcher.cpp")]
    # The compiler's own temporary files go where they are removed whatever happens.
    env = {"TMPDIR": str(scratch)}
    answer = await ask(*command, "-static", limit_s=_BUILD_S, env=env)
    if not answer.ok:
        answer = await ask(*command, limit_s=_BUILD_S, env=env)
    if not answer.ok or not await _works(made):
        if shutil.disk_usage(scratch).free < _FULL_BYTES:
            raise disk_full(scratch)
        last = answer.text[-2000:]
        raise InfrastructureError(
            f"The sandbox launcher could not be built with {compiler}. "
            f"Check that the compiler works on its own. It said:\n{last}"
        )
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        part = cached.with_name(f".{cached.name}-{os.getpid()}")
        shutil.copyfile(made, part)
        part.chmod(0o755)
        part.replace(cached)
    except OSError:
        pass  # no cache: built again by the next process
    return made


async def _works(launcher: Path) -> bool:
    answer = await ask(str(launcher), "version", limit_s=_BUILD_S)
    return answer.ok and answer.said == b"maxcode launcher\n"
