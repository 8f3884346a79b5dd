"""What a version of the target costs beside its output: time, peak memory, memory over time."""

from __future__ import annotations

from maxcode_lsp.errors import SandboxLost
from maxcode_lsp.executor.original import Original
from maxcode_lsp.executor.rig import judge_exit
from maxcode_lsp.records import Overhead

METER_S = 0.002
"""Ours: between two looks at the memory of a run. The source's profiler looks each 0.1 s at runs of seconds."""


async def overhead(original: Original, program: bytes) -> Overhead | None:
    """One run of a built program on each timed input; None where it does not end as the original does."""
    conduct = original.conduct(program)
    elapsed_ns = peak_bytes = 0
    memory_time_mbs = 0.0
    rig = await original.rig({"program": program}, conduct)
    try:
        async with original.place(conduct) as core:
            for case in original.timed:
                ended = await rig.run("program", case.stdin, original.limits, core, meter_s=METER_S)
                if judge_exit(ended, case.name, original.limits) is not None:
                    return None
                elapsed_ns += ended.wall_ns
                peak_bytes = max(peak_bytes, ended.max_rss_bytes)
                memory_time_mbs += ended.memory_time_mbs
    except SandboxLost:
        return None
    finally:
        await rig.close()
    return Overhead(elapsed_ns, peak_bytes, memory_time_mbs)
