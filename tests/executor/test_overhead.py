"""What a run costs beside its output: memory held for long weighs more than memory held for a moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.benchmarks.jobs import job_of
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.rig import Rig
from maxcode_lsp.executor.sandbox import Conduct
from maxcode_lsp.records import Candidate, Change, Origin, Overhead, candidate_id
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText

HOLD = """#include <cstdio>
#include <memory>
static unsigned spin(unsigned rounds) {
    unsigned x = 2463534242u;
    for (unsigned i = 0; i < rounds; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
    return x;
}
int main() {
    const unsigned long size = BYTES;
    auto held = std::make_unique_for_overwrite<char[]>(size);
    volatile char* page = held.get();
    for (unsigned long at = 0; at < size; at += 4096) page[at] = 1;
    unsigned sum = page[size / 2];
    if (FREE_FIRST) held.reset();
    sum += spin(60000000);
    std::printf("%u\\n", sum);
}
"""


def program(megabytes: int, *, free_first: bool = False) -> bytes:
    text = HOLD.replace("BYTES", f"{megabytes}ul << 20").replace("FREE_FIRST", str(int(free_first)))
    return text.encode()


async def metered(folder: Path, original: bytes, version: bytes | None = None) -> Overhead:
    executor = LocalExecutor(folder)
    try:
        base = await executor.prepare(job_of(original))
        candidate = None
        if version is not None:
            source = SourceText(original)
            change = Change(base.job.unit, source.sha256, diff(source.data, version))
            candidate = Candidate(candidate_id(version), change, None, 1, Origin("hand", (), ""))
        taken = await executor.meter(base, candidate)
        assert taken is not None
        return taken
    finally:
        await executor.close()


async def test_memory_over_time(tmp_path: Path) -> None:
    little = await metered(tmp_path, program(1))
    held = await metered(tmp_path, program(1), program(96))
    freed = await metered(tmp_path, program(1), program(96, free_first=True))
    assert held.peak_bytes > 96 << 20 < freed.peak_bytes
    assert little.peak_bytes < 32 << 20
    assert held.memory_time_mbs > 5 * little.memory_time_mbs
    assert held.memory_time_mbs > 2 * freed.memory_time_mbs, "the peak alone says nothing of how long"
    # Held nearly all the time: between the peak's half and the whole of it, times the time.
    box = held.peak_bytes / 1e6 * held.elapsed_ns / 1e9
    assert 0.5 * box < held.memory_time_mbs <= box * 1.05


async def test_what_does_not_end_well_has_none(tmp_path: Path) -> None:
    executor = LocalExecutor(tmp_path)
    try:
        original = program(1)
        base = await executor.prepare(job_of(original))
        source = SourceText(original)
        broken = source.data.replace(b'std::printf("%u\\n", sum);', b"__builtin_trap();")
        change = Change(base.job.unit, source.sha256, diff(source.data, broken))
        assert await executor.meter(base, Candidate("0" * 12, change, None, 1, Origin("hand", (), ""))) is None
    finally:
        await executor.close()


@pytest.mark.parametrize("conduct", [Conduct.PROGRAM, Conduct.THREADED])
async def test_only_who_asks_is_metered(conduct: Conduct, tmp_path: Path) -> None:
    executor = LocalExecutor(tmp_path)
    try:
        base = await executor.prepare(job_of(program(8)))
        original = executor.original(base)
        rig: Rig = await original.rig({"original": original.program}, conduct)
        try:
            plain = await rig.run("original", None, original.limits, None)
            metered_run = await rig.run("original", None, original.limits, None, meter_s=0.002)
        finally:
            await rig.close()
        assert (plain.memory_time_mbs, plain.ok) == (0.0, True)
        assert metered_run.memory_time_mbs > 0.1 and metered_run.stdout == plain.stdout
    finally:
        await executor.close()
