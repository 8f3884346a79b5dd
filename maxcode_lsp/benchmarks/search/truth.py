"""What all searches that are for real share, and the truth about what they find."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from maxcode_lsp.benchmarks.table.table import FASTER
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.statistics import PairedTest, interval, logs_of
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.records import Candidate
from maxcode_lsp.settings import Settings

FRESH_PAIRS = 10
"""Ours: behind the truth about a version."""
AA = PairedTest(min_pairs=FRESH_PAIRS, max_pairs=FRESH_PAIRS)


class Stage(Struct, frozen=True, kw_only=True):
    """What all live searches of a comparison share."""

    cache: Path
    """Of builds."""
    settings: Settings
    """Of the program; where it names a model, that alone proposes, else the rules, one at a time, sampled."""
    budget: int
    seconds: float
    local: LocalServers | None = None
    openevolve: Path | None = None
    """A Python that has it, for the method of this name."""


async def fresh_value(executor: LocalExecutor, base: Baseline, candidate: Candidate) -> float:
    """The speedup of a version by fresh pairs against the original; 1.0 where no gain may be claimed."""
    taken = (await executor.evaluate(base, candidate, test=AA)).measurement
    if taken is None:
        return 1.0
    bounds = interval(logs_of(taken.reference_ns, taken.candidate_ns), 0.025, AA.sd_floor)
    return taken.speedup if bounds.low > FASTER else 1.0
