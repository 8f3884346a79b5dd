"""Hundreds of searches replayed on tables, side by side on all cores."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import msgspec

from maxcode_lsp.benchmarks.search.episode import Episode
from maxcode_lsp.benchmarks.search.methods import Method
from maxcode_lsp.benchmarks.table.replaying import Replayed, replay
from maxcode_lsp.benchmarks.table.table import ProgramTable

SEEDS_AT_ONCE = 50


def replayed(
    tables: Sequence[ProgramTable], methods: Sequence[Method], seeds: int, budget: int, workers: int | None = None
) -> Iterator[Episode]:
    """All episodes, in no particular order; each is the same whenever it is taken. ``workers`` None: one a core."""
    chunks = [
        (table, method, range(first, min(first + SEEDS_AT_ONCE, seeds)), budget)
        for table in tables
        for method in methods
        for first in range(0, seeds, SEEDS_AT_ONCE)
    ]
    # Forked children of a process with threads may hang; these start clean.
    with ProcessPoolExecutor(workers or os.cpu_count() or 1, get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_chunk, *chunk) for chunk in chunks]):
            yield from msgspec.msgpack.decode(done.result(), type=list[Episode])


def _chunk(table: ProgramTable, method: Method, seeds: range, budget: int) -> bytes:
    ready = Replayed(table)

    async def all_of_them() -> list[Episode]:
        return [await replay(ready, method, seed, budget) for seed in seeds]

    return msgspec.msgpack.encode(asyncio.run(all_of_them()))
