"""Tools of LLVM that come as wheels: where they are, and how they are run."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from maxcode_lsp.executor.sandbox import Command, Exit, Mount, Sandbox


class RunTool(Protocol):
    """Opens a sandbox with the toolchain and these mounts, runs one command in it, closes it."""

    async def __call__(self, mounts: tuple[Mount, ...], command: Callable[[Sandbox], Command]) -> Exit: ...


class WheelTool(Struct, frozen=True):
    """Where a tool is."""

    path: str
    """Inside name of the binary, or its path where it belongs to the machine's toolchain."""
    mounts: tuple[Mount, ...]

    def binary(self, sandbox: Sandbox) -> str:
        """The binary as a sandbox with ``mounts`` has it."""
        return sandbox.path(self.path) if self.mounts else self.path

    @property
    def host_path(self) -> str:
        """The binary outside of any sandbox."""
        return str(self.mounts[0].source / "bin" / Path(self.path).name) if self.mounts else self.path


def find_wheel_tool(name: str) -> WheelTool | None:
    """The binary of the wheel, else one on the PATH; None without either. ``name``: for example ``clang-tidy``."""
    spec = importlib.util.find_spec(name.replace("-", "_"))
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        data = Path(folder) / "data"
        if (data / "bin" / name).is_file():
            return WheelTool(f"/{name}/bin/{name}", (Mount(data, f"/{name}"),))
    found = shutil.which(name)
    # A wheel's own script would be found here too; it cannot be run in a sandbox.
    if found is None or Path(found).resolve().read_bytes()[:4] != b"\x7fELF":
        return None
    return WheelTool(str(Path(found).resolve()), ())
