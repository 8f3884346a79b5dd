"""Evaluation jobs for the benchmarks' own programs."""

from __future__ import annotations

import hashlib

from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, Generator, JobFile, Limits, TestCase

FLAGS = ("-O3", "-std=c++20")


def job_of(source: bytes, generator: bytes | None = None, size: int = 1, sample_s: float = 0.25) -> EvaluationJob:
    """A job for one source file; without a generator the program reads nothing."""
    blobs = {hashlib.sha256(data).hexdigest(): data for data in (source, generator) if data is not None}
    sha256 = hashlib.sha256(source).hexdigest()
    made = None
    if generator is not None:
        made = Generator(JobFile("gen.py", hashlib.sha256(generator).hexdigest()), size, sample_s)
    return EvaluationJob(
        files=(JobFile("program.cpp", sha256),),
        unit="program.cpp",
        compiler="g++",
        flags=FLAGS,
        cases=() if generator is not None else (TestCase("no input", None),),
        generator=made,
        output=OutputPolicy(),
        limits=Limits(),
        blobs=blobs,
    )
