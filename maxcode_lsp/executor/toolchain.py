"""The compiler as found on this machine."""

from __future__ import annotations

import asyncio
import shutil
from functools import cache
from pathlib import Path

from msgspec import Struct

from maxcode_lsp import messages
from maxcode_lsp.errors import ToolMissing
from maxcode_lsp.executor.sandbox import Mount

VERSION_LIMIT_S = 20.0


class Compiler(Struct, frozen=True):
    """A compiler that can be run inside a sandbox with a toolchain."""

    name: str
    path: Path
    """The file itself, links resolved: what the sandbox starts."""
    version: str
    """First line of ``--version``; part of every cache key."""

    @property
    def is_gcc(self) -> bool:
        return "clang" not in self.path.name

    @property
    def is_c(self) -> bool:
        """Compiles C rather than C++."""
        return not ("++" in self.name)

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What a sandbox must show besides ``/usr``: the prefix of a compiler installed elsewhere."""
        if self.path.is_relative_to("/usr"):
            return ()
        prefix = self.path.parent.parent
        return (Mount(prefix, str(prefix)),)


@cache
def _resolve(name: str) -> Path | None:
    found = shutil.which(name)
    return Path(found).resolve() if found else None


async def find_compiler(name: str) -> Compiler:
    """The compiler called ``name`` on PATH. Raises ToolMissing."""
    path = _resolve(name)
    if path is None:
        raise ToolMissing(messages.compiler_missing(name))
    process = await asyncio.create_subprocess_exec(
        path, "--version", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(), VERSION_LIMIT_S)
    except TimeoutError as error:
        process.kill()
        raise ToolMissing(messages.compiler_silent(name)) from error
    lines = out.decode(errors="replace").splitlines()
    return Compiler(name, path, lines[0].strip() if lines else "unknown")
