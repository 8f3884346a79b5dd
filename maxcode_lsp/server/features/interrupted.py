"""Runs that were interrupted and can go on, as the journals tell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from maxcode_lsp.engine.journal.listing import INTERRUPTED
from maxcode_lsp.engine.journal.records import Summary
from maxcode_lsp.server.runs import journals
from maxcode_lsp.server.session import Session
from maxcode_lsp.server.workspace.documents import Document


class Interrupted:
    """What can go on for each open document; looked for once, when it is opened."""

    def __init__(self, session: Session, on_found: Callable[[], None] = lambda: None) -> None:
        """``on_found`` is called when one was found."""
        self._session = session
        self._on_found = on_found
        self._found: dict[str, Summary | None] = {}

    def of(self, document: Document) -> Summary | None:
        """The interrupted run of a document of which nothing newer is known. Does not wait."""
        if self._session.runs.latest(document.uri) is not None:
            return None
        return self._found.get(document.uri)

    def look(self, document: Document) -> None:
        """A document is there: look for its runs in the background, once."""
        if document.uri not in self._found and document.path is not None and not document.inactive:
            self._found[document.uri] = None
            self._session.spawn(self._look(document.uri, document.path))

    def forget(self, document: Document) -> None:
        """A document was closed; when it is opened again, things may be different."""
        self._found.pop(document.uri, None)

    async def _look(self, uri: str, file: Path) -> None:
        newest = await journals.newest_of(file)
        if uri in self._found and newest is not None and newest.status == INTERRUPTED and not newest.live:
            self._found[uri] = newest
            self._on_found()
