"""Findings as diagnostics: few, quiet, linked to what they mean, and never about a text that is gone."""

from __future__ import annotations

from lsprotocol import types

from maxcode_lsp.messages.phrases import printable
from maxcode_lsp.server.features.pace import Pace
from maxcode_lsp.server.runs.findings import Placed, docs_page
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document

SOURCE = "maxcode"
EVERY_S = 0.25
WEIGHTY = 0.10
"""Findings about a smaller share (0..1) of the run are hints."""
LONGEST = 500
"""Characters of a message."""


class _Shown:
    """What the editor shows of one document."""

    def __init__(self, document: Document, pace: Pace) -> None:
        self.document = document
        self.pace = pace
        self.published: list[types.Diagnostic] = []


class Diagnostics(Feature):
    """Publishes the findings of each document, only when something changed and at most 4 times a second."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: dict[str, _Shown] = {}
        session.findings.listen(self._placed)

    def document_changed(self, document: Document) -> None:
        """Findings may have moved or died."""
        shown = self._shown.get(document.uri)
        if shown is not None:
            shown.document = document
            shown.pace.ask()

    def document_closed(self, document: Document) -> None:
        """Take back what was published."""
        shown = self._shown.pop(document.uri, None)
        if shown is not None:
            shown.pace.cancel()
            if shown.published:
                self._session.editor.publish(document.uri, None, [])

    def _placed(self, document: Document) -> None:
        shown = self._shown.get(document.uri)
        if shown is None:
            # The first ones wait too: an edit may follow right after.
            pace = Pace(lambda: self._ask(document.uri), EVERY_S, EVERY_S)
            shown = self._shown[document.uri] = _Shown(document, pace)
        shown.document = document
        shown.pace.ask()

    def _ask(self, uri: str) -> None:
        if uri in self._shown and not self._session.closing:
            self._session.spawn(self._publish(self._shown[uri]))

    async def _publish(self, shown: _Shown) -> None:
        wanted = await self._wanted(shown.document)
        document = shown.document
        if self._shown.get(document.uri) is not shown or self._session.closing:
            return
        found = self._session.findings.of(document) if wanted else []
        diagnostics = [self._diagnostic(document, placed) for placed in found]
        if diagnostics != shown.published:
            shown.published = diagnostics
            self._session.editor.publish(document.uri, document.version, diagnostics)

    async def _wanted(self, document: Document) -> bool:
        if document.path is None:
            return True
        return (await self._session.folders.settings(document.path)).editor.diagnostics

    def _diagnostic(self, document: Document, placed: Placed) -> types.Diagnostic:
        finding = placed.finding
        weighty = (finding.share or 0.0) >= WEIGHTY
        page = docs_page(finding.kind) if self._session.editor.can.diagnostic_links else None
        return types.Diagnostic(
            range=placed.shown(document),
            message=printable(finding.message)[:LONGEST],
            severity=types.DiagnosticSeverity.Information if weighty else types.DiagnosticSeverity.Hint,
            code=finding.kind,
            code_description=types.CodeDescription(page) if page is not None else None,
            source=SOURCE,
        )
