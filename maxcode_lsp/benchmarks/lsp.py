"""``maxcode bench lsp``: what the language server costs an editor. All against real servers on real streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from maxcode_lsp.benchmarks import lsp_latency, lsp_start


async def run(quick: bool, report: Callable[[str], None]) -> dict[str, Any]:
    """All figures; each part says what its own are."""
    return {**await lsp_start.figures(quick, report), **await lsp_latency.figures(quick, report)}
