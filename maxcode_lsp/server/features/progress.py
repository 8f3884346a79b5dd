"""One progress per run: what it is at, how far, and the best so far. It always ends, and ends once."""

from __future__ import annotations

import asyncio

from maxcode_lsp.engine import wording
from maxcode_lsp.engine.events import Event
from maxcode_lsp.messages import phrases, titles
from maxcode_lsp.server.connection.editor import Editor
from maxcode_lsp.server.features.pace import Pace
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.session import Feature, Session

EVERY_S = 0.25
TOKEN = "maxcode-"  # noqa: S105 - of a progress, which is no secret
"""What the token of a run's progress begins with; its id follows."""


class Progress(Feature):
    """Shows each run as a ``workDoneProgress`` that can be cancelled."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: dict[str, _Shown] = {}

    def run_changed(self, run: Run, event: Event | None) -> None:
        """Begin, report or end."""
        shown = self._shown.get(run.id)
        if event is None and shown is None and run.running and self._session.editor.can.progress:
            self._session.spawn(self._show(run))
        elif shown is not None:
            shown.changed()

    async def _show(self, run: Run) -> None:
        shown = self._shown[run.id] = _Shown(self._session.editor, run)
        try:
            await shown.show()
        finally:
            if self._shown.get(run.id) is shown:
                del self._shown[run.id]


class _Shown:
    """The progress of one run."""

    def __init__(self, editor: Editor, run: Run) -> None:
        self._editor = editor
        self._run = run
        self._token = f"{TOKEN}{run.id}"
        self._ended = asyncio.Event()
        self._pace = Pace(self._report, EVERY_S)
        self._begun = False
        self._percentage = 0
        self._said = ("", -1)

    async def show(self) -> None:
        """From begin to end. Cancelled where the session ends, and then ended too."""
        title = titles.progress_title(phrases.printable(self._run.target))
        self._begun = await self._editor.begin_progress(self._token, title, self._message())
        if not self._begun:
            return
        try:
            if not self._run.running:
                return
            self.changed()
            await self._ended.wait()
        finally:
            self._pace.cancel()
            result = self._run.result
            end = wording.outcome_cell(result) if result is not None else titles.interrupted_progress()
            self._editor.end_progress(self._token, end)

    def changed(self) -> None:
        """There is something new to say."""
        if not self._run.running:
            if self._begun:
                self._pace.now()
            self._ended.set()
        elif self._begun:
            self._pace.ask()

    def _message(self) -> str:
        return wording.standing(self._run.best, self._run.board.progress)

    def _report(self) -> None:
        at = self._run.board.progress
        if at is not None and at.budget > 0:
            self._percentage = max(self._percentage, min(99, 100 * at.done // at.budget))
        said = (self._message(), self._percentage)
        if said != self._said:
            self._said = said
            self._editor.report_progress(self._token, *said)
