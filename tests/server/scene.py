"""A session with one program open and a run of it, whose events the test tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from maxcode_lsp.engine.events import Critiqued, Evaluated, Event, HunkReport, Prepared, Progress, RunResult
from maxcode_lsp.records import (
    Candidate,
    Change,
    Critique,
    Environment,
    Evaluation,
    Feedback,
    Finding,
    Hunk,
    Measurement,
    Metric,
    Origin,
    Outcome,
    RunStatus,
    Span,
    Verdict,
)
from maxcode_lsp.server.connection.editor import Abilities
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document, Documents
from maxcode_lsp.server.workspace.uris import uri_of
from maxcode_lsp.settings import Settings
from maxcode_lsp.text.source import SourceText
from tests.server.far_end import FarEnd

PROGRAM = """#include <iostream>
#include <vector>

static long score(std::vector<int> values, int from) {
    long best = 0;
    for (int step = 0; step < 8; ++step) {
        best += values[(from + step * 7) % values.size()];
    }
    return best;
}

int main() {
    int count;
    std::cin >> count;
    std::vector<int> values(count);
    for (int i = 0; i < count; ++i) std::cin >> values[i];
    long total = 0;
    for (int i = 0; i < count; ++i) {
        total += score(values, i);
        if (i % 50 == 0) std::cout << total << std::endl;
    }
    std::cout << total << std::endl;
    return 0;
}
"""
SCORE, COPY, STEP, MAIN, READ = 4, 4, 7, 12, 16
"""Lines (from 1) of what findings are about."""
CAN = Abilities(progress=True, markdown=True, lens_refresh=True, diagnostic_links=True, diagnostic_versions=True)
RUN = "20300102-030405-00000{}"
ENVIRONMENT = Environment("Example 3000, 4 cores", "g++ 12.2.0", ("-O2",), "bubblewrap", "0.1.0")


def finding(kind: str, first: int, last: int | None = None, share: float | None = 0.5, said: str = "") -> Finding:
    """A finding of a kind on some lines."""
    span = Span(first, last or first)
    return Finding(f"{kind}:{first}", kind, span, said or f"{kind} is seen.", f"perf, {kind}", share)


CRITIQUE = Critique(
    (
        finding("copy-by-value", COPY, share=0.61, said="A vector is copied in each call."),
        finding("hot-function", SCORE, 10, 0.41, "“score” takes 41 % of the time."),
        finding("hot-function", MAIN, 24, 0.3, "“main” takes 30 % of the time."),
        finding("slow-arithmetic", STEP, share=0.05, said="A division in a loop."),
        finding("stream-input", READ, share=0.2, said="Reading takes 20 %."),
    )
)
PREPARED = Prepared("solve.cpp", 184_000_000, 64, 60.0, ("2 inputs from files.",), ENVIRONMENT)
RESULT = RunResult(
    target="solve.cpp",
    status=RunStatus.IMPROVED,
    speedup=2.31,
    ci95=(2.24, 2.39),
    evaluations=14,
    outcomes={"correct": 14},
    seconds=12.0,
    diff="-",
    reason="“solve.cpp” is 2.31× faster.",
    pairs=24,
    environment=ENVIRONMENT,
)


def evaluated(number: int, base: str = PROGRAM, *, best: bool = False, speedup: float = 1.9) -> Evaluated:
    """A candidate that passes the vector by reference, and differs by its number."""
    text = base.encode()
    at = text.index(b"std::vector<int> values, int from")
    hunk = Hunk(at, at + 23, b"const std::vector<int>& values" + b" " * number)
    origin = Origin("rewrites", ("pass-by-reference",), "No copy.")
    change = Change("solve.cpp", SourceText(text).sha256, (hunk,))
    candidate = Candidate(f"{number:012x}", change, None, 1, origin)
    verdict = Verdict.FASTER if best else Verdict.NO_DIFFERENCE
    taken = Measurement(Metric.CPU, (100, 102, 98), (50, 51, 49), speedup, (speedup - 0.05, speedup + 0.05), verdict)
    evaluation = Evaluation(candidate.id, Outcome.CORRECT, Feedback("said"), taken)
    return Evaluated(number, origin.actions, origin.rationale, 1, evaluation, speedup, best, candidate, speedup)


def improved(base: str = PROGRAM) -> RunResult:
    """A result whose edit is that of candidate 1."""
    from msgspec.structs import replace

    judged = evaluated(1, base, best=True)
    assert judged.candidate is not None
    (hunk,) = judged.candidate.change.hunks
    edited = SourceText(base.encode()).render([hunk])
    report = HunkReport(hunk, COPY, ("pass-by-reference",), "No copy.", None)
    return replace(RESULT, edited=edited, hunks=(report,), winner=judged.candidate.id)


def searching(done: int, budget: int = 64) -> Progress:
    """So far."""
    return Progress("searching", done, budget, building=2, measuring=1)


class Scene:
    """Made inside the event loop."""

    def __init__(self, folder: Path, can: Abilities = CAN, text: str = PROGRAM) -> None:
        self.far = FarEnd(can)
        self.file = folder / "solve.cpp"
        self.file.write_text(text)
        self.uri = uri_of(self.file)
        self.documents = Documents()
        self.session = Session(self.far.editor, self.documents)
        self.session.folders.open([folder], {"trusted": True})
        self.version = 0
        self._runs = 0

    def having(self, *features: Feature) -> None:
        """The features that are told."""
        self.session.features = list(features)

    def open(self, text: str = PROGRAM) -> Document:
        """The editor opens the program."""
        self.version += 1
        item = types.TextDocumentItem(uri=self.uri, language_id="cpp", version=self.version, text=text)
        document = self.documents.open(item)
        self.session.tell_document(document)
        return document

    def edit(self, line: int, column: int, new: str, erased: int = 0) -> None:
        """Type at a line and column (from 0)."""
        self.version += 1
        at = types.Range(types.Position(line, column), types.Position(line, column + erased))
        change = types.TextDocumentContentChangePartial(range=at, text=new)
        document = self.documents.change(self.uri, self.version, [change])
        assert document is not None
        self.session.tell_document(document)

    def replace(self, text: str) -> None:
        """The whole text is another."""
        self.version += 1
        change = types.TextDocumentContentChangeWholeDocument(text=text)
        document = self.documents.change(self.uri, self.version, [change])
        assert document is not None
        self.session.tell_document(document)

    def close(self) -> None:
        """The editor closes it."""
        document = self.documents.close(self.uri)
        assert document is not None
        self.session.tell_document(document, closed=True)

    def begin(self, text: str = PROGRAM) -> Run:
        """A run of a text begins."""
        self._runs += 1
        base = SourceText(text.encode())
        run = self.session.runs.begin(RUN.format(self._runs), self.uri, self.file, base, Settings())
        self.session.tell_run(run)
        return run

    def tell(self, run: Run, *events: Event) -> None:
        """Things happen in it."""
        for event in events:
            run.happened(event)
            self.session.tell_run(run, event)

    def criticised(self, critique: Critique = CRITIQUE) -> Run:
        """A run that has come to its critique."""
        run = self.begin()
        self.tell(run, PREPARED, Critiqued(None, critique))
        return run

    def published(self) -> list[dict[str, Any]]:
        """Of this program, so far."""
        everything = self.far.all(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return [params for params in everything if params["uri"] == self.uri]
