"""A result of an earlier session is there again when its file is opened, as long as the file is as it was."""

from __future__ import annotations

from pathlib import Path

from maxcode_lsp.engine.events import Critiqued
from maxcode_lsp.engine.journal.reader import Recorded
from maxcode_lsp.errors import JournalError
from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.runs import journals
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document
from maxcode_lsp.text.source import SourceText


class Earlier(Feature):
    """An editor that was killed right after a run has lost nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._looked: set[str] = set()

    def document_changed(self, document: Document) -> None:
        """Look for its newest run in the background, once. What nobody trusts is not looked at."""
        path = document.path
        if document.uri in self._looked or path is None or document.inactive:
            return
        self._looked.add(document.uri)
        if self._session.folders.trusted(path):
            self._session.spawn(self._look(document.uri, path))

    def document_closed(self, document: Document) -> None:
        """When it is opened again, things may be different."""
        self._looked.discard(document.uri)

    async def _look(self, uri: str, file: Path) -> None:
        newest = await journals.newest_of(file)
        if newest is None or newest.status != RunStatus.IMPROVED.value:
            return
        try:
            recorded = await journals.recorded(newest.run)
        except JournalError:
            return
        document = self._session.documents.get(uri)
        if recorded is None or recorded.discarded or document is None or self._session.runs.latest(uri) is not None:
            return
        source = SourceText(recorded.opened.source)
        if document.source.data == source.data:
            self._take_over(recorded, uri, file, source)

    def _take_over(self, recorded: Recorded, uri: str, file: Path, source: SourceText) -> None:
        run = self._session.runs.begin(recorded.opened.run, uri, file, source, recorded.opened.settings)
        run.seen = True
        journals.retell(run, recorded)
        for line in recorded.lines:
            if isinstance(line.record, Critiqued):
                self._session.tell_run(run, line.record)
        self._session.tell_run(run)
