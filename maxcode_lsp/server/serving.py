"""What is served: each method of LSP, and the feature that answers it. Handlers are short; none blocks the loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from maxcode_lsp.messages import editors
from maxcode_lsp.server import custom
from maxcode_lsp.server.connection.editor import Editor, abilities
from maxcode_lsp.server.connection.protocol import Handler
from maxcode_lsp.server.features.actions import Actions
from maxcode_lsp.server.features.applying import Applying
from maxcode_lsp.server.features.comparing import Comparing
from maxcode_lsp.server.features.diagnostics import Diagnostics
from maxcode_lsp.server.features.earlier import Earlier
from maxcode_lsp.server.features.explaining import Explaining
from maxcode_lsp.server.features.forgetting import Forgetting
from maxcode_lsp.server.features.hover import Hover
from maxcode_lsp.server.features.lenses import Lenses
from maxcode_lsp.server.features.progress import Progress
from maxcode_lsp.server.features.run_list import RunList
from maxcode_lsp.server.features.starting import Starting
from maxcode_lsp.server.features.status import Status
from maxcode_lsp.server.session import Session
from maxcode_lsp.server.workspace.documents import Documents
from maxcode_lsp.server.workspace.options import read_secrets
from maxcode_lsp.server.workspace.uris import path_of
from maxcode_lsp.settings.layers import SECTION
from maxcode_lsp.text.positions import Encoding

T = TypeVar("T")

WATCHED = ("**/maxcode.toml", "**/compile_commands.json")


class Serving:
    """All features of one connection."""

    def __init__(self, server: LanguageServer, encoding: str, params: dict[str, Any]) -> None:
        """``params``: of ``initialize``, plain JSON."""
        self.editor = Editor(server)
        self.editor.can = abilities(params.get("capabilities"))
        self.documents = Documents(Encoding(encoding))
        self.session = Session(self.editor, self.documents)
        self.session.folders.open(_folders(params), params.get("initializationOptions"))
        self.session.keep_secrets(self.session.folders.options.secrets)
        self.session.wants_runs = self.session.folders.options.run_changed
        self.starting = Starting(self.session)
        self.actions = Actions(self.session)
        self.applying = Applying(self.session)
        self.comparing = Comparing(self.session)
        self.explaining = Explaining(self.session)
        self.forgetting = Forgetting(self.session)
        self.hover = Hover(self.session)
        self.lenses = Lenses(self.session)
        self.status = Status(self.session)
        self.runs = RunList(self.session)
        self.session.features = [
            self.starting,
            self.applying,
            Earlier(self.session),
            Diagnostics(self.session),
            Progress(self.session),
            self.actions,
            self.hover,
            self.lenses,
            self.comparing,
            self.explaining,
            self.status,
            self.runs,
        ]
        self._commands: dict[str, Callable[[Any], Awaitable[Any]]] = {
            custom.START: _taking(custom.StartArguments, self.starting.start),
            custom.STOP: _taking(custom.RunArguments, lambda of: self.starting.stop(of.run)),
            custom.APPLY: _taking(custom.RunArguments, lambda of: self.applying.apply(of.run)),
            custom.COMPARE: _taking(custom.CompareArguments, self._compare),
            custom.EXPLAIN: _taking(custom.ExplainArguments, self.explaining.explain),
            custom.DISCARD: _taking(custom.RunArguments, lambda of: self.forgetting.discard(of.run)),
            custom.FORGET: _taking(custom.RunArguments, lambda of: self.forgetting.forget(of.run)),
        }

    def handlers(self) -> dict[str, Handler]:
        """By method."""
        return {
            types.INITIALIZED: self._initialized,
            types.SET_TRACE: lambda _: None,
            types.TEXT_DOCUMENT_DID_OPEN: self._opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            types.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            types.TEXT_DOCUMENT_DID_SAVE: self._saved,
            types.TEXT_DOCUMENT_CODE_ACTION: self.actions.list,
            types.CODE_ACTION_RESOLVE: self.actions.resolve,
            types.TEXT_DOCUMENT_CODE_LENS: self.lenses.lenses,
            types.TEXT_DOCUMENT_HOVER: self.hover.hover,
            types.WORKSPACE_EXECUTE_COMMAND: self._execute,
            types.WINDOW_WORK_DONE_PROGRESS_CANCEL: self._cancelled,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self._configured,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._files_changed,
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._folders_changed,
            types.WORKSPACE_DID_RENAME_FILES: self._renamed,
            types.WORKSPACE_DID_DELETE_FILES: self._deleted,
            custom.SECRETS: self._secrets,
            custom.RUNS: _taking(custom.RunsParams, self.runs.runs),
            custom.CANDIDATE: _taking(custom.CandidateParams, self.runs.candidate),
            custom.STATUS: _taking(custom.StatusParams, self.status.status),
        }

    async def close(self) -> None:
        """End everything; no answer is waited for any more."""
        self.editor.closing = True
        await self.session.close()

    def _initialized(self, _params: Any) -> None:
        # No coroutine: a run that is asked for right after it waits for the settings.
        self.session.spawn(self.editor.watch(WATCHED, SECTION))
        self.session.spawn(self.session.folders.configured())

    # Texts: not coroutines, so that each message finds what the one before it did.

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        document = self.documents.open(params.text_document)
        self.session.tell_document(document)
        if document.path is not None and not document.inactive:  # what is wrong in its settings is told now
            self.session.spawn(self.session.folders.settings(document.path))

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        named = params.text_document
        document = self.documents.change(named.uri, named.version, params.content_changes)
        if document is not None:
            self.session.tell_document(document)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        document = self.documents.close(params.text_document.uri)
        if document is not None:
            self.session.tell_document(document, closed=True)

    async def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        # Clients without watchers say at least this much.
        await self._reload([params.text_document.uri])

    async def _execute(self, params: types.ExecuteCommandParams) -> Any:
        command = self._commands.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(editors.unknown_command(params.command))
        arguments = params.arguments or []
        if len(arguments) != 1:
            raise JsonRpcInvalidParams(editors.one_argument(params.command))
        return await command(arguments[0])

    async def _compare(self, arguments: custom.CompareArguments) -> dict[str, str]:
        return {"uri": await self.comparing.compare(arguments)}

    def _cancelled(self, params: types.WorkDoneProgressCancelParams) -> None:
        self.starting.cancelled(str(params.token))

    async def _configured(self, params: types.DidChangeConfigurationParams) -> None:
        await self.session.folders.configured(params.settings)

    def _secrets(self, params: Any) -> None:
        # By hand: what is right holds, and no sentence about the rest may repeat it.
        wrong: list[str] = []
        given = cast("dict[str, Any]", params).get("secrets") if isinstance(params, dict) else params
        secrets = read_secrets(given, custom.SECRETS, wrong)
        for sentence in wrong:
            self.editor.say(sentence, types.MessageType.Warning)
        self.session.keep_secrets(secrets)

    async def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        await self._reload(change.uri for change in params.changes)

    async def _reload(self, uris: Iterable[str]) -> None:
        names = {pattern.rpartition("/")[2] for pattern in WATCHED}
        for path in {path_of(uri) for uri in uris}:
            if path is not None and path.name in names:
                await self.session.folders.reload(path)

    def _folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        event = params.event
        self.session.folders.change(_paths(event.added), _paths(event.removed))

    def _renamed(self, params: types.RenameFilesParams) -> None:
        for file in params.files:
            self.starting.renamed(file.old_uri, file.new_uri)

    def _deleted(self, params: types.DeleteFilesParams) -> None:
        for file in params.files:
            self.starting.deleted(file.uri)


def _taking(kind: type[T], act: Callable[[T], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
    """A handler that takes plain JSON and answers with plain JSON."""

    async def handle(given: Any) -> Any:
        try:
            arguments = msgspec.convert({} if given is None else given, kind)
        except msgspec.ValidationError as error:
            raise JsonRpcInvalidParams(f"{error}.") from None
        return msgspec.to_builtins(await act(arguments))

    return handle


def _paths(folders: Iterable[types.WorkspaceFolder]) -> list[Path]:
    return [path for folder in folders if (path := path_of(folder.uri)) is not None]


def _folders(params: dict[str, Any]) -> list[Path]:
    """The folders that ``initialize`` brought, in any of the three ways there are."""
    listed, root = params.get("workspaceFolders"), params.get("rootPath")
    uris: list[Any] = [params.get("rootUri")]
    if isinstance(listed, list):
        folders = cast("list[Any]", listed)
        uris = [cast("dict[str, Any]", folder).get("uri") for folder in folders if isinstance(folder, dict)]
    elif not isinstance(uris[0], str) and isinstance(root, str) and root.startswith("/"):
        return [Path(root)]
    return [path for uri in uris if isinstance(uri, str) and (path := path_of(uri)) is not None]
