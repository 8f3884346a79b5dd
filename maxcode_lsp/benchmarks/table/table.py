"""What a replay table holds, and its file: one program a line, JSON, compressed."""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp.executor.statistics import interval
from maxcode_lsp.records import Outcome, Overhead

SCALE = 10_000
"""Log ratios are kept as whole numbers of this part."""
FASTER = math.log(1.05)
"""What would be claimed: the product's threshold."""


class Child(Struct, frozen=True, array_like=True):
    """One action at a version, and where it leads."""

    node: str
    actions: tuple[str, ...]
    rationale: str
    kinds: tuple[str, ...]
    priorities: tuple[float, float, float]
    """The policy's own guess, in log speedup: without critique, with hot lines only, with all of it."""


class Version(Struct, frozen=True, omit_defaults=True):
    """One version of the program. Sets of rewrites are order-free: one text is one version, however it was reached."""

    id: str
    """Candidate id; empty: the original."""
    depth: int
    outcome: Outcome
    cost_s: float
    """What its evaluation took."""
    ratios: tuple[int, ...] = ()
    """Log of original's time by its time, one for each pair, in parts of :data:`SCALE`; empty: not correct."""
    twin: str | None = None
    """Of the same machine code, judged earlier; empty: the original."""
    overhead: Overhead | None = None
    findings: tuple[tuple[str, float | None], ...] = ()
    """Kind and share of what its critique found, where it was criticised."""
    hot: bool = False
    """It was profiled."""
    children: tuple[Child, ...] = ()

    @property
    def logs(self) -> list[float]:
        """The log ratios."""
        return [ratio / SCALE for ratio in self.ratios]


class ProgramTable(Struct, frozen=True):
    """All versions of one program."""

    program: str
    source_sha256: str
    machine: str
    compiler: str
    flags: tuple[str, ...]
    run_ns: int
    pairs: int
    noise_pct: float
    """Half width of the 95 % interval of the original against itself."""
    depth: int
    versions: tuple[Version, ...]

    def values(self) -> dict[str, float]:
        """True speedup by version: what all its samples say, 1.0 where that is not surely faster (see FASTER)."""
        known = {version.id: _value(version) for version in self.versions}
        for version in self.versions:
            if version.twin is not None:
                known[version.id] = known.get(version.twin, 1.0)
        return known

    @property
    def room(self) -> float:
        """Best true speedup of all versions."""
        return max(self.values().values(), default=1.0)


def _value(version: Version) -> float:
    if version.outcome is not Outcome.CORRECT or len(version.ratios) < 2:
        return 1.0
    bounds = interval(version.logs, 0.025, 0.008)
    return math.exp(bounds.mean) if bounds.low > FASTER else 1.0


def read_tables(file: Path) -> list[ProgramTable]:
    """All programs of a table file. Raises OSError and msgspec.DecodeError."""
    with gzip.open(file, "rb") as lines:
        return [msgspec.json.decode(line, type=ProgramTable) for line in lines if line.strip()]


def write_tables(file: Path, tables: Iterable[ProgramTable]) -> None:
    """Write a table file: the same tables give the same bytes."""
    data = b"".join(msgspec.json.encode(table) + b"\n" for table in tables)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(data, 9, mtime=0))
