from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from maxcode_lsp.errors import Refused
from maxcode_lsp.server.connection.frames import Garbled
from maxcode_lsp.server.connection.protocol import Phase
from tests.server.connection.line import Line

HOVER = {"textDocument": {"uri": "file:///a.cpp"}, "position": {"line": 0, "character": 0}}


@pytest.fixture
def line() -> Line:
    made = Line()
    made.open()
    return made


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_handlers_get_types_and_their_results_are_answers(line: Line) -> None:
    got: list[Any] = []

    async def hover(params: types.HoverParams) -> types.Hover:
        got.append(params)
        return types.Hover(contents="here")

    line.protocol.handlers["textDocument/hover"] = hover
    line.request(1, "textDocument/hover", HOVER)
    line.request("one", "textDocument/hover", HOVER)
    await turns()
    assert line.sent.to(1) == [{"jsonrpc": "2.0", "id": 1, "result": {"contents": "here"}}]
    assert len(line.sent.to("one")) == 1
    assert got[0].position == types.Position(0, 0)


async def test_custom_params_are_plain_json_and_may_be_absent(line: Line) -> None:
    got: list[Any] = []
    line.protocol.handlers["maxcode/x"] = got.append
    line.request(1, "maxcode/x", {"a-b": 1, "class": [None]})
    line.protocol.receive({"jsonrpc": "2.0", "id": 2, "method": "maxcode/x"})
    assert got == [{"a-b": 1, "class": [None]}, None]
    assert [message["id"] for message in line.sent.messages] == [1, 2]


UNDECODABLE: list[Any] = [
    None,
    [],
    "x",
    {},
    {"textDocument": {"uri": "u"}, "position": {"line": -1, "character": 0}},
    {"textDocument": {"uri": "u"}, "position": {"line": 1 << 40, "character": 0}},
    {"textDocument": {"uri": "u"}, "position": [[[]]]},
    {"textDocument": None, "position": None},
]


@pytest.mark.parametrize("params", UNDECODABLE)
async def test_what_does_not_decode_is_answered_once_with_a_sentence(line: Line, params: Any) -> None:
    called: list[Any] = []
    line.protocol.handlers["textDocument/hover"] = called.append
    line.request(7, "textDocument/hover", params)
    await turns()
    assert line.sent.code(7) == types.ErrorCodes.InvalidParams
    assert line.sent.to(7)[0]["error"]["message"].startswith("The parameters of textDocument/hover could not be read: ")
    assert not called


async def test_foreign_diagnostics_that_break_the_standard_are_left_out(line: Line) -> None:
    sound = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "message": "m"}
    foreign = [
        {**sound, "severity": 0},
        {**sound, "tags": [9]},
        {"range": sound["range"]},
        None,
        {**sound, "data": {"jsonrpc": "2.0", "id": 3}},
        sound,
    ]
    got: list[types.CodeActionParams] = []
    line.protocol.handlers["textDocument/codeAction"] = got.append
    asked = {"textDocument": {"uri": "u"}, "range": sound["range"]}
    line.request(1, "textDocument/codeAction", {**asked, "context": {"diagnostics": foreign, "triggerKind": 7}})
    line.request(2, "textDocument/codeAction", {**asked, "context": {"diagnostics": "none", "only": ["refactor"]}})
    assert [message.get("result", "?") for message in line.sent.messages] == [None, None]
    assert [one.data for one in got[0].context.diagnostics] == [{"jsonrpc": "2.0", "id": 3}, None]
    assert got[1].context.only == ("refactor",)
    resolved: list[types.CodeAction] = []
    line.protocol.handlers["codeAction/resolve"] = resolved.append
    line.request(3, "codeAction/resolve", {"title": "t", "diagnostics": foreign, "data": {"x": 1}})
    assert len(resolved[0].diagnostics or []) == 2 and resolved[0].data == {"x": 1}


@pytest.mark.parametrize("language", [5, None, ["cpp"], True, {}])
async def test_a_language_is_a_name(line: Line, language: Any, caplog: pytest.LogCaptureFixture) -> None:
    got: list[types.DidOpenTextDocumentParams] = []
    line.protocol.handlers["textDocument/didOpen"] = got.append
    item = {"uri": "u", "version": 1, "text": "t"}
    line.notify("textDocument/didOpen", {"textDocument": {**item, "languageId": language}})
    assert not got and not line.sent.messages
    assert "textDocument/didOpen could not be read" in caplog.text
    line.notify("textDocument/didOpen", {"textDocument": {**item, "languageId": "brainfuck"}})
    assert got[0].text_document.language_id == "brainfuck"


@pytest.mark.parametrize(
    ("message", "ident"),
    [
        ([], None),
        ([{"jsonrpc": "2.0", "id": 5, "method": "shutdown"}], None),
        ("x", None),
        (None, None),
        (3, None),
        ({}, None),
        ({"jsonrpc": "2.0"}, None),
        ({"jsonrpc": "2.0", "id": 4}, 4),
        ({"id": 4, "method": "shutdown"}, 4),
        ({"jsonrpc": "1.0", "id": 4, "method": "shutdown"}, 4),
        ({"jsonrpc": "2.0", "id": None, "method": "shutdown"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "shutdown"}, None),
        ({"jsonrpc": "2.0", "id": [1], "method": "shutdown"}, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}, None),
        ({"jsonrpc": "2.0", "id": 4, "method": 3}, 4),
    ],
)
async def test_what_is_no_message_is_refused(line: Line, message: Any, ident: object) -> None:
    line.protocol.receive(message)
    assert line.sent.code(ident) == types.ErrorCodes.InvalidRequest
    assert len(line.sent.messages) == 1
    assert line.protocol.phase is Phase.OPEN


async def test_garbage_is_a_parse_error(line: Line) -> None:
    line.protocol.receive(Garbled("no JSON"))
    assert line.sent.code(None) == types.ErrorCodes.ParseError


async def test_unknown_requests_are_refused_and_unknown_notifications_ignored(line: Line) -> None:
    line.request(1, "textDocument/rename", {})
    line.request(2, "$/strange")
    line.request(3, "no such thing")
    line.notify("textDocument/didOpen", {"broken": True})
    line.notify("$/strange", [1])
    assert [line.sent.code(ident) for ident in (1, 2, 3)] == [types.ErrorCodes.MethodNotFound] * 3
    assert len(line.sent.messages) == 3


async def test_before_initialize_and_after_shutdown() -> None:
    line = Line()
    ran: list[Any] = []
    line.protocol.handlers["x/y"] = ran.append
    line.protocol.handlers["exit"] = lambda _: ran.append("exit")
    line.request(1, "x/y")
    line.request(2, "shutdown")
    line.notify("x/y")
    assert [line.sent.code(ident) for ident in (1, 2)] == [types.ErrorCodes.ServerNotInitialized] * 2
    line.request(3, "initialize", [])
    assert line.sent.code(3) == types.ErrorCodes.InvalidParams
    line.request(4, "initialize", {})
    line.request(5, "initialize", {})
    assert line.sent.to(4)[0]["result"] == {"capabilities": {}}
    assert line.sent.code(5) == types.ErrorCodes.InvalidRequest
    line.request(6, "shutdown")
    assert line.sent.to(6)[0]["result"] is None
    line.request(7, "x/y")
    line.request(8, "shutdown")
    line.request(9, "initialize", {})
    line.notify("x/y")
    assert [line.sent.code(ident) for ident in (7, 8, 9)] == [types.ErrorCodes.InvalidRequest] * 3
    assert not ran
    line.notify("exit")
    assert ran == ["exit"]


async def test_what_is_loaded_after_the_first_answer_is_there_for_the_next_message() -> None:
    line = Line()
    seen: list[int] = []

    def load() -> None:
        seen.append(len(line.sent.to(1)))
        line.protocol.handlers["x/y"] = lambda _: "loaded"

    line.protocol.on_open = load
    line.request(1, "initialize", {})
    line.request(2, "x/y")
    assert seen == [1]
    assert line.sent.to(2)[0]["result"] == "loaded"


async def test_cancelling_is_answered_at_once_and_a_late_result_dropped(line: Line) -> None:
    torn_down: list[str] = []

    async def stubborn(_: Any) -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            torn_down.append("down")
        return "too late"

    line.protocol.handlers["x/y"] = stubborn
    line.request(1, "x/y")
    await turns()
    line.notify("$/cancelRequest", {"id": 1})
    assert line.sent.code(1) == types.LSPErrorCodes.RequestCancelled
    line.request(1, "x/y")  # the id is free again
    line.notify("$/cancelRequest", {"id": 1})
    line.notify("$/cancelRequest", {"id": 99})
    line.notify("$/cancelRequest", [1])
    line.notify("$/cancelRequest", {"id": [1]})
    await asyncio.sleep(0.05)
    assert len(line.sent.messages) == 2
    assert torn_down == ["down"]


async def test_a_late_result_is_no_answer_to_a_newer_request_of_the_same_id(line: Line) -> None:
    gates = [asyncio.Event(), asyncio.Event()]
    waiting = iter(enumerate(gates))

    async def stubborn(_: Any) -> int:
        number, gate = next(waiting)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60 if number == 0 else 0)
        await gate.wait()
        return number

    line.protocol.handlers["x/y"] = stubborn
    line.request(1, "x/y")
    await turns()
    line.notify("$/cancelRequest", {"id": 1})
    line.request(1, "x/y")
    await turns()
    gates[0].set()
    await turns()
    assert len(line.sent.messages) == 1
    gates[1].set()
    await turns()
    assert line.sent.messages[1]["result"] == 1


async def test_shutdown_cancels_what_is_being_answered(line: Line) -> None:
    line.protocol.handlers["x/y"] = lambda _: asyncio.sleep(60)
    line.request(1, "x/y")
    await turns()
    line.request(2, "shutdown")
    await turns()
    assert [message["id"] for message in line.sent.messages] == [1, 2]
    assert line.sent.code(1) == types.LSPErrorCodes.RequestCancelled


async def test_an_id_that_is_still_in_use_is_refused(line: Line) -> None:
    gate = asyncio.Event()

    async def waits(_: Any) -> str:
        await gate.wait()
        return "first"

    line.protocol.handlers["x/y"] = waits
    line.request(1, "x/y")
    line.request(1, "x/y")
    line.request("1", "x/y")  # another id
    gate.set()
    await turns()
    kinds = [message.get("result", message.get("error", {}).get("code")) for message in line.sent.messages]
    assert kinds == [types.ErrorCodes.InvalidRequest, "first", "first"]


async def test_faults_are_answered_without_their_trace(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    async def late(_: Any) -> None:
        await asyncio.sleep(0)
        raise KeyError("secret")

    def early(_: Any) -> None:
        raise ZeroDivisionError

    line.protocol.handlers.update({"a": late, "b": early, "c": lambda _: {1, 2}, "d": lambda _: float("nan")})
    for ident in ("a", "b", "c", "d"):
        line.request(ident, ident)
    await turns()
    for ident in ("a", "b", "c", "d"):
        error = line.sent.to(ident)[0]["error"]
        assert error["code"] == types.ErrorCodes.InternalError
        assert "maxcode.log" in error["message"] and "data" not in error and "secret" not in error["message"]
    assert len(line.sent.messages) == 4
    assert "secret" in caplog.text


async def test_a_fault_in_a_notification_is_logged_and_never_pops_up(
    line: Line, caplog: pytest.LogCaptureFixture
) -> None:
    async def late(_: Any) -> None:
        raise KeyError("what was wrong")

    def early(_: Any) -> None:
        raise ZeroDivisionError

    line.protocol.handlers.update({"a": late, "b": early})
    line.notify("a")
    line.notify("b")
    await turns()
    assert not line.sent.messages
    assert "what was wrong" in caplog.text and "ZeroDivisionError" in caplog.text


async def test_our_own_refusals_are_told_in_their_words(line: Line) -> None:
    def refuses(_: Any) -> None:
        raise Refused("No inputs. Put one in a.in.")

    def modified(_: Any) -> None:
        raise JsonRpcException("It changed.", code=types.LSPErrorCodes.ContentModified)

    line.protocol.handlers.update({"a": refuses, "b": modified})
    line.request(1, "a")
    line.request(2, "b")
    assert line.sent.to(1)[0]["error"] == {
        "code": types.LSPErrorCodes.RequestFailed,
        "message": "No inputs. Put one in a.in.",
    }
    assert line.sent.code(2) == types.LSPErrorCodes.ContentModified


async def test_the_client_is_asked_and_its_answers_taken(line: Line) -> None:
    shown, edit = types.ShowDocumentParams(uri="u"), types.ApplyWorkspaceEditParams(edit=types.WorkspaceEdit())
    asking = asyncio.ensure_future(line.protocol.send_request_async("window/showDocument", shown))
    plain = asyncio.ensure_future(line.protocol.send_request_async("x/y", {"n": 1}))
    failing = asyncio.ensure_future(line.protocol.send_request_async("x/y", None))
    broken = asyncio.ensure_future(line.protocol.send_request_async("workspace/applyEdit", edit))
    await turns()
    first, second, third, fourth = (message["id"] for message in line.sent.messages)
    line.protocol.receive({"jsonrpc": "2.0", "id": first, "result": {"success": True}})
    line.protocol.receive({"jsonrpc": "2.0", "id": second})  # a result of undefined is left out by some clients
    line.protocol.receive({"jsonrpc": "2.0", "id": third, "error": "not even an object"})
    line.protocol.receive({"jsonrpc": "2.0", "id": fourth, "result": {"applied": "?", "failedChange": []}})
    line.protocol.receive({"jsonrpc": "2.0", "id": "unknown", "result": 1})
    line.protocol.receive({"jsonrpc": "2.0", "id": first, "result": {"success": False}})
    assert (await asking) == types.ShowDocumentResult(success=True)
    assert await plain is None
    with pytest.raises(JsonRpcException):
        await failing
    assert isinstance((await asyncio.gather(broken, return_exceptions=True))[0], Exception)
    assert len(line.sent.messages) == 4


async def test_an_answer_that_nobody_waits_for_any_more_is_dropped(line: Line) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(line.protocol.send_request_async("x/y", {}), 0.01)
    ident = line.sent.messages[0]["id"]
    assert not line.protocol._request_futures and not line.protocol._result_types
    line.protocol.receive({"jsonrpc": "2.0", "id": ident, "result": 1})
    assert len(line.sent.messages) == 1
