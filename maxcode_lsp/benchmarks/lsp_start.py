"""What a start of the server costs, against a bare pygls server, and its memory when nothing is going on.

CPU time, since a busy machine makes wall time say little, and by pairs that are run in turn, since even CPU time
varies with the machine's host by more than is to be seen here.
"""

from __future__ import annotations

import asyncio
import math
import os
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from maxcode_lsp.benchmarks.lsp_peer import OURS, STOCK, Peer

PAIRS = 30
FEW = 8
SETTLED_S = 2.0
FUNCTION = (
    "int f{n}(int a) {{\n    int s = 0;\n    for (int i = 0; i < a; ++i)\n        s += i * {n};\n    return s;\n}}\n"
)
FUNCTIONS = 150


async def figures(quick: bool, report: Callable[[str], None]) -> dict[str, Any]:
    """``initialize_ratio``: CPU to the answer of ``initialize``, ours by the other's, median of pairs, with an interval
    (95 %, by the sign test). ``first_initialize_ratio``: the same where nothing was kept from an earlier start.
    ``first_request_ratio``: up to the first answered request. ``idle_rss_mb``: with an open file, engine included.
    """
    pairs = FEW if quick else PAIRS
    with tempfile.TemporaryDirectory(prefix="maxcode-bench-") as folder:
        warm = _environment(Path(folder, "warm"))
        for argv in (OURS, STOCK):
            await _start(argv, warm)
        ours: list[tuple[float, float]] = []
        stock: list[tuple[float, float]] = []
        for number in range(pairs):
            report(f"start {number + 1} of {pairs}")
            for argv in (OURS, STOCK) if number % 2 else (STOCK, OURS):
                (ours if argv is OURS else stock).append(await _start(argv, warm))
        cold: list[float] = []
        for number in range(FEW):
            report(f"first start {number + 1} of {FEW}")
            other, _ = await _start(STOCK, warm)
            own, _ = await _start(OURS, _environment(Path(folder, f"cold-{number}")))
            cold.append(own / other)
        report("memory")
        memory = await _idle(warm)
    ratios = [own[0] / other[0] for own, other in zip(ours, stock, strict=True)]
    return {
        "initialize_ratio": statistics.median(ratios),
        "initialize_ratio_ci95": list(median_interval(ratios)),
        "first_initialize_ratio": statistics.median(cold),
        "first_request_ratio": statistics.median(own[1] / other[1] for own, other in zip(ours, stock, strict=True)),
        "initialize_cpu_ms": statistics.median(own[0] for own in ours) * 1e3,
        "stock_initialize_cpu_ms": statistics.median(other[0] for other in stock) * 1e3,
        "idle_rss_mb": memory,
        "pairs": pairs,
    }


def median_interval(values: Sequence[float], error: float = 0.05) -> tuple[float, float]:
    """The interval of the median by the sign test: free of any assumption on how the values are spread.

    The whole range where there are too few values for that.
    """
    ordered = sorted(values)
    count, out, chance = len(ordered), 0, 0.5 ** len(ordered)
    while 2 * chance <= error:
        out += 1
        chance += math.comb(count, out) * 0.5**count
    return ordered[max(0, out - 1)], ordered[min(count - 1, count - out)]


def _environment(folder: Path) -> Mapping[str, str]:
    homes = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")}
    return {**os.environ, **homes}


async def _start(argv: Sequence[str], env: Mapping[str, str]) -> tuple[float, float]:
    """CPU seconds to the answer of ``initialize``, and to that of the first request."""
    async with Peer(argv, env) as server:
        await server.initialize()
        initialized = server.cpu_s
        server.notify("initialized", {})
        await server.call("textDocument/hover", _somewhere("file:///no/such.cpp"))
        served = server.cpu_s
        await server.stop()  # after which the next start finds what this one kept
    return initialized, served


async def _idle(env: Mapping[str, str]) -> float:
    text = "".join(FUNCTION.format(n=n) for n in range(FUNCTIONS)) + "int main() { return f1(3); }\n"
    uri = "file:///no/such.cpp"
    async with Peer(OURS, env) as server:
        await server.initialize(initializationOptions={"trusted": False})
        server.notify("initialized", {})
        document = {"uri": uri, "languageId": "cpp", "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": document})
        await server.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
        await server.call("textDocument/hover", _somewhere(uri))
        start = {"line": 0, "character": 5}
        asked = {"textDocument": {"uri": uri}, "range": {"start": start, "end": start}}
        await server.call("textDocument/codeAction", {**asked, "context": {"diagnostics": []}})
        await asyncio.sleep(SETTLED_S)
        return server.rss_mb


def _somewhere(uri: str) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}
