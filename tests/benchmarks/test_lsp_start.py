from __future__ import annotations

import asyncio
import math
import statistics
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.benchmarks import lsp_start
from maxcode_lsp.benchmarks.lsp_peer import OURS, STOCK, Peer


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=60))
def test_the_interval_holds_the_median_and_is_as_sure_as_it_says(values: list[float]) -> None:
    low, high = lsp_start.median_interval(values)
    ordered, count = sorted(values), len(values)
    assert low <= statistics.median(values) <= high
    assert {low, high} <= set(values)
    outside = sum(value < low for value in ordered)
    missed = 2 * sum(math.comb(count, below) for below in range(outside)) / 2**count
    assert missed <= 0.05 or low == ordered[0]


def test_few_values_say_no_more_than_their_range() -> None:
    assert lsp_start.median_interval([3.0, 1.0, 2.0]) == (1.0, 3.0)
    assert lsp_start.median_interval([float(n) for n in range(30)]) == (9.0, 20.0)


@pytest.mark.parametrize("argv", [OURS, STOCK])
async def test_a_start_costs_more_the_further_it_goes(argv: tuple[str, ...], tmp_path: Path) -> None:
    initialized_s, served_s = await lsp_start._start(argv, lsp_start._environment(tmp_path))
    assert 0 < initialized_s <= served_s


async def test_memory_is_of_the_server_and_its_children(tmp_path: Path) -> None:
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'x = bytearray(40_000_000); input()'])"
    async with Peer([sys.executable, "-c", script], lsp_start._environment(tmp_path)) as parent:
        async with asyncio.timeout(30):
            while parent.rss_mb < 45:  # noqa: ASYNC110 (there is no event for it)
                await asyncio.sleep(0.02)
        assert parent.rss_mb < 150


async def test_a_server_that_dies_is_told(tmp_path: Path) -> None:
    async with Peer(["/bin/true"], lsp_start._environment(tmp_path)) as dead:
        with pytest.raises(RuntimeError, match="/bin/true ended"):
            await dead.initialize()
