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
    stdin: bytes | None,
    *,
    limit_s: float,
    code: Collection[int] | None = None,
    sources: tuple[Profiler, ...] = ("perf", "callgrind"),
) -> Portrait:
    """Run a program on one input and say where its time goes. Never raises for what the program does.

    ``limit_s`` bounds each single run; ``code``: the lines of the unit that hold code (None: all).
    """
    notes: list[str] = []
    reading = await _meter(bench, binary, stdin, limit_s=limit_s)
    if reading is None:
        ended = await bench.run(binary, stdin, limit_s=limit_s)
        if not ended.ok:
            return Portrait(None, None, ("The profile build does not end well on the typical input.",))
        cpu_ns = ended.cpu_ns
    else:
        cpu_ns = reading.cpu_ns
    for source in sources:
        if source == "perf":
            taken = await perf.sample(bench, binary, stdin, cpu_ns=cpu_ns, code=code, limit_s=limit_s + 10)
        elif cpu_ns / 1e9 * callgrind.SLOWDOWN > 2 * limit_s:
            taken = f"A run of {cpu_ns / 1e9:.1f} s is too long to count its instructions."
        else:
            taken = await callgrind.count(bench, binary, stdin, code=code, limit_s=2 * limit_s)
        if isinstance(taken, Profile):
            timed = taken.counts == "time"
            return Portrait(with_kernel(taken, reading) if timed and reading else taken, reading, tuple(notes))
        notes.append(taken)
    return Portrait(None, reading, tuple(notes))


async def _meter(bench: Workbench, binary: str, stdin: bytes | None, *, limit_s: float) -> Reading | None:
    """The sum of a few runs, scaled to one: the split of short runs is coarse."""
    meter = await Meter.build(bench)
    if meter is None:
        return None
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
