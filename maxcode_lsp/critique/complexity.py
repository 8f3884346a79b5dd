"""How the time grows with the size of the input: measured, not derived."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.evidence import Evidence, Subject
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.source import Source
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
        if program.path is None or meter is None:
            return Report(notes=("The growth of the time could not be measured: the profile build failed.",))
        floor_ns = await meter.floor_ns()
        times_ns: dict[int, int] = {}
        spent_ns = 0
        for size, data in sorted(subject.scaled):
            if spent_ns + RUNS * max(times_ns.values(), default=0) > MOST_CPU_S * 1e9:
                break
            best = await _best_of(subject, program.path, data)
            if best is None:
                note = f"The growth of the time could not be measured: the run with n = {size:,} does not end well."
                return Report(notes=(note,))
            times_ns[size] = best
            spent_ns += RUNS * best
        found = growth(times_ns, floor_ns, _main_line(evidence.source))
        if found is None:
            return Report(notes=("The runs are too short or too uneven to say how the time grows.",))
        return Report((found,))


async def _best_of(subject: Subject, binary: str, data: bytes) -> int | None:
    """CPU time of the quickest run in nanoseconds; None if one does not end well."""
    times: list[int] = []
    for _ in range(RUNS):
        ended = await subject.bench.run(binary, data, limit_s=subject.job.limits.run_s)
        if not ended.ok:
            return None
        times.append(ended.cpu_ns)
    return min(times)


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


def growth(times_ns: Mapping[int, int], floor_ns: int, span: tuple[int, int]) -> Finding | None:
    """The finding, from the times by size that are long enough to say anything."""
    used = {size: time - floor_ns for size, time in sorted(times_ns.items()) if time - floor_ns >= SHORTEST_NS}
    power = exponent(tuple(used), tuple(used.values()))
    if power is None:
        return None
    sizes = [f"{size:,}" for size in used]
    message = f"Grows as n^{power:.1f} between n = {sizes[0]} and {sizes[-1]}."
    times = ", ".join(f"{time / 1e6:.1f}" for time in used.values())
    return finding(Kind.EMPIRICAL_COMPLEXITY, span, message, f"CPU time {times} ms at n = {', '.join(sizes)}")


def _main_line(source: Source) -> tuple[int, int]:
    main = next((function.first for function, _ in source.functions if function.name == "main"), 1)
    return main, main
