"""The timing noise of this machine, now: a program compared with itself."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

from maxcode_lsp.executor.judging import undisturbed
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.measure import measure_fixed
from maxcode_lsp.records import Metric
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, JobFile, Limits, TestCase

PAIRS = 12
_PROGRAM = b"""\
#include <cstdio>
#include <vector>

int main() {
    std::vector<unsigned> cells(1 << 16, 1);
    unsigned state = 1;
    for (int round = 0; round < 400; round++) {
        for (unsigned& cell : cells) {
            state = state * 1664525u + 1013904223u + cell;
            cell ^= state >> 7;
        }
    }
    std::printf("%u\\n", state);
}
"""


async def noise_floor(cache_folder: Path, *, allow_unsafe: bool = False) -> float:
    """Half the width of the 95 % interval of a program against itself, as a share: 0.01 is 1 %.

    Takes some seconds. Raises InfrastructureError.
    """
    sha256 = hashlib.sha256(_PROGRAM).hexdigest()
    job = EvaluationJob(
        files=(JobFile("noise.cpp", sha256),),
        unit="noise.cpp",
        compiler="g++",
        flags=("-O2",),
        cases=(TestCase("no input", None),),
        generator=None,
        output=OutputPolicy(),
        limits=Limits(),
        blobs={sha256: _PROGRAM},
    )
    executor = LocalExecutor(cache_folder, allow_unconfined=allow_unsafe)
    try:
        original = executor.original(await executor.prepare(job))
        rig = await original.rig({"one": original.program, "other": original.program})
        try:
            course = original.course(Metric.CPU)
            taken = await undisturbed(
                original.room.cores,
                Metric.CPU,
                lambda core: measure_fixed(rig, "one", "other", course, core, PAIRS, threshold=1.05),
            )
        finally:
            await rig.close()
    finally:
        await executor.close()
    low, high = taken.ci95
    return math.sqrt(high / low) - 1
