"""An editor with texts of its own that speaks LSP with the server in this process, and a person in front of it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from types import CoroutineType
from typing import Any, cast

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer

from maxcode_lsp.engine.client import Engine, EngineState
from maxcode_lsp.engine.events import Event, HunkReport, Judgement, RunResult
from maxcode_lsp.engine.wire import Inspect, Start, Verify
from maxcode_lsp.errors import EngineLost, MaxcodeError
from maxcode_lsp.records import Critique, RunStatus
from maxcode_lsp.server.app import _encoding
from maxcode_lsp.server.connection.frames import Frames, decoded
from maxcode_lsp.server.connection.protocol import Phase, Protocol
from maxcode_lsp.server.runs.runs import Run
from maxcode_lsp.server.serving import Serving
from maxcode_lsp.server.workspace.uris import normalised, uri_of
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText
from tests.server.clients import CLIENTS
from tests.server.model_text import applied
from tests.server.scene import PROGRAM

LIMIT_S = 60.0
SHORT = frozenset({"Starting", "Applying", "Fits", "Interrupted", "Earlier"})
"""Whose work in the background ends by itself."""


class Refusal(Exception):
    """The server answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class StandIn(Engine):
    """In the place of the engine process: tells what a test says, and keeps what it was asked."""

    def __init__(self, on_event: Callable[[str, Event], None]) -> None:
        self.state = EngineState.RUNNING
        self.started: list[Start] = []
        self.cancelled: list[str] = []
        self.verified: list[Verify] = []
        self.inspected: list[Inspect] = []
        self.losses: list[EngineLost] = []
        """Raised by the next judgements, one each."""
        self.says: Judgement | MaxcodeError = EngineLost("Nobody said how this ends.")
        self.finds = Critique()
        self.trouble: MaxcodeError | None = None
        self.secrets: dict[str, str] = {}
        self.hold = asyncio.Event()
        self.hold.set()
        """Cleared: nothing is answered until it is set."""
        self.tell = on_event

    def give_secrets(self, values: Mapping[str, str]) -> None:
        self.secrets = dict(values)

    async def start(self, request: Start) -> None:
        self.started.append(request)
        await self.hold.wait()
        if self.trouble is not None:
            raise self.trouble

    def cancel(self, run: str) -> None:
        self.cancelled.append(run)
        asyncio.get_running_loop().call_soon(self.tell, run, ended(RunStatus.CANCELLED))

    async def verify(self, request: Verify) -> Judgement:
        self.verified.append(request)
        await self.hold.wait()
        if self.losses:
            raise self.losses.pop()
        if isinstance(self.says, MaxcodeError):
            raise self.says
        return self.says

    async def inspect(self, request: Inspect) -> Critique:
        self.inspected.append(request)
        await self.hold.wait()
        if self.trouble is not None:
            raise self.trouble
        return self.finds

    async def close(self) -> None:
        self.state = EngineState.CLOSED


def ended(status: RunStatus, reason: str = "That is why.", **more: Any) -> RunResult:
    """The end of a run."""
    fields: dict[str, Any] = {
        "speedup": None,
        "ci95": None,
        "evaluations": 0,
        "outcomes": {},
        "seconds": 1.0,
        "diff": "",
    }
    return RunResult(target="solve.cpp", status=status, reason=reason, **{**fields, **more})


def improved(base: str, edited: str) -> RunResult:
    """A result: ``edited`` instead of ``base``."""
    hunks = diff(SourceText(base.encode()).data, SourceText(edited.encode()).data)
    reports = tuple(HunkReport(hunk, 1, ("no-copy",), "No copy is made.", 1.8) for hunk in hunks)
    return ended(
        RunStatus.IMPROVED,
        "“solve.cpp” is 2.31× faster (95 % CI 2.24–2.39).",
        speedup=2.31,
        ci95=(2.24, 2.39),
        hunks=reports,
        edited=edited.encode(),
        winner="0123456789ab",
    )


class _Wire:
    """What the server writes to."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self._heard = heard

    def write(self, data: bytes) -> None:
        self._heard(data)

    def close(self) -> None:
        pass


class Model:
    """One open text."""

    def __init__(self, text: str, version: int = 1) -> None:
        self.text = text
        self.version = version


class ModelEditor:
    """Does what an editor does, by the specification; ``answers`` are what the person says to questions, by their
    beginning.
    """

    def __init__(self, kind: str, folder: Path, options: dict[str, Any] | None = None) -> None:
        params: dict[str, Any] = {
            "capabilities": CLIENTS[kind],
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "w"}],
            "initializationOptions": options if options is not None else {"trusted": True, "buttons": True},
        }
        self.encoding = _encoding(params)
        self.texts: dict[str, Model] = {}
        self.said: list[tuple[int, str]] = []
        self.asked: list[tuple[str, list[str]]] = []
        self.answers: dict[str, str] = {}
        self.shown: list[str] = []
        self.told: list[tuple[str, Any]] = []
        """Notifications of our own."""
        self.published: dict[str, list[dict[str, Any]]] = {}
        """The newest diagnostics of each document."""
        self.refuse_edits = ""
        self.edit_closed: Callable[[str, list[types.TextEdit]], None] | None = None
        server = LanguageServer("maxcode", "0", protocol_cls=Protocol, converter_factory=get_converter)
        self.protocol = cast("Protocol", server.protocol)
        self.protocol.writer = _Wire(self._heard)
        self.serving = Serving(server, self.encoding, params)
        self.protocol.handlers.update(self.serving.handlers())
        self.protocol.phase = Phase.OPEN
        self.real_engine = self.serving.session.engine
        self.engine = StandIn(self.serving.session._happened)
        self.serving.session.engine = self.engine
        self._converter = get_converter()
        self._frames = Frames()
        self._ids = itertools.count(1)
        self._waiting: dict[Any, asyncio.Future[Any]] = {}
        self._looked = asyncio.Event()

    @property
    def run(self) -> Run:
        """The newest run."""
        return max(self.serving.session.runs, key=lambda run: run.generation)

    def open(self, file: Path, text: str | None = None, language: str = "cpp") -> str:
        """Open a file; returns its URI."""
        uri = uri_of(file)
        model = Model(file.read_bytes().decode() if text is None else text)
        self.texts[uri] = model
        item = {"uri": uri, "languageId": language, "version": model.version, "text": model.text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def close(self, uri: str) -> None:
        """Close a text."""
        del self.texts[uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def type(self, uri: str, text: str) -> None:
        """Make the text another one."""
        model = self.texts[uri]
        model.text, model.version = text, model.version + 1
        which = {"uri": uri, "version": model.version}
        self.notify("textDocument/didChange", {"textDocument": which, "contentChanges": [{"text": text}]})

    async def actions(
        self,
        uri: str,
        line: int = 0,
        *,
        trigger: int | None = 1,
        only: list[str] | None = None,
        choosing: bool = False,
        at: list[dict[str, Any]] | None = None,
    ) -> list[dict[str, Any]]:
        """What the lightbulb lists on a line, or at diagnostics (``at``).

        ``choosing``: also the entry that asks how, which stands beside each other one that starts.
        """
        place = {"line": line, "character": 0}
        context: dict[str, Any] = {"diagnostics": at or []}
        context |= {"triggerKind": trigger} if trigger is not None else {}
        context |= {"only": only} if only is not None else {}
        params = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
        listed: list[dict[str, Any]] = await self.request("textDocument/codeAction", params)
        if choosing:
            return listed
        return [entry for entry in listed if not entry["title"].endswith("choosing how…")]

    async def choose(self, action: dict[str, Any]) -> Any:
        """Choose an entry: it is resolved, its edit made, its command executed."""
        if "command" in action and isinstance(action["command"], str):
            return await self.execute(action)
        if "edit" not in action and "command" not in action:
            action = await self.request("codeAction/resolve", action)
        if "edit" in action:
            assert self.make(action["edit"])
        return await self.execute(action["command"]) if "command" in action else None

    async def execute(self, command: dict[str, Any]) -> Any:
        """Execute a command."""
        params = {"command": command["command"], "arguments": command["arguments"]}
        return await self.request("workspace/executeCommand", params)

    async def command(self, name: str, **arguments: Any) -> Any:
        """Execute a command that takes one object."""
        return await self.execute({"command": name, "arguments": [arguments]})

    def make(self, raw: dict[str, Any]) -> bool:
        """Make an edit; False: a version is not the text's."""
        edit = self._converter.structure(raw, types.WorkspaceEdit)
        for change in edit.document_changes or ():
            assert isinstance(change, types.TextDocumentEdit)
            known = self.texts.get(change.text_document.uri)
            version = change.text_document.version
            if version is not None and (known is None or known.version != version):
                return False
        for change in edit.document_changes or ():
            assert isinstance(change, types.TextDocumentEdit)
            self._put(change.text_document.uri, cast("list[types.TextEdit]", list(change.edits)))
        for uri, edits in (edit.changes or {}).items():
            self._put(uri, list(edits))
        return True

    def _put(self, uri: str, edits: list[types.TextEdit]) -> None:
        model = self.texts.get(normalised(uri))
        if model is None:
            assert self.edit_closed is not None
            self.edit_closed(uri, edits)
            return
        model.text = applied(model.text, edits, self.encoding)
        model.version += 1
        last_first = sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True)
        changes = [{"range": self._converter.unstructure(edit.range), "text": edit.new_text} for edit in last_first]
        which = {"uri": uri, "version": model.version}
        self.notify("textDocument/didChange", {"textDocument": which, "contentChanges": changes})

    async def settled(self) -> None:
        """Wait for what was begun in the background, but for what lasts as long as a run."""

        def going() -> list[asyncio.Task[Any]]:
            return [task for task in self.serving.session._tasks if _whose(task) in SHORT]

        await asyncio.sleep(0)
        while (tasks := going()) and self.engine.hold.is_set():
            await asyncio.wait(tasks, timeout=0.05)

    async def end(self) -> None:
        """The connection ends."""
        await self.serving.close()

    async def until(self, seen: Callable[[], Any], limit_s: float = LIMIT_S) -> Any:
        """Wait until something is seen."""
        async with asyncio.timeout(limit_s):
            while not (found := seen()):
                self._looked.clear()
                try:
                    await asyncio.wait_for(self._looked.wait(), 0.05)
                except TimeoutError:
                    continue
            return found

    async def request(self, method: str, params: Any) -> Any:
        """Ask the server. Raises Refusal."""
        ident = next(self._ids)
        self._waiting[ident] = asyncio.get_running_loop().create_future()
        self.protocol.receive({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})
        async with asyncio.timeout(LIMIT_S):
            return await self._waiting[ident]

    def notify(self, method: str, params: Any) -> None:
        """Tell the server."""
        self.protocol.receive({"jsonrpc": "2.0", "method": method, "params": params})

    def _heard(self, data: bytes) -> None:
        for body in self._frames.feed(data):
            assert isinstance(body, bytes)
            asyncio.get_running_loop().call_soon(self._arrived, decoded(body))

    def _arrived(self, message: Any) -> None:
        method = message.get("method")
        if method is None:
            answered = self._waiting.pop(message["id"])
            if "error" in message:
                answered.set_exception(Refusal(message["error"]))
            else:
                answered.set_result(message["result"])
        elif "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": self._answer(method, message.get("params"))}
            self.protocol.receive(answer)
        elif method == "window/showMessage":
            self.said.append((message["params"]["type"], message["params"]["message"]))
        elif method == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif method.startswith("maxcode/"):
            self.told.append((method, message["params"]))
        self._looked.set()

    def _answer(self, method: str, params: Any) -> Any:
        match method:
            case "window/showMessageRequest":
                titles = [action["title"] for action in params["actions"]]
                self.asked.append((params["message"], titles))
                said = next((a for q, a in self.answers.items() if params["message"].startswith(q)), None)
                return {"title": said} if said in titles else None
            case "workspace/applyEdit":
                if self.refuse_edits:
                    return {"applied": False, "failureReason": self.refuse_edits}
                return {"applied": self.make(params["edit"])}
            case "window/showDocument":
                self.shown.append(params["uri"])
                return {"success": True}
            case "workspace/configuration":
                return [None] * len(params["items"])
            case _:
                return None


FASTER = PROGRAM.replace("std::vector<int> values, int from", "const std::vector<int>& values, int from")


def _whose(task: asyncio.Task[Any]) -> str:
    coroutine = task.get_coro()
    return coroutine.__qualname__.partition(".")[0] if isinstance(coroutine, CoroutineType) else ""


@contextlib.asynccontextmanager
async def opened(
    folder: Path, kind: str = "VS Code", options: dict[str, Any] | None = None, text: str = PROGRAM
) -> AsyncGenerator[tuple[ModelEditor, str]]:
    """An editor with one file open, and its URI."""
    editor = ModelEditor(kind, folder, options)
    file = folder / "solve.cpp"
    file.write_bytes(text.encode())
    try:
        yield editor, editor.open(file)
    finally:
        await editor.end()


async def begun(editor: ModelEditor, uri: str, **arguments: Any) -> str:
    """Start a run; returns its id."""
    answer = await editor.command("maxcode.start", uri=uri, **arguments)
    await editor.settled()
    return answer["run"]
