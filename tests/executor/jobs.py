"""Small jobs and candidates for tests of the executor."""

from __future__ import annotations

import hashlib

from maxcode_lsp.records import Candidate, Change, Origin, candidate_id
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, Generator, JobFile, Limits, TestCase
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText

SUM = b"""#include <iostream>
#include <vector>
// Adds numbers the slow way round.
int main() {
    long count = 0;
    std::cin >> count;
    std::vector<long> values(count);
    for (auto& value : values) std::cin >> value;
    long total = 0;
    for (int round = 0; round < 40; ++round)
        for (long i = 0; i < count; ++i) total = (total * 31 + values[i] * (round + 1)) % 1000003;
    std::cout << total << std::endl;
    return 0;
}
"""
FAST_SUM = SUM.replace(b"long count = 0;", b"std::ios::sync_with_stdio(false);\n    long count = 0;")
GENERATOR = b"""import random, sys
draw = random.Random(int(sys.argv[1]))
size = int(sys.argv[2])
print(size)
print(*[draw.randrange(1000000) for _ in range(size)])
"""


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def job(
    source: bytes,
    *,
    inputs: dict[str, tuple[bytes | None, bytes | None]] | None = None,
    generator: bytes | None = None,
    size: int = 1000,
    flags: tuple[str, ...] = ("-O2", "-std=c++20"),
    limits: Limits | None = None,
    output: OutputPolicy | None = None,
    more: dict[str, bytes] | None = None,
    sample_s: float = 0.06,
) -> EvaluationJob:
    """A job; ``inputs``: name to (stdin, expected); ``more``: further files of the closure."""
    if inputs is None:
        inputs = {} if generator else {"no input": (None, None)}
    contents = [source, *(more or {}).values(), *([generator] if generator else [])]
    contents += [data for pair in inputs.values() for data in pair if data is not None]
    return EvaluationJob(
        files=(JobFile("a.cpp", sha(source)), *(JobFile(path, sha(data)) for path, data in (more or {}).items())),
        unit="a.cpp",
        compiler="g++",
        flags=flags,
        cases=tuple(
            TestCase(name, None if stdin is None else sha(stdin), None if expected is None else sha(expected))
            for name, (stdin, expected) in inputs.items()
        ),
        generator=Generator(JobFile("gen.py", sha(generator)), size, sample_s) if generator else None,
        output=output or OutputPolicy(),
        limits=limits or Limits(run_s=5.0, output_bytes=1 << 20),
        blobs={sha(data): data for data in contents},
    )


def candidate(original: bytes, changed: bytes) -> Candidate:
    """``changed`` as a candidate of ``original``."""
    source = SourceText(original)
    text = SourceText(changed).data
    change = Change("a.cpp", source.sha256, diff(source.data, text))
    return Candidate(candidate_id(text), change, None, 1, Origin("test", ("edit",), "A test."))
