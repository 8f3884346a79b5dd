"""Whether results still fit their documents: looked at when a text stands still, and never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from maxcode_lsp.server.runs.edits import Change, Fitted, change_of, fit
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.workspace.documents import Document
from maxcode_lsp.text.source import SourceText

QUIET_S = 0.25
"""A text that was not edited for so long stands still."""
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
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._promised: dict[str, dict[str, Fitted]] = {}

    def known(self, run: Run, document: Document) -> bool | None:
        """Whether the result fits the document, or did when that last stood still; None: it was not looked yet.

        Does not wait: what is edited is looked at when it stands still.
        """
        if document.source.data == run.base.data:
            self._fits.pop(run.id, None)
            return True
        source, fitted = self._fits.get(run.id, (None, None))
        if source is not document.source:
            self._look(run, document)
        return fitted is not None if source is not None else None

    async def soon(self, run: Run, document: Document, limit_s: float) -> bool | None:
        """As ``known``, once the document stands still; it is waited for that until ``limit_s``."""
        self.known(run, document)
        looking = self._looking.get(run.id)
        if looking is not None:
            await asyncio.wait([looking], timeout=limit_s)
        return self.known(run, document)

    async def fit(self, run: Run, document: Document) -> Fitted | None:
        """The result as an edit of the document as it is when this returns; None: it does not fit any more.

        Raises EditedMeanwhile.
        """
        fitted = await settled(document, lambda source: self._made(run, source))
        self._fits[run.id] = (document.source, fitted)
        _forget_all_but(self._fits, KEPT)
        if fitted is not None:
            promised = self._promised.setdefault(run.id, {})
            promised[fitted.after.sha256] = fitted
            _forget_all_but(promised, PROMISED)
            _forget_all_but(self._promised, KEPT)
        return fitted

    def promised(self, run: Run, sha256: str) -> Fitted | None:
        """The edit that was handed out for this run and makes a text with this hash."""
        return self._promised.get(run.id, {}).get(sha256)

    def _look(self, run: Run, document: Document) -> None:
        if run.id not in self._looking:
            task = self._looking[run.id] = self._spawn(self._look_when_still(run, document))
            task.add_done_callback(lambda _: self._looking.pop(run.id, None))

    async def _look_when_still(self, run: Run, document: Document) -> None:
        source: SourceText | None = None
        while source is not document.source:
            source = document.source
            await asyncio.sleep(QUIET_S)
            if source is document.source:
                self._fits[run.id] = (source, await asyncio.to_thread(self._made, run, source))
                _forget_all_but(self._fits, KEPT)

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
