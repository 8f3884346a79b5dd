"""The editor at the other end: what it can do, and calls to it. Every call has a limit and none raises."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, cast

from lsprotocol import types
from msgspec import Struct
from pygls.lsp.server import LanguageServer

from maxcode_lsp.messages import editors
from maxcode_lsp.messages.phrases import unlinked

ANSWER_S = 10.0
"""For what the editor answers by itself."""
PERSON_S = 600.0
"""For what a person answers."""

_log = logging.getLogger(__name__)


class Abilities(Struct, frozen=True):
    """What the client said it can do (``ClientCapabilities``), in the words that features ask."""

    progress: bool = False
    annotations: bool = False
    document_changes: bool = False
    resolve_edit: bool = False
    """Code actions may get their edit in ``codeAction/resolve``."""
    disabled_actions: bool = False
    action_literals: bool = False
    """False: only commands may be listed."""
    show_document: bool = False
    markdown: bool = False
    lens_refresh: bool = False
    configuration: bool = False
    watch_files: bool = False
    """Watchers can be registered dynamically."""
    watch_settings: bool = False
    """Changes of settings are told to who registers for them; else perhaps to everybody."""
    apply_edit: bool = False
    diagnostic_links: bool = False
    diagnostic_versions: bool = False
    message_actions: bool = True


def abilities(capabilities: Any) -> Abilities:
    """Read them from the plain JSON that ``initialize`` brought. What is missing or no sense is not there."""

    def at(path: str) -> Any:
        found = capabilities
        for name in path.split("."):
            found = cast("dict[str, Any]", found).get(name) if isinstance(found, dict) else None
        return found

    def names(path: str) -> list[Any]:
        found = at(path)
        return cast("list[Any]", found) if isinstance(found, list) else []

    return Abilities(
        progress=at("window.workDoneProgress") is True,
        annotations=isinstance(at("workspace.workspaceEdit.changeAnnotationSupport"), dict),
        # Resource operations exist only in documentChanges; Neovim says no more than that.
        document_changes=at("workspace.workspaceEdit.documentChanges") is True
        or bool(names("workspace.workspaceEdit.resourceOperations")),
        resolve_edit=at("textDocument.codeAction.dataSupport") is True
        and "edit" in names("textDocument.codeAction.resolveSupport.properties"),
        disabled_actions=at("textDocument.codeAction.disabledSupport") is True,
        action_literals=isinstance(at("textDocument.codeAction.codeActionLiteralSupport"), dict),
        show_document=at("window.showDocument.support") is True,
        markdown="markdown" in names("textDocument.hover.contentFormat"),
        lens_refresh=at("workspace.codeLens.refreshSupport") is True,
        configuration=at("workspace.configuration") is True,
        watch_files=at("workspace.didChangeWatchedFiles.dynamicRegistration") is True,
        watch_settings=at("workspace.didChangeConfiguration.dynamicRegistration") is True,
        apply_edit=at("workspace.applyEdit") is True,
        diagnostic_links=at("textDocument.publishDiagnostics.codeDescriptionSupport") is True,
        diagnostic_versions=at("textDocument.publishDiagnostics.versionSupport") is True,
    )


class Editor:
    """The client."""

    def __init__(self, server: LanguageServer) -> None:
        self.can = Abilities()
        self.closing = False
        """The session ends: no answer is waited for any more; what happens can still be told."""
        self._protocol = server.protocol
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        self._refreshing: asyncio.Task[None] | None = None
        self._stale_lenses = False

    def say(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """``window/showMessage``."""
        self._notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(type=kind, message=unlinked(message)))

    async def ask(
        self,
        message: str,
        choices: Sequence[str],
        kind: types.MessageType = types.MessageType.Info,
        limit_s: float = PERSON_S,
    ) -> str | None:
        """``window/showMessageRequest``: the chosen title; None: nothing was chosen in time, or it failed."""
        if not self.can.message_actions:
            self.say(message, kind)
            return None
        actions = [types.MessageActionItem(title=choice) for choice in choices]
        params = types.ShowMessageRequestParams(type=kind, message=unlinked(message), actions=actions)
        chosen = await self._call(types.WINDOW_SHOW_MESSAGE_REQUEST, params, limit_s)
        return chosen.title if isinstance(chosen, types.MessageActionItem) and chosen.title in choices else None

    async def apply(self, edit: types.WorkspaceEdit, label: str) -> str | None:
        """``workspace/applyEdit``. None: it was applied; else why not, a sentence."""
        if not self.can.apply_edit:
            return editors.cannot_apply()
        params = types.ApplyWorkspaceEditParams(edit=edit, label=label)
        answer = await self._call(types.WORKSPACE_APPLY_EDIT, params, ANSWER_S)
        if not isinstance(answer, types.ApplyWorkspaceEditResult):
            return editors.apply_unanswered()
        return None if answer.applied else editors.not_applied(answer.failure_reason)

    async def show(self, uri: str, selection: types.Range | None = None) -> bool:
        """``window/showDocument``; False: the client cannot, or did not."""
        if not self.can.show_document:
            return False
        params = types.ShowDocumentParams(uri=uri, external=False, take_focus=True, selection=selection)
        answer = await self._call(types.WINDOW_SHOW_DOCUMENT, params, ANSWER_S)
        return isinstance(answer, types.ShowDocumentResult) and answer.success

    async def configuration(self, section: str, scopes: Sequence[str | None]) -> list[Any] | None:
        """``workspace/configuration``: one answer for each scope (a URI; None: the whole window), plain JSON.

        None: the client cannot, or gave no sensible answer.
        """
        if not self.can.configuration or not scopes:
            return None
        items = [types.ConfigurationItem(scope_uri=scope, section=section) for scope in scopes]
        params = types.ConfigurationParams(items=items)
        answer = await self._call(types.WORKSPACE_CONFIGURATION, params, ANSWER_S)
        known = isinstance(answer, list | tuple) and len(cast("list[Any]", answer)) == len(scopes)
        return list(cast("list[Any]", answer)) if known else None

    async def watch(self, patterns: Sequence[str], section: str) -> None:
        """Ask for ``workspace/didChangeWatchedFiles`` about files that fit the patterns, and for
        ``workspace/didChangeConfiguration`` about a section, where the client has to be asked.
        """
        registrations: list[types.Registration] = []
        if self.can.watch_files:
            watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in patterns]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            files = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registrations.append(types.Registration("maxcode-files", files, register_options=options))
        if self.can.watch_settings:
            sections = types.DidChangeConfigurationRegistrationOptions(section=section)
            settings = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            registrations.append(types.Registration("maxcode-settings", settings, register_options=sections))
        if registrations:
            await self._call(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations), ANSWER_S)

    def publish(self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]) -> None:
        """``textDocument/publishDiagnostics``; not sent where the client has exactly this already."""
        # An editor moves what it shows with each edit, so the same diagnostics of a newer version are sent again.
        shown = list(diagnostics)
        before = self._published.pop(uri, (None, []))
        if shown:
            self._published[uri] = (version, shown)
        if before == (version, shown) or not (before[1] or shown):
            return
        sent_version = version if self.can.diagnostic_versions else None
        params = types.PublishDiagnosticsParams(uri=uri, version=sent_version, diagnostics=shown)
        self._notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def notify(self, method: str, params: object) -> None:
        """A custom notification; params are plain JSON values."""
        self._notify(method, params)

    def log(self, message: str) -> None:
        """``window/logMessage``, for what a person may want to look up."""
        self._notify(types.WINDOW_LOG_MESSAGE, types.LogMessageParams(type=types.MessageType.Info, message=message))

    def refresh_lenses(self) -> None:
        """``workspace/codeLens/refresh``, where the client can; at most one in flight."""
        if not self.can.lens_refresh or self.closing:
            return
        self._stale_lenses = True
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.get_running_loop().create_task(self._refresh_lenses())

    async def _refresh_lenses(self) -> None:
        while self._stale_lenses and not self.closing:
            self._stale_lenses = False
            await self._call(types.WORKSPACE_CODE_LENS_REFRESH, None, ANSWER_S)

    async def begin_progress(self, token: str, title: str, message: str) -> bool:
        """``window/workDoneProgress/create`` and ``begin`` (cancellable). False: there is no progress to report to."""
        if not self.can.progress:
            return False
        created = types.WorkDoneProgressCreateParams(token=token)
        if await self._call(types.WINDOW_WORK_DONE_PROGRESS_CREATE, created, ANSWER_S, failed=False) is False:
            return False
        begin = types.WorkDoneProgressBegin(
            title=unlinked(title), message=unlinked(message), cancellable=True, percentage=0
        )
        self._notify(types.PROGRESS, types.ProgressParams(token=token, value=begin))
        return True

    def report_progress(self, token: str, message: str, percentage: int | None) -> None:
        """``report``."""
        report = types.WorkDoneProgressReport(message=unlinked(message), percentage=percentage, cancellable=True)
        self._notify(types.PROGRESS, types.ProgressParams(token=token, value=report))

    def end_progress(self, token: str, message: str) -> None:
        """``end``."""
        end = types.WorkDoneProgressEnd(message=unlinked(message))
        self._notify(types.PROGRESS, types.ProgressParams(token=token, value=end))

    def _notify(self, method: str, params: object) -> None:
        self._protocol.notify(method, params)

    async def _call(self, method: str, params: object, limit_s: float, failed: Any = None) -> Any:
        """The answer; ``failed`` where there is none in time, or the client answered with an error."""
        if self.closing:
            return failed
        try:
            async with asyncio.timeout(limit_s):
                return await self._protocol.send_request_async(method, params)
        except TimeoutError:
            _log.info("%s was not answered in %.0f s", method, limit_s)
        except Exception as error:  # noqa: BLE001 (whatever a client answers must not end a feature)
            _log.info("%s failed: %s", method, error)
        return failed
