"""Subjects for tests: a job around one text, and a bench that only answers what it was told."""

from __future__ import annotations

import hashlib

from maxcode_lsp.critique.evidence import Evidence, Subject
from maxcode_lsp.executor.profile.profile import Profile, Work
from maxcode_lsp.executor.profile.workbench import Program
from maxcode_lsp.executor.sandbox import Exit
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, JobFile, Limits


def job_of(text: bytes, flags: tuple[str, ...] = ("-O2", "-std=c++20")) -> EvaluationJob:
    """A job of one file without inputs."""
    digest = hashlib.sha256(text).hexdigest()
    files = (JobFile("unit.cpp", digest),)
    return EvaluationJob(files, "unit.cpp", "g++", flags, (), None, OutputPolicy(), Limits(), {digest: text})


class EmptyBench:
    """A workbench on which nothing builds."""

    unit = "/src/unit.cpp"
    compiler = "/usr/bin/g++"

    async def build(self, name: str, flags: tuple[str, ...]) -> Program:
        return Program(None, "error: nothing builds here")

    async def run(self, binary: str, stdin: bytes | None, *, limit_s: float) -> Exit:
        raise AssertionError("nothing was built")

    async def tool(self, argv: tuple[str, ...], *, stdin: bytes | None = None, limit_s: float) -> Exit:
        raise AssertionError("nothing was built")

    def path(self, name: str) -> str:
        return f"/work/{name}"

    def write(self, name: str, data: bytes) -> None:
        raise AssertionError("nothing to write")

    def read(self, name: str, *, most_bytes: int = 0) -> bytes:
        return b""


def unprofiled(text: str) -> Evidence:
    """Evidence of a text that does not build."""
    data = text.encode()
    return Evidence(Subject(text=data, job=job_of(data), bench=EmptyBench(), inputs=()))


def profile(lines: dict[int, float], work: dict[Work, dict[int, float]] | None = None) -> Profile:
    """A profile by time."""
    return Profile("share of time", "perf cpu-clock, 100 samples", lines, work or {})
