"""Sanitizer builds at work: does a program have undefined behaviour on an input?"""

from __future__ import annotations

from maxcode_lsp.executor.original import Original
from maxcode_lsp.executor.rig import Case, RunLimits, output_difference
from maxcode_lsp.executor.sandbox import Conduct, Exit
from maxcode_lsp.messages import phrases

SLOWER = 20
"""A sanitizer build may take this many times the original's time, plus five seconds."""
MEMORY_BYTES = 4 << 30
"""For the cgroup only: sanitizers reserve address space that RLIMIT_AS would refuse."""
ENVIRONMENT = {
    # Fresh memory is filled, so that reading it before writing shows in the output.
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=99:allocator_may_return_null=1"
    ":max_malloc_fill_size=1073741824:malloc_fill_byte=190",
    "UBSAN_OPTIONS": "print_stacktrace=0:exitcode=99",
}
REPORTED = 99


async def first_report(original: Original, program: bytes, cases: list[Case]) -> tuple[Case, str] | None:
    """The first case on which a sanitizer build speaks up or prints something else, and what is wrong.

    A run that fails otherwise (too slow, too large with sanitizers on) says nothing.
    """
    rig = await original.rig({"sanitized": program}, conduct=Conduct.THREADED, memory_bytes=MEMORY_BYTES)
    try:
        for case in cases:
            time_s = original.times_ns.get(case.name, 0) / 1e9
            limits = RunLimits(SLOWER * time_s + 5, 0, original.job.limits.output_bytes)
            async with original.room.cores.any() as core:
                ended = await rig.run("sanitized", case.stdin, limits, core, ENVIRONMENT)
            if ended.code == REPORTED:
                return case, _line(ended)
            if ended.ok and (difference := await output_difference(case.expected, ended.stdout, original.job.output)):
                return case, f"its output depends on memory that it never set ({difference})"
        return None
    finally:
        await rig.close()


def _line(ended: Exit) -> str:
    lines = phrases.plain(ended.stderr).splitlines()
    telling = [line for line in lines if "ERROR: AddressSanitizer" in line or "runtime error:" in line]
    return (telling or lines or ["no report"])[0].strip()[:200]


async def clean_cases(original: Original, cases: list[Case]) -> list[Case]:
    """Those cases on which the original itself is clean; all, where it has no sanitizer build."""
    program = await original.sanitized() if cases else None
    if program is None:
        return cases
    return [case for case in cases if await first_report(original, program, [case]) is None]
