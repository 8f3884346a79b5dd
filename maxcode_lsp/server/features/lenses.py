"""One line above ``main``: how its optimisation stands, and what can be done about it."""

from __future__ import annotations

from lsprotocol import types

from maxcode_lsp.engine import wording
from maxcode_lsp.engine.events import Decided, Event, Observed
from maxcode_lsp.messages import phrases, titles
from maxcode_lsp.records import RunStatus, Verdict
from maxcode_lsp.server import custom
from maxcode_lsp.server.features.interrupted import Interrupted
from maxcode_lsp.server.features.pace import Pace
from maxcode_lsp.server.runs.runs import Applied, Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document, Function

EVERY_S = 1.0
STILL_S = 2.0
"""So long it is waited for a text that is being edited to stand still."""
STEPS = 8
"""The count of a search is brought up to date so many times."""


class Lenses(Feature):
    """Says how the newest run of a program stands. The editor is asked to look again when that changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._pace = Pace(self._refresh, EVERY_S)
        self._stands: dict[str, tuple[object, ...]] = {}
        self._interrupted = Interrupted(session, self._pace.ask)
        session.findings.listen(lambda _: self._pace.ask())

    async def lenses(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        """Those of a document; none where there is nothing to optimise, or code may not be run."""
        session = self._session
        document = session.documents.get(params.text_document.uri)
        if document is None or document.inactive or document.path is None:
            return []
        if session.folders.trusted(document.path) is False:
            return []
        if not (await session.folders.settings(document.path)).editor.lens:
            return []
        main = document.main()
        if main is None or session.documents.get(document.uri) is not document:
            return []
        place = document.range(main.start, main.name_end)
        return [types.CodeLens(place, command) for command in await self._commands(document, main)]

    def run_changed(self, run: Run, event: Event | None) -> None:
        """Ask the editor to look again, where that would show something new."""
        if isinstance(event, Observed | Decided):
            return
        at = run.board.progress
        counted = at.done * STEPS // at.budget if at is not None and at.budget > 0 else 0
        best = None if run.best is None else round(run.best, 1)
        stand = (run.id, run.status, wording.phase(at), best, counted, run.applied, run.discarded)
        if self._stands.get(run.uri) != stand:
            self._stands[run.uri] = stand
            self._pace.ask()

    def document_changed(self, document: Document) -> None:
        """See whether an earlier run of it was interrupted. After an edit editors ask again by themselves."""
        self._interrupted.look(document)

    def document_closed(self, document: Document) -> None:
        """Forget what was interrupted."""
        self._interrupted.forget(document)

    def _refresh(self) -> None:
        if not self._session.closing:
            self._session.editor.refresh_lenses()

    async def _commands(self, document: Document, main: Function) -> list[types.Command]:
        run = self._session.runs.latest(document.uri)
        here = {"uri": document.uri}
        again = _command(titles.again_lens(), custom.START, here)
        idle = _command(titles.optimize_lens(self._session.findings.share(document, main)), custom.START, here)
        if run is None:
            past = self._interrupted.of(document)
            if past is None:
                return [idle]
            return [_command(titles.interrupted_lens(past.best), custom.START, {**here, "resume": past.run}), again]
        which = {"run": run.id}
        if run.running:
            return [_command(_running(run), custom.STOP, which)]
        if run.applied is not None and run.applied.sha256 == document.source.sha256:
            return [_applied(run.applied, which)]
        result = run.result
        assert result is not None
        if result.status is RunStatus.CANCELLED or run.discarded:
            return [idle]
        if result.status is not RunStatus.IMPROVED or result.speedup is None:
            return [_command(titles.ended_lens(wording.outcome_cell(result)), custom.EXPLAIN, which), again]
        speedup = phrases.times(result.speedup)
        compare = _command(titles.compare_lens(), custom.COMPARE, which)
        # Where it is not known in time whether it fits, it may: applying it looks again.
        if await self._session.fits.soon(run, document, STILL_S) is not False:
            return [_command(titles.ready_lens(speedup), custom.APPLY, which), compare]
        if run.applied is not None:
            return [idle]
        return [_command(titles.outdated_lens(speedup), custom.START, here), compare]


def _command(title: str, command: str = "", argument: dict[str, str] | None = None) -> types.Command:
    """Without a command it is only said."""
    return types.Command(title=title, command=command, arguments=[argument] if argument is not None else [])


def _running(run: Run) -> str:
    at = run.board.progress
    counted = f"{at.done} of {at.budget}" if at is not None and at.phase == "searching" else ""
    return titles.running_lens(wording.phase(at), run.best, counted)


def _applied(applied: Applied, which: dict[str, str]) -> types.Command:
    judged = applied.judgement
    if judged is not None and judged.verdict is Verdict.FASTER and judged.speedup is not None:
        return _command(titles.confirmed_lens(phrases.times(judged.speedup)))
    if judged is not None:
        return _command(titles.unconfirmed_lens(), custom.EXPLAIN, which)
    if applied.trouble:
        return _command(titles.unchecked_lens(), custom.EXPLAIN, which)
    return _command(titles.checking_lens())
