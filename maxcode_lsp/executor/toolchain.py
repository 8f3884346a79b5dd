"""The compiler as found on this machine."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.errors import ToolMissing
from maxcode_lsp.executor.sandbox import Mount
from maxcode_lsp.executor.tool import ask
from maxcode_lsp.messages import phrases, preparing
from maxcode_lsp.target.flags import COMPILER
from maxcode_lsp.target.program import Language

VERSION_LIMIT_S = 20.0
WRAPPERS = frozenset({"ccache", "sccache", "distcc", "icecc"})


class Compiler(Struct, frozen=True):
    """A compiler that can be run inside a sandbox with a toolchain."""

    name: str
    path: Path
    """What the sandbox starts; outside ``/usr`` with links resolved."""
    version: str
    """First line of ``--version``; part of every cache key."""

    @property
    def is_gcc(self) -> bool:
        return "clang" not in self.path.resolve().name

    @property
    def is_c(self) -> bool:
        """Compiles C rather than C++."""
        return "++" not in self.name

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What a sandbox must show besides ``/usr``: the prefix of a compiler installed elsewhere.

        That is the folder with its ``bin`` and ``lib``; a lone file in ``~/bin`` shows no more than its folder.
        """
        if self.path.is_relative_to("/usr"):
            return ()
        folder = self.path.parent
        shown = folder.parent if _is_prefix(folder.parent) and folder.name == "bin" else folder
        return (Mount(shown, str(shown)),)


def _is_prefix(folder: Path) -> bool:
    """Whether this is where a program is installed, rather than somebody's home or the whole machine."""
    # Not Path.home(), which raises for a user without one.
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111
    if home.is_relative_to(folder):
        return False
    return (folder / "bin").is_dir() and any((folder / name).is_dir() for name in ("lib", "lib64", "libexec"))


@cache
def _resolve(name: str) -> Path | None:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(name, path=folder) if folder else None
        # A compiler cache under the compiler's name has nothing to do here: we have our own.
        if found and Path(found).resolve().name not in WRAPPERS:
            path = Path(found).absolute()
            return path if path.is_relative_to("/usr") else path.resolve()
    return None


async def find_compiler(name: str) -> Compiler:
    """The compiler called ``name`` on PATH; any other name (a bundle may hold any) is none. Raises ToolMissing."""
    # C knows every name that C++ knows.
    path = _resolve(name) if COMPILER[Language.C].fullmatch(name) else None
    if path is None:
        shown = " ".join(phrases.plain(name.encode(errors="replace")).split())
        raise ToolMissing(preparing.compiler_missing(shown))
    try:
        answer = await ask(str(path), "--version", limit_s=VERSION_LIMIT_S)
    except TimeoutError as error:
        raise ToolMissing(preparing.compiler_silent(name)) from error
    lines = answer.text.splitlines()
    return Compiler(name, path, lines[0].strip() if lines else "unknown")
