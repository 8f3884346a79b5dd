"""Starting and stopping runs, and telling the user how they end."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol.types import MessageType
from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.engine.board import ended_early
from maxcode_lsp.engine.events import Critiqued, Event, RunResult
from maxcode_lsp.engine.journal.places import new_id
from maxcode_lsp.engine.wire import Inspect, Start
from maxcode_lsp.errors import MaxcodeError, Refused
from maxcode_lsp.messages import editors, endings, phrases
from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.custom import CompareArguments, StartArguments, StartResult
from maxcode_lsp.server.features.applying import Applying
from maxcode_lsp.server.features.comparing import Comparing
from maxcode_lsp.server.features.picking import for_this_run, pick, users_own
from maxcode_lsp.server.features.progress import TOKEN
from maxcode_lsp.server.runs import journals
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.session import Feature, Session
from maxcode_lsp.server.workspace.documents import CUDA_SUFFIXES
from maxcode_lsp.server.workspace.uris import normalised, path_of
from maxcode_lsp.settings.layers import lay
from maxcode_lsp.settings.schema import Settings
from maxcode_lsp.text.source import SourceText

APPLY, COMPARE = "Apply", "Compare"
LONG = 100
"""Characters of a reason that a message line cannot show at once."""
_LOUDNESS = {RunStatus.REFUSED: MessageType.Warning, RunStatus.FAILED: MessageType.Error}


class _Plan(Struct, frozen=True):
    """What a run will be about."""

    run: str
    base: SourceText
    settings: Settings
    resume: bool


class Starting(Feature):
    """One run of a document at a time: a newer one replaces the older."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._beginning: dict[str, asyncio.Task[None]] = {}

    async def start(self, arguments: StartArguments) -> StartResult:
        """Begin a run. Waits for nothing but the user, who may be asked for trust; the run is in the background.

        In a folder that is not trusted nothing is run or built: the run then ends with what reading alone finds.
        """
        try:
            uri = normalised(arguments.uri)
            file = self._file(uri)
            if own := tuple(dict.fromkeys(users_own(arguments.settings))):
                raise Refused(editors.start_users_own(own))
            trusted = self._session.folders.trusted(file)
            if trusted is None:
                trusted = await self._session.folders.ask_trust(file)
            asks = arguments.ask and trusted and arguments.resume is None
            chosen = await self._chosen(file, arguments) if asks else arguments
            if chosen is None:
                return StartResult(None, editors.nothing_chosen())
            plan = await self._plan(uri, file, chosen)
        except MaxcodeError as trouble:
            self._session.editor.say(str(trouble), MessageType.Warning)
            return StartResult(None, str(trouble))
        going = self._session.runs.get(plan.run)
        if self._session.closing or (going is not None and going.running):
            return StartResult(plan.run if going is not None else None)
        for older in self._session.runs.of(uri):
            self._stop(older)
        run = self._session.runs.begin(plan.run, uri, file, plan.base, plan.settings)
        self._session.tell_run(run)
        work = self._begin(run, resume=plan.resume) if trusted else self._inspect(run)
        self._beginning[run.id] = self._session.spawn(work)
        return StartResult(run.id)

    async def stop(self, run_id: str) -> None:
        """End a run; one that has ended, or is not known, stays as it is."""
        run = self._session.runs.get(run_id)
        if run is not None:
            self._stop(run)

    def cancelled(self, token: str) -> None:
        """The user cancelled a progress."""
        if token.startswith(TOKEN) and (run := self._session.runs.get(token.removeprefix(TOKEN))) is not None:
            self._stop(run)

    def renamed(self, old_uri: str, new_uri: str) -> None:
        """A file or folder has another name; its runs go with it."""
        old, new = normalised(old_uri), normalised(new_uri)
        for run in self._session.runs:
            if (rest := _below(run.uri, old)) is not None:
                run.uri = new + rest
                run.file = path_of(run.uri) or run.file
                self._session.tell_run(run)

    def deleted(self, uri: str) -> None:
        """A file or folder is gone, and what was run of it ends."""
        for run in self._session.runs:
            if _below(run.uri, normalised(uri)) is not None:
                self._stop(run)

    def run_changed(self, run: Run, event: Event | None) -> None:
        """The end of a run is told."""
        if isinstance(event, RunResult):
            self._session.spawn(self._tell_end(run, event))

    async def _chosen(self, file: Path, arguments: StartArguments) -> StartArguments | None:
        """With what the user picks for this run; None: he does not want one. Raises Refused."""
        below = await self._session.folders.settings(file)
        folder = self._session.folders.folder_of(file)
        # What is wrong in it is told when the run is planned.
        settings, _ = lay(below, for_this_run(below, arguments.settings), folder)
        picked = await pick(self._session.editor, settings, phrases.printable(file.name))
        return None if picked is None else replace(arguments, settings={**arguments.settings, **picked})

    def _file(self, uri: str) -> Path:
        """The file of a document that can be optimised. Raises Refused."""
        document = self._session.documents.get(uri)
        if document is not None and document.inactive:
            raise Refused(document.inactive)
        file = document.path if document is not None else path_of(uri)
        if file is None:
            raise Refused(editors.not_a_file())
        if file.suffix in CUDA_SUFFIXES:
            raise Refused(editors.cuda_is_coming())
        return file

    async def _plan(self, uri: str, file: Path, arguments: StartArguments) -> _Plan:
        """Raises Refused."""
        if arguments.resume is not None:
            found = await journals.recorded(arguments.resume)
            if found is None:
                raise Refused(editors.unknown_run(arguments.resume))
            opened = found.opened
            if Path(opened.file) != file:
                raise Refused(editors.run_of_other_file(file.name))
            settings = self._over(opened.settings, arguments, file)
            return _Plan(arguments.resume, SourceText(opened.source), settings, resume=True)
        settings = self._over(await self._session.folders.settings(file), arguments, file)
        return _Plan(new_id(), await self._text(uri, file), settings, resume=False)

    def _over(self, settings: Settings, arguments: StartArguments, file: Path) -> Settings:
        given = for_this_run(settings, arguments.settings)
        settings, problems = lay(settings, given, self._session.folders.folder_of(file))
        if problems:
            self._session.editor.say(" ".join(problem.message for problem in problems), MessageType.Warning)
        return settings

    async def _text(self, uri: str, file: Path) -> SourceText:
        """What the editor has, else what is on disk. Raises Refused where it is no program."""
        from maxcode_lsp.target.program import find_program, read_program

        document = self._session.documents.get(uri)
        if document is not None:
            source = document.source
            if document.main() is None:  # or it is hidden from the parse, by a macro
                await asyncio.to_thread(find_program, source, file)
            return source
        source = await asyncio.to_thread(read_program, file)
        await asyncio.to_thread(find_program, source, file)
        return source

    async def _begin(self, run: Run, *, resume: bool) -> None:
        request = Start(run.id, str(run.file), run.base.raw, run.settings, resume=resume)
        try:
            if run.running:
                await self._session.engine.start(request)
        except MaxcodeError as trouble:
            self._end(run, RunStatus.FAILED, str(trouble))
        finally:
            del self._beginning[run.id]

    async def _inspect(self, run: Run) -> None:
        try:
            critique = await self._session.engine.inspect(Inspect(0, str(run.file), run.base.raw))
        except MaxcodeError as trouble:
            self._end(run, RunStatus.FAILED, str(trouble))
        else:
            self._happened(run, Critiqued(None, critique))
            self._end(run, RunStatus.REFUSED, editors.untrusted(len(critique.findings)))
        finally:
            del self._beginning[run.id]

    def _stop(self, run: Run) -> None:
        if run.running and run.id in self._beginning:  # the engine may not know of it yet
            self._end(run, RunStatus.CANCELLED, endings.run_stopped(run.target, None))
            self._session.engine.cancel(run.id)
        elif run.running:
            self._session.engine.cancel(run.id)

    def _end(self, run: Run, status: RunStatus, reason: str) -> None:
        """The end of a run of which the engine says nothing."""
        self._happened(run, ended_early(run.board, status, reason, 0.0))

    def _happened(self, run: Run, event: Event) -> None:
        if run.running:
            run.happened(event)
            self._session.tell_run(run, event)

    async def _tell_end(self, run: Run, result: RunResult) -> None:
        """One message, unless the user ended it, has seen it, or began another one."""
        silent = result.status is RunStatus.CANCELLED or run.seen or run is not self._session.runs.latest(run.uri)
        if self._session.closing or silent:
            return
        run.seen = True
        editor = self._session.editor
        if result.status is not RunStatus.IMPROVED or not self._session.folders.options.buttons:
            buttons = self._session.folders.options.buttons
            said = " ".join((result.reason, *result.unasked)) if buttons else _in_short(result)
            editor.say(said, _LOUDNESS.get(result.status, MessageType.Info))
            return
        choices = [APPLY, COMPARE] if editor.can.apply_edit else [COMPARE]
        chosen = await editor.ask(result.reason, choices)
        if chosen == APPLY:
            await self._session.feature(Applying).apply(run.id)
        elif chosen == COMPARE:
            try:
                await self._session.feature(Comparing).compare(CompareArguments(run.id))
            except MaxcodeError as trouble:
                editor.say(str(trouble), MessageType.Warning)


def _in_short(result: RunResult) -> str:
    """The end for a message line: what is not said there is in the hover, and in what *Why* shows."""
    name = phrases.printable(result.target)
    if result.status is RunStatus.IMPROVED and result.speedup is not None:
        return editors.proven(name, phrases.times(result.speedup))
    if result.status is RunStatus.NO_IMPROVEMENT and len(result.reason) > LONG:
        return editors.no_difference(name)
    return result.reason


def _below(uri: str, folder: str) -> str | None:
    """What follows ``folder`` in ``uri``; None: it is neither that nor in it."""
    rest = uri.removeprefix(folder)
    return rest if uri.startswith(folder) and (not rest or rest.startswith("/")) else None
