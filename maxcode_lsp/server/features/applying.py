"""Putting a result into the document, and checking it there once more."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol.types import MessageType, TextDocumentItem

from maxcode_lsp.engine.events import Judgement
from maxcode_lsp.engine.wire import Verify
from maxcode_lsp.errors import EngineLost, MaxcodeError
from maxcode_lsp.messages import editors, phrases, titles
from maxcode_lsp.records import Outcome, RunStatus, Verdict
from maxcode_lsp.server.custom import ApplyResult
from maxcode_lsp.server.runs.edits import Fitted, difference, fit, workspace_edit
from maxcode_lsp.server.runs.fits import EditedMeanwhile, settled
from maxcode_lsp.server.runs.runs import Applied, Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document, Documents
from maxcode_lsp.text.source import BOM

CHECK_S = 900.0
"""For the check after applying, in which two builds and a full confirmation have room."""
AGAIN, UNDO, KEEP = "Run again", "Undo the edit", "Keep"


class Applying(Feature):
    """However an edit came into the document: once its text is there, the result counts as applied."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._judged: dict[tuple[str, str], Applied] = {}

    async def apply(self, run_id: str) -> ApplyResult:
        """Make the edit through ``workspace/applyEdit``. Says why where that is not possible."""
        run = self._session.runs.get(run_id)
        if run is None:
            return self._not(editors.unknown_run(run_id))
        if run.result is None or run.result.edited is None:
            return self._not(editors.nothing_to_apply(run.target))
        document = self._session.documents.get(run.uri)
        target = document or await asyncio.to_thread(_on_disk, run.uri, run.file, self._session.documents)
        if target is None:
            return self._not(editors.nothing_to_apply(run.target))
        if run.applied is not None and run.applied.sha256 == target.source.sha256:
            return self._not(editors.already_applied(run.target))
        try:
            fitted = await self._session.fits.fit(run, target)
        except EditedMeanwhile:
            return self._not(editors.edited_meanwhile(run.target))
        if fitted is None:
            if not self._session.folders.options.buttons:
                return self._not(editors.stale(run.target))
            self._session.spawn(self._offer_again(run))
            return ApplyResult(applied=False, reason=editors.stale(run.target))
        edit = workspace_edit(fitted, target, self._session.editor.can, is_open=document is not None)
        trouble = await self._session.editor.apply(edit, titles.apply_label(run.target))
        if trouble is not None:
            return self._not(trouble)
        run.seen = True
        if self._session.documents.get(run.uri) is None:  # an editor that keeps it closed tells no more of it
            self._arrived(run, fitted)
        return ApplyResult(applied=True)

    async def _offer_again(self, run: Run) -> None:
        """Say that a result no longer fits, and begin anew if that is wanted."""
        from maxcode_lsp.server.custom import StartArguments
        from maxcode_lsp.server.features.starting import Starting

        if await self._session.editor.ask(editors.stale_question(run.target), [AGAIN], MessageType.Warning) == AGAIN:
            await self._session.feature(Starting).start(StartArguments(run.uri))

    def document_changed(self, document: Document) -> None:
        """The text of an edit that was handed out is there now, or is gone again."""
        for run in reversed(self._session.runs.of(document.uri)):
            if run.status is not RunStatus.IMPROVED or document.inactive:
                continue
            sha256 = document.source.sha256
            fitted = self._session.fits.promised(run, sha256)
            if fitted is not None:
                self._arrived(run, fitted)
                return
            if run.applied is not None and not failed(run.applied) and sha256 == run.base.sha256:
                run.applied = None
                self._session.tell_run(run)
                return

    def _not(self, reason: str) -> ApplyResult:
        self._session.editor.say(reason, MessageType.Warning)
        return ApplyResult(applied=False, reason=reason)

    def _arrived(self, run: Run, fitted: Fitted) -> None:
        sha256 = fitted.after.sha256
        if run.applied is not None and run.applied.sha256 == sha256:
            return
        run.applied = self._judged.get((run.id, sha256), Applied(sha256))
        run.seen = True
        self._session.tell_run(run)
        if (run.id, sha256) not in self._judged:
            self._judged[run.id, sha256] = run.applied
            self._session.spawn(self._check(run, fitted))

    async def _check(self, run: Run, fitted: Fitted) -> None:
        request = Verify(0, str(run.file), fitted.before.raw, fitted.after.raw, run.settings)
        sha256 = fitted.after.sha256
        try:
            async with asyncio.timeout(CHECK_S):
                checked = Applied(sha256, await self._judgement(request))
        except TimeoutError:
            checked = Applied(sha256, trouble=editors.background_limit(CHECK_S))
        except MaxcodeError as trouble:
            checked = Applied(sha256, trouble=str(trouble))
        self._judged[run.id, sha256] = checked
        if run.applied is not None and run.applied.sha256 == sha256:
            run.applied = checked
            self._session.tell_run(run)
        await self._tell(run, fitted, checked)

    async def _judgement(self, request: Verify) -> Judgement:
        try:
            return await self._session.engine.verify(request)
        except EngineLost:  # perhaps another run took it down: a new one is asked once
            return await self._session.engine.verify(request)

    async def _tell(self, run: Run, fitted: Fitted, checked: Applied) -> None:
        """A failure at once, with a way back; success in a few words."""
        editor = self._session.editor
        if checked.judgement is None:
            editor.say(editors.applied_unchecked(run.target, checked.trouble), MessageType.Warning)
        elif failed(checked):
            wrong = checked.judgement.outcome is not Outcome.CORRECT
            sentence = editors.applied_is_wrong if wrong else editors.applied_is_slow
            kind = MessageType.Error if wrong else MessageType.Warning
            if await editor.ask(sentence(run.target, checked.judgement.reason), [UNDO, KEEP], kind) == UNDO:
                await self._undo(run, fitted)
        elif checked.judgement.speedup is not None and run.applied is checked:
            editor.say(editors.applied_confirmed(run.target, phrases.times(checked.judgement.speedup)))

    async def _undo(self, run: Run, fitted: Fitted) -> None:
        document = self._session.documents.get(run.uri)
        target = document or await asyncio.to_thread(_on_disk, run.uri, run.file, self._session.documents)
        inverse = None
        if target is not None:
            back = difference(fitted.after, fitted.before, titles.undo_label(run.target))
            try:
                inverse = await settled(target, lambda source: fit(back, source))
            except EditedMeanwhile:
                inverse = None
        if target is None or inverse is None:
            self._session.editor.say(editors.undo_stale(run.target), MessageType.Warning)
            return
        edit = workspace_edit(inverse, target, self._session.editor.can, is_open=document is not None)
        trouble = await self._session.editor.apply(edit, titles.undo_label(run.target))
        if trouble is not None:
            self._session.editor.say(trouble, MessageType.Warning)


def failed(applied: Applied) -> bool:
    """The check after applying says that the change is wrong, or not faster here."""
    return applied.judgement is not None and not _holds(applied.judgement)


def _holds(judgement: Judgement) -> bool:
    return judgement.outcome is Outcome.CORRECT and judgement.verdict is Verdict.FASTER


def _on_disk(uri: str, file: Path, documents: Documents) -> Document | None:
    """A document that is not open, as an editor will have it when it opens the file; None: it cannot be read."""
    from maxcode_lsp.target.program import read_program

    try:
        text = read_program(file).raw.removeprefix(BOM).decode()
    except (MaxcodeError, UnicodeDecodeError):
        return None
    return Documents(documents.encoding).open(TextDocumentItem(uri, "cpp", 0, text))
