"""Whether results still fit their documents: looked at once for each version of a text, and never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from maxcode_lsp.server.documents import Document
from maxcode_lsp.server.edits import Change, Fitted, change_of, fit
from maxcode_lsp.server.runs import Run
from maxcode_lsp.text.source import SourceText

TRIES = 5
"""A document that is edited each time while its edit is made is given up after so many."""
KEPT = 32
"""Runs that are remembered."""
PROMISED = 8
"""Edits of one run that were handed out and are waited for in the document."""


class EditedMeanwhile(Exception):
    """The document did not hold still."""


class Fits:
    """For improved runs only."""

    def __init__(self, spawn: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]]) -> None:
        self._spawn = spawn
        self._changes: dict[str, Change | None] = {}
        self._fits: dict[str, tuple[SourceText, Fitted | None]] = {}
        self._looking: set[str] = set()
        self._promised: dict[str, dict[str, Fitted]] = {}

    def known(self, run: Run, document: Document) -> bool | None:
        """Whether the result fits the document now; None: that is being looked at. Does not wait."""
        if document.source.sha256 == run.base.sha256:
            return True
        source, fitted = self._fits.get(run.id, (None, None))
        if source is document.source:
            return fitted is not None
        if run.id not in self._looking:
            self._looking.add(run.id)
            self._spawn(self._look(run, document))
        return None

    async def fit(self, run: Run, document: Document) -> Fitted | None:
        """The result as an edit of the document as it is when this returns; None: it does not fit any more.

        Raises EditedMeanwhile.
        """
        fitted = await settled(document, lambda source: self._made(run, source))
        if fitted is not None:
            promised = self._promised.setdefault(run.id, {})
            promised[fitted.after.sha256] = fitted
            _forget_all_but(promised, PROMISED)
            _forget_all_but(self._promised, KEPT)
        return fitted

    def promised(self, run: Run, sha256: str) -> Fitted | None:
        """The edit that was handed out for this run and makes a text with this hash."""
        return self._promised.get(run.id, {}).get(sha256)

    async def _look(self, run: Run, document: Document) -> None:
        try:
            source = document.source
            self._fits[run.id] = (source, await asyncio.to_thread(self._made, run, source))
            _forget_all_but(self._fits, KEPT)
        finally:
            self._looking.discard(run.id)

    def _made(self, run: Run, source: SourceText) -> Fitted | None:
        known, fitted = self._fits.get(run.id, (None, None))
        if known is source:
            return fitted
        if run.id not in self._changes and run.result is not None:
            self._changes[run.id] = change_of(run.result, run.base)
            _forget_all_but(self._changes, KEPT)
        change = self._changes.get(run.id)
        return fit(change, source) if change is not None else None


async def settled(document: Document, make: Callable[[SourceText], Fitted | None]) -> Fitted | None:
    """What ``make`` (called in a thread) makes of the document's text as it is when this returns.

    Raises EditedMeanwhile where it is edited each time.
    """
    for _ in range(TRIES):
        source = document.source
        fitted = await asyncio.to_thread(make, source)
        if document.source is source:
            return fitted
    raise EditedMeanwhile


def _forget_all_but(remembered: dict[str, Any], count: int) -> None:
    for oldest in list(remembered)[:-count]:
        remembered.pop(oldest, None)
