"""Taking the profile of one version: the profile build, and the best source of shares that works here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.executor.profile import callgrind, perf
from maxcode_lsp.executor.profile.meter import Meter, Reading
from maxcode_lsp.executor.profile.profile import Profile, Work
from maxcode_lsp.executor.profile.workbench import Workbench

REMARKS = "remarks.txt"
"""File of the workbench in which g++ leaves its remarks during the profile build."""
PORTABLE = "-march=x86-64-v3"
"""In place of ``native``: valgrind does not know the newest instructions."""
METERED_RUNS = 3
METERED_CPU_S = 1.0
PERF_EXTRA_S = 10.0
"""Above the limit of a plain run."""
OTHER_INPUTS = 5
SHORTEST_COUNTED_NS = 20_000_000
"""Shorter runs are mostly start-up."""

Profiler = Literal["perf", "callgrind"]


class Portrait(Struct, frozen=True):
    """What was learnt from running one version."""

    profile: Profile | None
    reading: Reading | None
    notes: tuple[str, ...] = ()


def profile_flags(flags: tuple[str, ...], remarks: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The user's flags with line tables, without what a profiler cannot take."""
    kept = tuple(flag for flag in flags if flag not in {"-s", "-mtune=native", "-mcpu=native"})
    return (*(PORTABLE if flag == "-march=native" else flag for flag in kept), "-g1", *remarks)


async def portray(
    bench: Workbench,
    binary: str,
    inputs: tuple[bytes | None, ...],
    *,
    limit_s: float,
    code: Collection[int] | None = None,
    sources: tuple[Profiler, ...] = ("perf", "callgrind"),
) -> Portrait:
    """Run a program and say where its time goes. Never raises for what the program does.

    ``inputs``: the typical one first; the others serve where a profiler is too slow for it.
    ``limit_s`` bounds each single run; ``code``: the lines of the unit that hold code (None: all).
    """
    meter = await Meter.build(bench)
    if meter is None:
        return Portrait(None, None, ("The meter that runs the program does not build with this compiler.",))
    reading = await _meter(meter, binary, inputs[0], limit_s=limit_s)
    if reading is None:
        return Portrait(None, None, ("The profile build does not end well on the typical input.",))
    notes: list[str] = []
    for source in sources:
        if source == "perf":
            taken = await perf.sample(
                bench, binary, inputs[0], cpu_ns=reading.cpu_ns, code=code, limit_s=limit_s + PERF_EXTRA_S
            )
        else:
            fitting = await fitting_input(meter, binary, inputs, reading, limit_s=limit_s)
            if fitting is None:
                notes.append(f"A run of {reading.cpu_ns / 1e9:.1f} s is too long to count its instructions.")
                continue
            taken = await callgrind.count(bench, binary, inputs[fitting], code=code, limit_s=2 * limit_s)
        if isinstance(taken, Profile):
            whole = with_kernel(taken, reading) if taken.counts == "time" else taken
            return Portrait(whole, reading, tuple(notes))
        notes.append(taken)
    return Portrait(None, reading, tuple(notes))


async def fitting_input(
    meter: Meter, binary: str, inputs: tuple[bytes | None, ...], typical: Reading, *, limit_s: float
) -> int | None:
    """Index of the input whose run callgrind can follow: the typical one, else the longest of some others."""
    longest_ns = 2 * limit_s * 1e9 / callgrind.SLOWDOWN
    if typical.cpu_ns <= longest_ns:
        return 0
    best: tuple[int, int] | None = None
    for index, stdin in list(enumerate(inputs))[1:OTHER_INPUTS]:
        reading = await meter.read(binary, stdin, limit_s=limit_s)
        if reading is not None and SHORTEST_COUNTED_NS < reading.cpu_ns <= longest_ns:
            best = max(best or (0, 0), (reading.cpu_ns, index))
    return best[1] if best else None


async def _meter(meter: Meter, binary: str, stdin: bytes | None, *, limit_s: float) -> Reading | None:
    """The mean of a few runs: the split between program and system is coarse in short ones."""
    readings: list[Reading] = []
    while len(readings) < METERED_RUNS and sum(r.cpu_ns for r in readings) < METERED_CPU_S * 1e9:
        reading = await meter.read(binary, stdin, limit_s=limit_s)
        if reading is None:
            return None
        readings.append(reading)
    return replace(
        readings[-1],
        user_ns=sum(r.user_ns for r in readings) // len(readings),
        kernel_ns=sum(r.kernel_ns for r in readings) // len(readings),
    )


def with_kernel(profile: Profile, reading: Reading) -> Profile:
    """Add the time in the operating system, which the samples do not see.

    It is counted to the lines that read or write, where the calls are many enough to explain it.
    """
    kernel = reading.kernel_share
    lines = {line: share * (1 - kernel) for line, share in profile.lines.items()}
    work = {kind: {line: s * (1 - kernel) for line, s in found.items()} for kind, found in profile.work.items()}
    writes, reads = reading.writes or 0, reading.reads or 0
    kinds = (Work.FLUSH, Work.OUTPUT) if writes >= reads else (Work.INPUT,)
    kind = next((kind for kind in kinds if work.get(kind)), None)
    # A call costs at least a tenth of a microsecond; a handful explains nothing.
    if kind is not None and max(writes, reads) * 100 > reading.kernel_ns * 0.2:
        for line, part in _parts(work[kind]).items():
            lines[line] = lines.get(line, 0.0) + kernel * part
            work[kind][line] += kernel * part
    return replace(profile, lines=dict(sorted(lines.items())), work=work, kernel=kernel)


def _parts(shares: Mapping[int, float]) -> dict[int, float]:
    total = sum(shares.values())
    return {line: share / total for line, share in shares.items()} if total else {}
