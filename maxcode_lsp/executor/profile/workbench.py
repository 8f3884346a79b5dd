"""The ``Workbench`` seam: all compiling and running that a critique does, sandboxed."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from maxcode_lsp.executor.sandbox.contract import Exit


class Program(Struct, frozen=True):
    """What a build came to."""

    path: str | None
    """Inside path; None: it did not build."""
    messages: str
    """The end of what the compiler said."""


class Workbench(Protocol):
    """One version of a target, unpacked in a sandbox with the toolchain. Commands run one after the other.

    Raises InfrastructureError (ToolMissing, SandboxLost); a command that fails is an Exit.
    """

    @property
    def unit(self) -> str:
        """Inside path of the translation unit."""
        ...

    @property
    def compiler(self) -> str:
        """Path of the target's compiler."""
        ...

    async def build(self, name: str, flags: tuple[str, ...]) -> Program:
        """Build the unit with the target's compiler and exactly these flags into the program ``name``."""
        ...

    async def run(self, binary: str, stdin: bytes | None, *, limit_s: float) -> Exit:
        """Run a program that ``build`` made, as code under judgement."""
        ...

    async def tool(self, argv: tuple[str, ...], *, stdin: bytes | None = None, limit_s: float) -> Exit:
        """Run a tool (a profiler around a program, a reader of its output), which may start processes."""
        ...

    def path(self, name: str) -> str:
        """Inside path of a file ``name`` in the writable folder."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Put a file into the writable folder."""
        ...

    def read(self, name: str, *, most_bytes: int = 64 << 20) -> bytes:
        """Content of a file in the writable folder, at most its first ``most_bytes``; empty if there is none."""
        ...
