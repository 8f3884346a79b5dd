"""What a run cost as a whole: time in the program and in the operating system, and calls to it."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.executor.profile.workbench import Workbench

_SOURCE = Path(__file__).with_name("meter.c")


class Reading(Struct, frozen=True):
    """Of one run."""

    user_ns: int
    kernel_ns: int
    page_faults: int
    writes: int | None
    """Calls that wrote; None: the system does not count them."""
    written_bytes: int
    reads: int | None

    @property
    def cpu_ns(self) -> int:
        return self.user_ns + self.kernel_ns

    @property
    def kernel_share(self) -> float:
        """Share (0..1) spent in the operating system."""
        return self.kernel_ns / self.cpu_ns if self.cpu_ns else 0.0


class Meter:
    """A small program, built in the sandbox, that runs another one and counts."""

    def __init__(self, bench: Workbench, binary: str) -> None:
        self._bench = bench
        self._binary = binary

    @classmethod
    async def build(cls, bench: Workbench, *, limit_s: float = 30.0) -> Meter | None:
        """Build it; None where that fails."""
        bench.write("meter.c", _SOURCE.read_bytes())
        target = bench.path("meter")
        # Linked like a C++ program, so that its own start costs what any C++ program's start costs.
        argv = (bench.compiler, "-x", "c", "-O1", bench.path("meter.c"), "-o", target, "-Wl,--no-as-needed")
        ended = await bench.tool(argv, limit_s=limit_s)
        return cls(bench, target) if ended.ok else None

    async def read(self, binary: str, stdin: bytes | None, *, limit_s: float) -> Reading | None:
        """Run a program; None if it did not end by itself with status 0 in time."""
        ended = await self._bench.tool((self._binary, binary), stdin=stdin, limit_s=limit_s)
        return read_meter(ended.stderr.decode(errors="replace")) if ended.ok else None

    async def floor_ns(self, *, limit_s: float = 5.0) -> int:
        """CPU time of a program that does nothing: the least of three."""
        costs = [(await self._bench.tool((self._binary,), limit_s=limit_s)).cpu_ns for _ in range(3)]
        return min(costs)


def read_meter(stderr: str) -> Reading | None:
    """Read what the meter said at the end of a program's standard error."""
    said = {name: int(value) for name, value in re.findall(r"^maxcode-meter (\w+):? (\d+)$", stderr, re.MULTILINE)}
    if "user_us" not in said:
        return None
    return Reading(
        user_ns=said["user_us"] * 1000,
        kernel_ns=said["sys_us"] * 1000,
        page_faults=said["page_faults"],
        writes=said.get("syscw"),
        written_bytes=said.get("wchar", 0),
        reads=said.get("syscr"),
    )
