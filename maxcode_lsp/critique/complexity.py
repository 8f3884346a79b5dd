"""How the time grows with the size of the input: measured, not derived."""

from __future__ import annotations

import math
from collections.abc import Sequence

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.executor.profile.meter import Meter
from maxcode_lsp.records import Finding

FEWEST_SIZES = 3
RUNS = 3
SHORTEST_NS = 4_000_000
"""Above the floor; below this, start-up and chance decide."""
WORST_FIT = 0.15
"""Largest difference between the slopes of neighbouring sizes and the slope of all, in exponents."""
MOST_CPU_S = 6.0


class Complexity:
    """Runs growing inputs and fits a power of their size."""

    name = "empirical complexity"

    async def criticise(self, evidence: Evidence) -> Report:
        subject = evidence.subject
        if len(subject.scaled) < FEWEST_SIZES:
            return Report()
        program = await evidence.program()
        meter = await Meter.build(subject.bench) if program.path else None
        floor_ns = await meter.floor_ns() if meter else None
        if program.path is None or floor_ns is None:
            return Report(notes=("The growth of the time could not be measured: the profile build failed.",))
        sizes: list[int] = []
        times: list[int] = []
        spent_ns = 0
        for size, data in sorted(subject.scaled):
            if times and spent_ns + RUNS * times[-1] > MOST_CPU_S * 1e9:
                break
            best: int | None = None
            for _ in range(RUNS):
                ended = await subject.bench.run(program.path, data, limit_s=subject.job.limits.run_s)
                spent_ns += ended.cpu_ns
                if not ended.ok:
                    return Report(notes=(f"The growth of the time could not be measured: size {size:,} does not end well.",))
                best = ended.cpu_ns if best is None else min(best, ended.cpu_ns)
            if best is not None:
                sizes.append(size)
                times.append(best)
        line = _main_line(evidence)
        found = growth(sizes, times, floor_ns, *line)
        return Report((found,)) if found else Report(notes=("The runs are too short or too uneven to say how the time grows.",))


def exponent(sizes: Sequence[int], times_ns: Sequence[int]) -> float | None:
    """The power of the size that the times follow; None where no single power does."""
    if len(sizes) < FEWEST_SIZES or min(times_ns) <= 0:
        return None
    x = [math.log(size) for size in sizes]
    y = [math.log(time) for time in times_ns]
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    spread = math.fsum((a - mean_x) ** 2 for a in x)
    if not spread:
        return None
    slope = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / spread
    steps = [(y[i + 1] - y[i]) / (x[i + 1] - x[i]) for i in range(len(x) - 1) if x[i + 1] > x[i]]
    return slope if all(abs(step - slope) <= WORST_FIT for step in steps) else None


def growth(sizes: Sequence[int], times_ns: Sequence[int], floor_ns: int, first: int, last: int) -> Finding | None:
    """The finding, from the times that are long enough to say anything."""
    used = [(n, t - floor_ns) for n, t in zip(sizes, times_ns, strict=True) if t - floor_ns >= SHORTEST_NS]
    power = exponent([n for n, _ in used], [t for _, t in used]) if len(used) >= FEWEST_SIZES else None
    if power is None:
        return None
    ns = [n for n, _ in used]
    message = f"Grows as n^{power:.1f} between n = {ns[0]:,} and {ns[-1]:,}."
    times = ", ".join(f"{t / 1e6:.1f}" for _, t in used)
    evidence = f"CPU time {times} ms at n = {', '.join(f'{n:,}' for n in ns)}"
    return finding(Kind.EMPIRICAL_COMPLEXITY, first, last, message, evidence)


def _main_line(evidence: Evidence) -> tuple[int, int]:
    main = next((f for f, _ in evidence.source.functions if f.name == "main"), None)
    return (main.first, main.first) if main else (1, 1)
