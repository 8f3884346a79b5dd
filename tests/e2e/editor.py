"""An editor for tests: pytest-lsp's client with open buffers, and the answers of a person in front of it.

Its buffers follow LSP to the letter and know nothing of the server's own text code: an independent check.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Union, cast

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

LIMIT_S = 120.0
CAPABILITIES = {"vscode": "visual-studio-code", "neovim": "neovim"}


def bare() -> types.ClientCapabilities:
    """A client that can do little more than the first version of the protocol."""
    return types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(apply_edit=True))


def capabilities(name: str) -> types.ClientCapabilities:
    """What an editor of this name says it can do."""
    return bare() if name == "bare" else client_capabilities(CAPABILITIES[name])


def _converter() -> Any:
    """Of lsprotocol; it takes a code action that has a command for a bare command, where a client must not."""
    converter = default_converter()

    def either(value: Any, _: Any) -> types.Command | types.CodeAction:
        return converter.structure(value, types.Command if isinstance(value["command"], str) else types.CodeAction)

    def code_action(value: Any, kind: Any) -> types.Command | types.CodeAction:
        return either(value, kind) if "command" in value else converter.structure(value, types.CodeAction)

    for union in (types.Command | types.CodeAction, Union[types.Command, types.CodeAction]):  # noqa: UP007 (its spelling)
        converter.register_structure_hook(union, code_action)
    return converter


class _Protocol(LanguageClientProtocol):
    """Keeps what came, as text."""

    received: list[str]

    def structure_message(self, data: dict[str, Any]) -> Any:
        if "jsonrpc" in data:
            self.received.append(str(data))
        return super().structure_message(data)


class Buffer:
    """One open document."""

    def __init__(self, uri: str, text: str, units: Callable[[str], int]) -> None:
        self.uri = uri
        self.text = text
        self.version = 1
        self._units = units

    def _index(self, position: types.Position) -> int:
        lines = self.text.split("\n")
        assert position.line < len(lines), "an edit reaches past the end"
        line = lines[position.line].removesuffix("\r")
        for column in range(len(line) + 1):
            if self._units(line[:column]) == position.character:
                return sum(len(before) + 1 for before in lines[: position.line]) + column
        raise AssertionError(f"{position} is inside a character or past the end of its line")

    def apply(self, edits: Sequence[types.TextEdit | types.AnnotatedTextEdit]) -> None:
        """All edits at once, as the protocol has it: ranges are those of the text before."""
        places = sorted((self._index(e.range.start), self._index(e.range.end), e.new_text) for e in edits)
        assert all(a[1] <= b[0] for a, b in pairwise(places)), "edits overlap"
        for start, end, new in reversed(places):
            self.text = self.text[:start] + new + self.text[end:]
        self.version += 1

    def position(self, index: int) -> types.Position:
        """Of a place in the text."""
        before = self.text[:index]
        return types.Position(before.count("\n"), self._units(before.rpartition("\n")[2]))

    def range_of(self, words: str) -> types.Range:
        """Of the first place where some words stand."""
        at = self.text.index(words)
        return types.Range(self.position(at), self.position(at + len(words)))


class Editor:
    """One editor with one server of its own."""

    def __init__(self, folder: Path, name: str, home: Path) -> None:
        self.folder = folder
        self.name = name
        self._home = home
        self.client = LanguageClient(protocol_cls=_Protocol, converter_factory=_converter)
        self.received: list[str] = []
        """All that the server sent, as text."""
        cast("_Protocol", self.client.protocol).received = self.received
        register_lsp_features(self.client)
        self.buffers: dict[str, Buffer] = {}
        self.asked: list[types.ShowMessageRequestParams] = []
        self.answers: dict[str, str] = {}
        """Part of a question to the title that is chosen; else nothing is."""
        self.refuses_edits = False
        self.edits: list[types.ApplyWorkspaceEditParams] = []
        self._units: Callable[[str], int] = lambda text: len(text.encode("utf-16-le")) // 2
        client = self.client

        def ask(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            self.asked.append(params)
            titles = [action.title for action in params.actions or []]
            for part, title in self.answers.items():
                if part in params.message and title in titles:
                    return types.MessageActionItem(title)
            return None

        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.append(params)
            if self.refuses_edits:
                return types.ApplyWorkspaceEditResult(applied=False, failure_reason="the buffer is read-only")
            self.apply(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        def nothing(params: Any) -> None:
            return None

        answers: dict[str, Callable[..., Any]] = {
            types.WINDOW_SHOW_MESSAGE_REQUEST: ask,
            types.WORKSPACE_APPLY_EDIT: apply,
            types.CLIENT_REGISTER_CAPABILITY: nothing,
            types.WORKSPACE_CODE_LENS_REFRESH: nothing,
        }
        register_lsp_features(client, answers)

    async def start(self, options: Any = None, settings: Any = None) -> types.InitializeResult:
        """Start the server and say hello. ``settings``: what stands in the section ``maxcode``."""
        if settings is not None:
            self.client.set_configuration(settings, section="maxcode")
        env = dict(os.environ) | {
            f"XDG_{kind}_HOME": str(self._home / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")
        }
        env["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        client: Any = self.client
        await client.start_io(sys.executable, "-m", "maxcode_lsp", "lsp", env=env, cwd=str(self.folder))
        result = await asyncio.wait_for(
            self.client.initialize_session(
                types.InitializeParams(
                    capabilities=capabilities(self.name),
                    initialization_options=options,
                    workspace_folders=[types.WorkspaceFolder(self.folder.as_uri(), self.folder.name)],
                )
            ),
            LIMIT_S,
        )
        encoding = result.capabilities.position_encoding or types.PositionEncodingKind.Utf16
        units: dict[str, Callable[[str], int]] = {"utf-8": lambda text: len(text.encode()), "utf-32": len}
        self._units = units.get(str(getattr(encoding, "value", encoding)), self._units)
        return result

    @property
    def pid(self) -> int:
        """Of the server."""
        server = self.client._server
        assert server is not None
        return server.pid

    def open(self, file: Path, language: str = "cpp") -> Buffer:
        """Open a file."""
        uri = file.as_uri()
        buffer = Buffer(uri, file.read_bytes().decode(), self._units)
        self.buffers[uri] = buffer
        item = types.TextDocumentItem(uri, language, buffer.version, buffer.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return buffer

    def close(self, buffer: Buffer) -> None:
        """Close a buffer."""
        del self.buffers[buffer.uri]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(buffer.uri)))

    def type(self, buffer: Buffer, where: types.Range, text: str) -> None:
        """Replace a range, and tell the server."""
        buffer.apply([types.TextEdit(where, text)])
        self._tell(buffer, types.TextDocumentContentChangePartial(text=text, range=where))

    def _tell(self, buffer: Buffer, change: types.TextDocumentContentChangeEvent) -> None:
        identifier = types.VersionedTextDocumentIdentifier(version=buffer.version, uri=buffer.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))

    def apply(self, edit: types.WorkspaceEdit) -> None:
        """Apply a workspace edit to the open buffers, and tell the server of their new text."""
        for change in edit.document_changes or []:
            assert isinstance(change, types.TextDocumentEdit)
            buffer = self.buffers[change.text_document.uri]
            assert change.text_document.version in {None, buffer.version}, "an edit for another version"
            self._replace(buffer, [e for e in change.edits if not isinstance(e, types.SnippetTextEdit)])
        for uri, edits in (edit.changes or {}).items():
            self._replace(self.buffers[uri], list(edits))

    def _replace(self, buffer: Buffer, edits: Sequence[types.TextEdit | types.AnnotatedTextEdit]) -> None:
        buffer.apply(edits)
        self._tell(buffer, types.TextDocumentContentChangeWholeDocument(text=buffer.text))

    async def actions(
        self, buffer: Buffer, where: types.Range, only: list[types.CodeActionKind] | None = None
    ) -> list[types.CodeAction]:
        """The code actions at a place, as a person asks for them."""
        params = types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(buffer.uri),
            range=where,
            context=types.CodeActionContext(
                diagnostics=[], only=only, trigger_kind=types.CodeActionTriggerKind.Invoked
            ),
        )
        found = await asyncio.wait_for(self.client.text_document_code_action_async(params), LIMIT_S)
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    async def choose(self, buffer: Buffer, where: types.Range, title: str) -> Any:
        """Choose the action whose title has these words: resolve it, apply its edit, execute its command."""
        action = next((a for a in await self.actions(buffer, where) if title in a.title and a.disabled is None), None)
        assert action is not None, f"there is no action “{title}”"
        if action.edit is None and action.data is not None:
            action = await asyncio.wait_for(self.client.code_action_resolve_async(action), LIMIT_S)
        if action.edit is not None:
            self.apply(action.edit)
        if action.command is None:
            return None
        return await self.execute(action.command.command, *(action.command.arguments or ()))

    async def execute(self, command: str, *arguments: Any) -> Any:
        """Execute a command."""
        params = types.ExecuteCommandParams(command=command, arguments=list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), LIMIT_S)

    async def hover(self, buffer: Buffer, words: str) -> str:
        """The hover at some words, as text; empty: none."""
        params = types.HoverParams(types.TextDocumentIdentifier(buffer.uri), buffer.range_of(words).start)
        found = await asyncio.wait_for(self.client.text_document_hover_async(params), LIMIT_S)
        if found is None:
            return ""
        contents = found.contents
        return contents.value if isinstance(contents, types.MarkupContent) else str(contents)

    async def lenses(self, buffer: Buffer) -> list[str]:
        """Titles of the lenses."""
        params = types.CodeLensParams(types.TextDocumentIdentifier(buffer.uri))
        found = await asyncio.wait_for(self.client.text_document_code_lens_async(params), LIMIT_S)
        return [lens.command.title for lens in found or [] if lens.command is not None]

    async def until(self, condition: Callable[[], bool], what: str, limit_s: float = LIMIT_S) -> None:
        """Wait for something to become true; fails with ``what`` was waited for."""

        async def poll() -> None:
            while not condition():  # noqa: ASYNC110 - anything may be waited for
                await asyncio.sleep(0.02)

        try:
            await asyncio.wait_for(poll(), limit_s)
        except TimeoutError:
            said = [message.message for message in self.client.messages]
            raise AssertionError(f"waited in vain for {what}; the server said {said}") from None

    def said(self, words: str) -> bool:
        """Whether the user was told or asked something with these words."""
        return any(words in told.message for told in (*self.client.messages, *self.asked))

    def progress(self) -> list[list[Any]]:
        """The reports of every progress so far."""
        return [list(reports) for reports in self.client.progress_reports.values()]

    def ended(self) -> bool:
        """Every progress that was begun has ended, once."""
        kinds = [[type(report).__name__ for report in reports] for reports in self.progress()]
        return all(
            reports[0] == "WorkDoneProgressBegin"
            and reports[-1] == "WorkDoneProgressEnd"
            and reports.count("WorkDoneProgressEnd") == 1
            for reports in kinds
        )

    async def quit(self) -> int:
        """Shut down as an editor does; the server's exit code. Nothing may be left open."""
        server = self.client._server
        assert server is not None
        await asyncio.wait_for(self.client.shutdown_async(None), 10)
        self.client.exit(None)
        code = await asyncio.wait_for(server.wait(), 10)
        await self.client.stop()
        return code
