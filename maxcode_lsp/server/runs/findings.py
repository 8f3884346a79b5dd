"""The findings about each open document, at the places where their text is now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lsprotocol import types

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.engine.events import Critiqued, Event
from maxcode_lsp.records import Finding, Span
from maxcode_lsp.server.runs.runs import Run, Runs
from maxcode_lsp.server.workspace.documents import Document, Documents, Function, Mark
from maxcode_lsp.server.workspace.uris import uri_of
from maxcode_lsp.text.rebase import moved
from maxcode_lsp.text.source import SourceText

MOST = 12
"""Findings of one document; those with the largest share are kept."""
LONG = 4
"""A finding of more lines is shown on its first one: a page of squiggles would say no more."""
_PACKAGE = Path(__file__).parents[2]
PAGES = (_PACKAGE / "pages" / "findings", _PACKAGE.parent / "docs" / "findings")
"""Where the pages about kinds are: in what was installed, or in a checkout."""


@cache
def docs_page(kind: str) -> str | None:
    """The address of what a kind of finding means: on this machine, of this version. None: it has no page here."""
    known = any(kind == one.value for one in Kind)
    return next((uri_of(page) for folder in PAGES if known and (page := folder / f"{kind}.md").is_file()), None)


class Placed:
    """A finding that is in a document, as long as its text is."""

    def __init__(self, finding: Finding, mark: Mark) -> None:
        self.finding = finding
        self.mark = mark

    def shown(self, document: Document) -> types.Range:
        """Where to show it: its lines without indentation, or the first of many."""
        first, last = document.line_at(self.mark.start), document.line_at(self.mark.end)
        return document.lines(first, first if last - first >= LONG else last)


class _Sheet:
    """What is known of one open document."""

    def __init__(self, document: Document, run: Run) -> None:
        self.document = document
        self.run = run
        self.withdrawn = run.applied is not None
        """The text is another program now than the one that was measured."""
        self.placed: list[Placed] = []

    def clear(self) -> None:
        for placed in self.placed:
            self.document.unmark(placed.mark)
        self.placed = []


class Findings:
    """Takes the critique of the original from the newest run of each document that has one.

    Where the text is no longer that of the run, only what stands in unchanged lines is placed, and nothing once the
    result of the run was applied.
    """

    def __init__(
        self, documents: Documents, runs: Runs, spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[Any]]
    ) -> None:
        self._documents = documents
        self._runs = runs
        self._spawn = spawn
        self._sheets: dict[str, _Sheet] = {}
        self._coming: dict[str, _Sheet] = {}
        self._listeners: list[Callable[[Document], None]] = []

    def listen(self, told: Callable[[Document], None]) -> None:
        """``told`` is called when findings of a document were placed."""
        self._listeners.append(told)

    def of(self, document: Document) -> list[Placed]:
        """The findings whose text is still there, most costly first."""
        sheet = self._sheets.get(document.uri)
        if sheet is None or sheet.document is not document:
            return []
        return [placed for placed in sheet.placed if placed.mark.alive]

    def within(self, document: Document, function: Function) -> list[Placed]:
        """Those of one function."""
        return [p for p in self.of(document) if document.function_at(p.mark.start) == function]

    def share(self, document: Document, function: Function) -> float | None:
        """The function's share of the run (0..1), where a profile said so."""
        placed = (p.finding for p in self.within(document, function) if p.finding.kind == Kind.HOT_FUNCTION)
        return next((finding.share for finding in placed), None)

    def run_changed(self, run: Run, event: Event | None) -> None:
        """A critique of the newest run replaces what was there; what an older run says is dropped."""
        if isinstance(event, Critiqued) and event.candidate is None and run is self._runs.latest(run.uri):
            document = self._documents.get(run.uri)
            if document is not None:
                self._place(document, run, event.critique.findings)
        elif event is None and (document := self._documents.get(run.uri)) is not None:
            sheet = self._coming.get(run.uri) or self._sheets.get(run.uri)
            if sheet is not None and sheet.run is run and sheet.withdrawn != (run.applied is not None):
                critique = run.board.critique
                self._place(document, run, critique.findings if critique is not None else ())

    def document_changed(self, document: Document) -> None:
        """An edit is followed by the marks; a document that was opened gets what is known of it."""
        known = (self._sheets.get(document.uri), self._coming.get(document.uri))
        if any(sheet is not None and sheet.document is document for sheet in known):
            return
        for run in reversed(self._runs.of(document.uri)):
            if run.board.critique is not None:
                self._place(document, run, run.board.critique.findings)
                return

    def document_closed(self, document: Document) -> None:
        """Forget its places."""
        self._coming.pop(document.uri, None)
        sheet = self._sheets.pop(document.uri, None)
        if sheet is not None:
            sheet.clear()

    def _place(self, document: Document, run: Run, findings: Sequence[Finding]) -> None:
        sheet = self._coming[document.uri] = _Sheet(document, run)
        if document.inactive or sheet.withdrawn:
            findings = ()
        known = [(finding, at) for finding in findings if (at := _stretch(run.base, finding.span)) is not None]
        if not known or document.source.data == run.base.data:
            self._put(sheet, known)
        else:
            self._spawn(self._find(sheet, known))

    async def _find(self, sheet: _Sheet, known: Sequence[tuple[Finding, tuple[int, int]]]) -> None:
        """Place findings in a text that was edited since, and may be while they are looked for."""
        old, stretches = sheet.run.base.data, [at for _, at in known]
        while True:
            source = sheet.document.source
            found = await asyncio.to_thread(moved, stretches, old, source.data)
            if self._coming.get(sheet.document.uri) is not sheet:
                return
            if sheet.document.source is source:
                self._put(sheet, [(finding, at) for (finding, _), at in zip(known, found, strict=True) if at])
                return

    def _put(self, sheet: _Sheet, found: Sequence[tuple[Finding, tuple[int, int]]]) -> None:
        document = sheet.document
        before = self._sheets.get(document.uri)
        if before is not None:
            before.clear()
        del self._coming[document.uri]
        self._sheets[document.uri] = sheet
        seen: set[tuple[str, Function | None]] = set()
        # Those of one share, in whole per cent, stay in the order of the critique.
        for finding, (start, end) in sorted(found, key=lambda item: -round(item[0].share or 0.0, 2)):
            key = (finding.kind, document.function_at(start))
            if key not in seen and len(sheet.placed) < MOST:
                seen.add(key)
                sheet.placed.append(Placed(finding, document.mark(start, end)))
        for told in self._listeners:
            told(document)


def _stretch(base: SourceText, span: Span) -> tuple[int, int] | None:
    """The lines of a span without the first's indentation and the last's end; None: there is nothing there."""
    if not 1 <= span.first <= span.last <= len(base.lines):
        return None
    first, last = base.lines[span.first - 1], base.lines[span.last - 1]
    start = base.line_start(span.first) + len(first) - len(first.lstrip())
    end = base.line_start(span.last) + len(last.rstrip())
    return (start, end) if start < end else None
