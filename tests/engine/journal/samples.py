"""A journal with one record of each kind."""

from __future__ import annotations

import hashlib
from pathlib import Path

from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Observed, Prepared, Replied, RunResult
from maxcode_lsp.engine.journal.lines import encode
from maxcode_lsp.engine.journal.places import journal_file
from maxcode_lsp.engine.journal.records import VERSION, Line, Opened, Record, Resumed
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.records import (
    Candidate,
    Change,
    Critique,
    Environment,
    Evaluation,
    Feedback,
    Finding,
    Measurement,
    Metric,
    Origin,
    Outcome,
    RunStatus,
    Span,
    Verdict,
)
from maxcode_lsp.settings import Settings
from maxcode_lsp.text.edits import diff

RUN = "20261130-101500-00c0de"
SOURCE = b"\xef\xbb\xbfint a;\r\nint b;\r\n// caf\xe9\r\n"
TEXT = b"int a;\nint b;\n// caf\xe9\n"
BETTER = b"int a;\nlong b;\n// caf\xe9\n"
ENVIRONMENT = Environment("a machine", "g++ 12.2", ("-O3",), "bubblewrap", "0.1")


def heading(run: str = RUN, version: int = VERSION, file: str = "/a/“b” \udcff.cpp") -> Opened:
    return Opened(
        version=version,
        run=run,
        created="2026-11-30T10:15:00+00:00",
        maxcode="0.1",
        file=file,
        target="b.cpp",
        source=SOURCE,
        source_sha256=hashlib.sha256(TEXT).hexdigest(),
        settings=Settings(budget=7),
        search="greedy",
        policies=("rewrites",),
        seed=0,
    )


def judged(number: int, speedup: float | None = None, *, best: bool = False, text: bytes = BETTER) -> Evaluated:
    candidate = Candidate(
        f"c{number}", Change("b.cpp", "", diff(TEXT, text)), None, 1, Origin("rewrites", ("x",), "X.")
    )
    taken = None
    if speedup is not None:
        taken = Measurement(Metric.CPU, (200, 210), (100, 105), speedup, (speedup, speedup), Verdict.FASTER)
    evaluation = Evaluation(candidate.id, Outcome.CORRECT if taken else Outcome.IDENTICAL, Feedback("said"), taken)
    return Evaluated(number, ("x",), "X.", 1, evaluation, speedup, best, candidate, speedup or 1.0)


def ended(status: RunStatus = RunStatus.IMPROVED) -> RunResult:
    improved = status is RunStatus.IMPROVED
    return RunResult(
        target="b.cpp",
        status=status,
        speedup=1.9 if improved else None,
        ci95=(1.8, 2.0) if improved else None,
        evaluations=2,
        outcomes={"correct": 2},
        seconds=9.0,
        diff="",
        reason="Why.",
        edited=b"the edit" if improved else None,
        winner="w" if improved else None,
    )


CRITIQUE = Critique((Finding("hot:1", "hot-lines", Span(1, 2), "It is hot.", "perf"),), {1: 0.5})
REPLIED = Replied("openai/m", "llm", "1" * 64, 64, 900, 100, 0.25, cached=False, reply="program", elapsed_s=2.0)
RECORDS: tuple[Record, ...] = (
    Prepared("b.cpp", 1000, 7, 300.0, ("A note.",), ENVIRONMENT),
    Critiqued(None, CRITIQUE),
    Observed(None, "0" * 64, None, 1.0, 1.0, 0, ("hot-lines",), "rewrites", ("c1", "c2"), 0.01),
    REPLIED,
    judged(1),
    judged(2, 2.5, best=True),
    Decided("went_on", "c2", "It is the best so far."),
    Resumed("2026-11-30T10:16:00+00:00", 3.0),
    judged(3, 1.2),
)


def written(folder: Path, *records: Record, run: str = RUN) -> Path:
    """A journal that nobody writes any more."""
    journal = Journal.begin(folder, heading(run))
    for at_s, record in enumerate(records, 1):
        journal.append(float(at_s), record)
    journal.close()
    return journal_file(folder, run)


def raw(*records: Record) -> bytes:
    return b"".join(encode(Line(1.0, record)) for record in records)
