"""Sampling with ``perf``: where the processor's time goes, with the call chain of each sample."""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Collection

from msgspec import Struct

from maxcode_lsp.executor.profile.places import Image, locate
from maxcode_lsp.executor.profile.profile import Cost, Profile, sum_up
from maxcode_lsp.executor.profile.workbench import Workbench
from maxcode_lsp.messages import phrases

WANTED_SAMPLES = 1500
FEWEST_SAMPLES = 40
"""Fewer say nothing about lines."""
SHORTEST_PERIOD_NS = 100_000
MOST_RUNS = 8
MOST_CPU_S = 2.0
"""Runs are repeated up to this much CPU time."""
STACK_BYTES = 8192


class Frame(Struct, frozen=True):
    """One level of a sampled call chain."""

    offset: int
    """Byte in the file that it is in (of the instruction, or of the one after the call)."""
    symbol: str
    file: str


_FRAME = re.compile(r"^\s*([0-9a-f]+) (.+) \((.+)\)$")


def read_script(text: str) -> Counter[tuple[Frame, ...]]:
    """Read the output of ``perf script -F ip,sym,dso``: chains, innermost frame first, and how often each was met."""
    chains: Counter[tuple[Frame, ...]] = Counter()
    chain: list[Frame] = []
    for line in [*text.splitlines(), ""]:
        if match := _FRAME.match(line):
            chain.append(Frame(int(match[1], 16), match[2], match[3]))
        elif not line.strip() and chain:
            chains[tuple(chain)] += 1
            chain = []
    return chains


async def sample(
    bench: Workbench, binary: str, stdin: bytes | None, *, cpu_ns: int, code: Collection[int] | None, limit_s: float
) -> Profile | str:
    """Profile a run that takes about ``cpu_ns``; a sentence why not where that cannot be done."""
    runs = max(1, min(MOST_RUNS, math.ceil(WANTED_SAMPLES * SHORTEST_PERIOD_NS / max(cpu_ns, 1))))
    runs = max(1, min(runs, int(MOST_CPU_S * 1e9 / max(cpu_ns, 1))))
    period_ns = max(SHORTEST_PERIOD_NS, cpu_ns * runs // WANTED_SAMPLES)
    chains: Counter[tuple[Frame, ...]] = Counter()
    data = bench.path("perf.data")
    for _ in range(runs):
        # The user's own instructions only: that is allowed to everyone on most machines.
        record = ("perf", "record", "-q", "-N", "-e", "cpu-clock:u", "-c", str(period_ns), "-m", "64", "--no-bpf-event")
        record += ("--call-graph", f"dwarf,{STACK_BYTES}", "-o", data, "--", binary)
        ended = await bench.tool(record, stdin=stdin, limit_s=limit_s)
        if not ended.ok:
            return _why(ended.stderr.decode(errors="replace"))
        script = ("perf", "script", "-f", "--no-inline", "-i", data, "-F", "ip,sym,dso")
        ended = await bench.tool(script, limit_s=limit_s)
        if not ended.ok:
            return _why(ended.stderr.decode(errors="replace"))
        chains += await asyncio.to_thread(read_script, ended.stdout.decode(errors="replace"))
    samples = chains.total()
    if samples < FEWEST_SAMPLES:
        return (
            f"The run is too short to profile: {phrases.counted(samples, 'sample')} in {phrases.counted(runs, 'run')}."
        )
    return await _attribute(bench, binary, chains, code, f"perf cpu-clock, {samples:,} samples")


def _why(stderr: str) -> str:
    last = next((line.strip() for line in reversed(stderr.splitlines()) if line.strip()), "it said nothing")
    if "perf_event_paranoid" in stderr or "Permission" in stderr or "not permitted" in stderr:
        last = "this machine does not allow it (kernel.perf_event_paranoid is above 2)"
    return f"perf could not profile the program: {last[:200]}"


async def _attribute(
    bench: Workbench, binary: str, chains: Counter[tuple[Frame, ...]], code: Collection[int] | None, evidence: str
) -> Profile:
    image = Image.read(bench.read(binary.rpartition("/")[2]))
    own = {frame.file for chain in chains for frame in chain if frame.file.endswith(binary)}

    def address(frame: Frame, depth: int) -> int:
        # A caller's frame holds the address after the call, which may be the next line's.
        return image.address(frame.offset) - (1 if depth else 0)

    places = await locate(
        bench,
        binary,
        (address(frame, depth) for chain in chains for depth, frame in enumerate(chain) if frame.file in own),
        code,
    )
    costs: list[Cost] = []
    for chain, count in chains.items():
        names: list[str] = []
        found: int | None = None
        for depth, frame in enumerate(chain):
            if frame.file in own:
                found, within = places.line(address(frame, depth))
                names.extend(within)
                if found is not None:
                    break
            else:
                names.append(frame.symbol)
        costs.append(Cost(found, tuple(names), count))
    return sum_up(costs, source="share of time", evidence=evidence, total=chains.total())
