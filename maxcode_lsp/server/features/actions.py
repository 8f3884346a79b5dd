"""The lightbulb: what can be done now, quick to list; an edit is made when it is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from lsprotocol import types
from msgspec import Struct
from pygls.exceptions import JsonRpcException

from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.messages import editors, phrases, titles
from maxcode_lsp.records import RunStatus
from maxcode_lsp.server import custom
from maxcode_lsp.server.features.applying import failed
from maxcode_lsp.server.features.diagnostics import SOURCE
from maxcode_lsp.server.features.explaining import hindrance
from maxcode_lsp.server.features.interrupted import Interrupted
from maxcode_lsp.server.runs.edits import workspace_edit
from maxcode_lsp.server.runs.fits import EditedMeanwhile
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import Document, Function

KIND = f"{types.CodeActionKind.RefactorRewrite.value}.maxcode"
QUICK_FIX = types.CodeActionKind.QuickFix.value
"""Of the first action, where it is asked for at a finding: that is what editors offer right beside it."""


class _Choice(Struct, frozen=True):
    """One entry. Without a command its edit is made in ``codeAction/resolve``."""

    title: str
    command: str
    arguments: Any = None
    disabled: str = ""
    data: Any = None


class _Data(Struct, frozen=True):
    """What an action carries from being listed to being resolved."""

    run: str
    version: int
    sha256: str
    """Of the text that the document had."""


class Actions(Feature):
    """Lists and resolves the code actions of a document."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._interrupted = Interrupted(session)

    async def list(self, params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        """What can be done. Where nobody asked (the cursor moved), only on lines that MaxCode has to do with."""
        document = self._session.documents.get(params.text_document.uri)
        marked = _ours(params.context)
        kind = _kind(params.context.only, marked=bool(marked))
        if document is None or kind is None:
            return []
        unasked = params.context.trigger_kind is types.CodeActionTriggerKind.Automatic
        if unasked and not self._concerns(document, params.range):
            return []
        can = self._session.editor.can
        listed: list[types.CodeAction | types.Command] = []
        first = True
        for choice in self._choices(document):
            if not first and kind == QUICK_FIX:
                kind = _kind(params.context.only, marked=False)
                if kind is None:
                    break
            if not can.action_literals:
                if choice.command and not choice.disabled:
                    listed.append(_command(choice))
            elif not choice.disabled or (can.disabled_actions and not unasked):
                listed.append(_action(choice, kind, marked))
            first = False
        # VS Code takes actions with ``disabled``, and shows none of them in the menu of the lightbulb.
        chosen = [one for one in listed if isinstance(one, types.Command) or one.disabled is None]
        if not chosen and params.context.trigger_kind is types.CodeActionTriggerKind.Invoked:
            title = titles.hindrance_title(phrases.printable(document.name))
            why = _Choice(title, custom.EXPLAIN, {"uri": document.uri})
            listed.append(_action(why, kind or KIND, marked) if can.action_literals else _command(why))
        return listed

    async def resolve(self, action: types.CodeAction) -> types.CodeAction:
        """Make the edit for the text that is there now. Raises JsonRpcException where it does not fit."""
        data = _data_of(action)
        run = self._session.runs.get(data.run) if data is not None else None
        if data is None or action.edit is not None:
            return action
        if run is None or run.result is None or run.result.edited is None:
            raise _refused(editors.unknown_run(data.run))
        document = self._session.documents.get(run.uri)
        if document is None:
            raise _refused(editors.edited_meanwhile(run.target))
        try:
            fitted = await self._session.fits.fit(run, document)
        except EditedMeanwhile:
            raise _refused(editors.edited_meanwhile(run.target)) from None
        if fitted is None:
            raise _refused(editors.stale(run.target))
        action.edit = workspace_edit(fitted, document, self._session.editor.can)
        return action

    def document_changed(self, document: Document) -> None:
        """What can go on is looked for when a document is opened, and whether a result fits after each edit."""
        self._interrupted.look(document)
        run = self._session.runs.latest(document.uri)
        if run is not None and run.status is RunStatus.IMPROVED and not document.inactive:
            self._session.fits.known(run, document)

    def document_closed(self, document: Document) -> None:
        """Forget what was looked for."""
        self._interrupted.forget(document)

    def _concerns(self, document: Document, where: types.Range) -> bool:
        """Whether the lines hold the head of ``main``, a finding, or the head of a function with one."""
        first, last = (document.line_at(document.offset(place)) for place in (where.start, where.end))

        def meets(start: int, end: int) -> bool:
            return document.line_at(start) <= last and first <= document.line_at(end)

        main = document.main()
        found = [placed.mark for placed in self._session.findings.of(document)]
        around = {document.function_at(mark.start) for mark in found}
        heads: list[Function] = [function for function in (main, *around) if function is not None]
        return any(meets(head.start, head.name_end) for head in heads) or any(
            meets(mark.start, mark.end) for mark in found
        )

    def _choices(self, document: Document) -> Iterator[_Choice]:
        name = phrases.printable(document.name)
        if document.inactive:
            yield _start(document, titles.optimize_title(name), document.inactive)
            return
        run = self._session.runs.latest(document.uri)
        if run is not None and run.running:
            yield _Choice(titles.stop_title(name, run.best), custom.STOP, {"run": run.id})
            return
        if run is not None and run.result is not None:
            yield from self._after(document, name, run, run.result)
        elif (interrupted := self._interrupted.of(document)) is not None:
            title = titles.continue_title(name, interrupted.best, interrupted.evaluations, interrupted.budget)
            yield _continue(document, title, interrupted.run)
        yield from self._starts(document, name, run)

    def _starts(self, document: Document, name: str, run: Run | None) -> Iterator[_Choice]:
        again = run is not None and run.status is not RunStatus.CANCELLED
        title = titles.optimize_title(name, again=again)
        if document.path is not None and self._session.folders.trusted(document.path) is False:
            yield _start(document, title, editors.untrusted_reason())
            yield _start(document, titles.inspect_title(name))
        else:
            hindered = hindrance(document)
            yield _start(document, title, hindered)
            # Who has no use for buttons would be asked three times in the middle of typing.
            if not hindered and self._session.folders.options.buttons and self._session.editor.can.message_actions:
                yield _Choice(titles.choose_title(name), custom.START, {"uri": document.uri, "ask": True})

    def _after(self, document: Document, name: str, run: Run, result: RunResult) -> Iterator[_Choice]:
        """What a run that has ended leaves to do."""
        if run.discarded:
            return
        if result.status is not RunStatus.IMPROVED or result.speedup is None or result.ci95 is None:
            if result.status is not RunStatus.CANCELLED:
                measured = result.status is RunStatus.NO_IMPROVEMENT
                yield _Choice(titles.explain_title(name, measured=measured), custom.EXPLAIN, {"run": run.id})
            elif run.board.rows:
                done = len(run.board.rows)
                best = run.board.best.speedup if run.board.best is not None else None
                yield _continue(document, titles.continue_title(name, best, done, run.settings.candidates), run.id)
            return
        compare = _Choice(titles.compare_title(name), custom.COMPARE, {"run": run.id})
        applied = run.applied
        if applied is not None and (failed(applied) or applied.sha256 == document.source.sha256):
            yield compare
            return
        title = titles.apply_title(name, phrases.times(result.speedup), phrases.interval(result.ci95))
        if self._session.fits.known(run, document) is False:
            if applied is None:
                yield _Choice(title, custom.APPLY, {"run": run.id}, disabled=editors.changed_since())
                yield compare
            return
        if self._session.editor.can.resolve_edit:
            data = _Data(run.id, document.version, document.source.sha256)
            yield _Choice(title, "", data=msgspec.to_builtins(data))
        else:
            yield _Choice(title, custom.APPLY, {"run": run.id})
        yield compare


def _start(document: Document, title: str, disabled: str = "") -> _Choice:
    return _Choice(title, custom.START, {"uri": document.uri}, disabled)


def _continue(document: Document, title: str, run: str) -> _Choice:
    return _Choice(title, custom.START, {"uri": document.uri, "resume": run})


def _kind(only: Any, *, marked: bool) -> str | None:
    """Which kind of ours a client wants; None: none. ``marked``: it asks at a finding."""
    wanted = None if only is None else [_value(kind) for kind in only]
    if marked and (wanted is None or QUICK_FIX in wanted or "" in wanted):
        return QUICK_FIX
    if wanted is None or any(kind in {"", KIND} or KIND.startswith(f"{kind}.") for kind in wanted):
        return KIND
    return None


def _ours(context: types.CodeActionContext) -> list[types.Diagnostic]:
    """The findings that the action is asked for at."""
    return [one for one in context.diagnostics if one.source == SOURCE and one.code is not None]


def _value(kind: Any) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else str(kind)


def _command(choice: _Choice) -> types.Command:
    return types.Command(title=choice.title, command=choice.command, arguments=[choice.arguments])


def _action(choice: _Choice, kind: str, marked: list[types.Diagnostic]) -> types.CodeAction:
    return types.CodeAction(
        title=choice.title,
        kind=kind,
        diagnostics=marked if kind == QUICK_FIX else None,
        disabled=types.CodeActionDisabled(choice.disabled) if choice.disabled else None,
        command=_command(choice) if choice.command and not choice.disabled else None,
        data=choice.data,
    )


def _data_of(action: types.CodeAction) -> _Data | None:
    """None: the action has nothing to resolve, or is not one of ours."""
    try:
        return msgspec.convert(action.data, _Data)
    except msgspec.ValidationError:
        return None


def _refused(sentence: str) -> JsonRpcException:
    return JsonRpcException(sentence, code=types.LSPErrorCodes.ContentModified)
