"""The evaluation job: everything an executor needs and nothing else. No paths of the user's machine."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.target.comparison import OutputPolicy


class JobFile(Struct, frozen=True):
    """One file of the closure. ``path`` is relative to the job's root, with forward slashes."""

    path: str
    sha256: str


class TestCase(Struct, frozen=True):
    """One input of the workload, by content hash. ``stdin_sha256`` None: no standard input."""

    name: str
    stdin_sha256: str | None
    expected_sha256: str | None = None
    """None: the original's own output is expected."""

    __test__ = False


class Generator(Struct, frozen=True):
    """A program that prints an input given ``SEED SIZE`` as arguments; run sandboxed."""

    file: JobFile
    size: int
    """Size that the workload's author gave, or the default."""
    sample_s: float = 0.25
    """The size grows until the original takes this long."""


class Limits(Struct, frozen=True):
    """Bounds of every child."""

    build_s: float = 60.0
    run_s: float = 10.0
    build_memory_bytes: int = 3 << 30
    run_memory_bytes: int = 2 << 30
    output_bytes: int = 64 << 20


class EvaluationJob(Struct, frozen=True):
    """A program with its inputs.

    ``blobs`` holds every file, input and expected output by SHA-256 (hex).
    """

    files: tuple[JobFile, ...]
    unit: str
    """Path (in ``files``) of the translation unit: the only file that candidates change."""
    compiler: str
    """Name of the compiler: ``g++``, ``clang++``, ``gcc`` …"""
    flags: tuple[str, ...]
    """Allow-listed flags, include folders rewritten to the job's own paths."""
    cases: tuple[TestCase, ...]
    generator: Generator | None
    output: OutputPolicy
    limits: Limits
    blobs: dict[str, bytes]
