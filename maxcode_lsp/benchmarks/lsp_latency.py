"""How long an editor waits for the language server: while a search keeps all cores busy and a person types.

Wall time, since that is what a person feels; medians and 95th percentiles of many requests.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from maxcode_lsp.benchmarks.lsp_peer import OURS, Peer, below

LINES = 10_000
ROUNDS, FEW_ROUNDS = 300, 60
STOPS, FEW_STOPS = 20, 4
TYPING_S = 0.12
"""Between two keystrokes."""
LIMIT_S = 300.0
PROGRAM = """#include <cstdio>
#include <string>
#include <vector>
{filler}
static long weight(std::vector<std::string> words, int from) {{
    long sum = 0;
    for (int step = 0; step < 8; ++step) sum += words[(from + step * 7) % words.size()].size();
    return sum;
}}

int main() {{
    std::vector<std::string> words;
    for (int i = 0; i < 400; ++i) words.push_back(std::string(20 + i * 7 % 40, 'a'));
    long total = 0;
    for (int i = 0; i < 4000; ++i) total += weight(words, i);
    std::printf("%ld\\n", total);
}}
"""
FILLER = """
int filler_{n}(int a) {{
    int sum = {n};
    for (int i = 0; i < a; ++i)
        sum += i * {n} % 7;
    return sum;
}}
"""


async def figures(quick: bool, report: Callable[[str], None]) -> dict[str, Any]:
    """``code_action_p95_ms``, ``hover_p95_ms``: request to answer on a file of 10,000 lines that is being edited, while
    a search uses the machine. ``after_result_…``: the same once the result is there. ``cancel_p95_ms``: “stop” to its
    answer; ``progress_end_p95_ms``: to the end of the progress; ``children_gone_s``: until the last child of the
    search is gone, the slowest of all.
    """
    with tempfile.TemporaryDirectory(prefix="maxcode-bench-") as folder:
        home = Path(folder)
        environment = dict(os.environ) | {
            f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CACHE", "DATA", "STATE", "CONFIG")
        }
        file = home / "large" / "large.cpp"
        file.parent.mkdir()
        count = (LINES - PROGRAM.count("\n")) // FILLER.count("\n")
        file.write_text(PROGRAM.format(filler="".join(FILLER.format(n=n) for n in range(count))))
        async with Peer(OURS, environment) as peer:
            await peer.initialize(initializationOptions={"trusted": True, "runChanged": True})
            peer.notify("initialized", {})
            writer = _Writer(peer, file)
            rounds = FEW_ROUNDS if quick else ROUNDS
            report("requests while a search goes on")
            searching = await _while_searching(writer, rounds)
            report("requests after a result")
            after = await _after_result(writer, rounds // 3)
            stops = FEW_STOPS if quick else STOPS
            stopping = await _stopping(writer, stops, report)
            await peer.stop()
        return {**searching, **after, **stopping}


class _Writer:
    """A person who types in the one open file, and asks."""

    def __init__(self, peer: Peer, file: Path) -> None:
        self.peer = peer
        self.text = file.read_text()
        self.uri = file.as_uri()
        self.version = 1
        self._document = {"uri": self.uri}
        lines = self.text.split("\n")
        self._main = next(number for number, line in enumerate(lines) if line.startswith("int main"))
        self._typed = next(number for number, line in enumerate(lines) if "filler_50(" in line) + 1
        peer.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": self.uri, "languageId": "cpp", "version": 1, "text": self.text}},
        )

    def type(self) -> None:
        """One keystroke, in a comment that grows and is taken back."""
        self.version += 1
        place = {"line": self._typed, "character": 0}
        grows = self.version % 2 == 0
        end = place if grows else {"line": self._typed, "character": 2}
        self.peer.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"range": {"start": place, "end": end}, "text": "//" if grows else ""}],
            },
        )

    async def timed(self, method: str, **more: Any) -> float:
        """Milliseconds from a request at ``main`` to its answer."""
        begun = time.monotonic()
        await self.peer.call(method, {"textDocument": self._document, **more})
        return (time.monotonic() - begun) * 1e3

    async def action_ms(self) -> float:
        """Of ``codeAction``."""
        place = {"line": self._main, "character": 4}
        context: dict[str, Any] = {"diagnostics": [], "triggerKind": 1}
        return await self.timed("textDocument/codeAction", range={"start": place, "end": place}, context=context)

    async def hover_ms(self) -> float:
        """Of ``hover``."""
        return await self.timed("textDocument/hover", position={"line": self._main, "character": 5})

    async def start(self, budget: int) -> str:
        """Begin a search; the run's id."""
        settings = {"budget": budget, "seconds": LIMIT_S}
        return (await self.execute("maxcode.start", {"uri": self.uri, "settings": settings}))["run"]

    async def execute(self, command: str, argument: dict[str, Any]) -> Any:
        """Execute a command."""
        return await self.peer.call("workspace/executeCommand", {"command": command, "arguments": [argument]})

    async def run(self, run: str) -> dict[str, Any]:
        """What is known of a run."""
        known = (await self.peer.call("maxcode/runs", {"uri": self.uri}))["runs"]
        return next(one for one in known if one["run"] == run)


async def _while_searching(writer: _Writer, rounds: int) -> dict[str, Any]:
    actions: list[float] = []
    hovers: list[float] = []
    run = await writer.start(budget=4000)
    await _until_searching(writer, run)
    busy = _busy_s()
    begun = time.monotonic()
    for _ in range(rounds):
        writer.type()
        actions.append(await writer.action_ms())
        hovers.append(await writer.hover_ms())
        await asyncio.sleep(TYPING_S)
        if (await writer.run(run))["status"] != "running":
            run = await writer.start(budget=4000)
    share = (_busy_s() - busy) / (time.monotonic() - begun) / len(os.sched_getaffinity(0))
    await writer.execute("maxcode.stop", {"run": run})
    return {
        "code_action_p95_ms": p95(actions),
        "code_action_median_ms": statistics.median(actions),
        "hover_p95_ms": p95(hovers),
        "hover_median_ms": statistics.median(hovers),
        "requests": len(actions) + len(hovers),
        "machine_busy_share": share,
    }


async def _after_result(writer: _Writer, rounds: int) -> dict[str, Any]:
    run = await writer.start(budget=4)
    async with asyncio.timeout(LIMIT_S):
        while (await writer.run(run))["status"] == "running":  # noqa: ASYNC110 - it is another process's
            await asyncio.sleep(0.5)
    actions: list[float] = []
    hovers: list[float] = []
    for _ in range(rounds):
        writer.type()
        actions.append(await writer.action_ms())
        hovers.append(await writer.hover_ms())
        await asyncio.sleep(TYPING_S)
    return {
        "after_result": (await writer.run(run))["status"],
        "after_result_code_action_p95_ms": p95(actions),
        "after_result_hover_p95_ms": p95(hovers),
    }


async def _stopping(writer: _Writer, stops: int, report: Callable[[str], None]) -> dict[str, Any]:
    draw = random.Random(1)  # noqa: S311 - moments, not secrets
    answered: list[float] = []
    ended: list[float] = []
    gone: list[float] = []
    for number in range(stops):
        report(f"stop {number + 1} of {stops}")
        run = await writer.start(budget=4000)
        if number % 2:
            await _until_searching(writer, run)
        await asyncio.sleep(draw.uniform(0.0, 4.0))
        engine = below(writer.peer.pid)
        begun = time.monotonic()
        request = writer.peer.request(
            "workspace/executeCommand", {"command": "maxcode.stop", "arguments": [{"run": run}]}
        )
        waiting = {"answer", "end"}
        while waiting:
            async with asyncio.timeout(LIMIT_S):
                message = await writer.peer.take()
            now_ms = (time.monotonic() - begun) * 1e3
            if "method" not in message and message["id"] == request:
                answered.append(now_ms)
                waiting.discard("answer")
            elif message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "end":
                ended.append(now_ms)
                waiting.discard("end")
        async with asyncio.timeout(LIMIT_S):
            while len(below(writer.peer.pid)) > 1:  # noqa: ASYNC110 - they are other processes
                await asyncio.sleep(0.01)
        gone.append(time.monotonic() - begun)
        assert engine, "no search was going on"
    return {
        "cancel_p95_ms": p95(answered),
        "progress_end_p95_ms": p95(ended),
        "children_gone_s": max(gone),
        "stops": stops,
    }


async def _until_searching(writer: _Writer, run: str) -> None:
    async with asyncio.timeout(LIMIT_S):
        while True:
            known = await writer.run(run)
            if known["phase"] == "searching" or known["status"] != "running":
                return
            await asyncio.sleep(0.1)


def _busy_s() -> float:
    """Seconds that all processors together have worked since the machine's start."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    ticks = [int(field) for field in fields]
    return (sum(ticks[:3]) + sum(ticks[5:8])) / os.sysconf("SC_CLK_TCK")


def p95(values: Sequence[float]) -> float:
    """The value that 95 % do not exceed."""
    return sorted(values)[max(0, -(-len(values) * 95 // 100) - 1)]
