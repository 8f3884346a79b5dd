"""A session of thousands of messages, most of them wrong: each request is answered exactly once, nothing crashes."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from lsprotocol import types

from maxcode_lsp.server import custom
from maxcode_lsp.server.connection.frames import frame
from tests.server.raw import Started

SEED = int(os.environ.get("MAXCODE_FUZZ_SEED", "20261130"))
MESSAGES = int(os.environ.get("MAXCODE_FUZZ_MESSAGES", "5000"))
FAULTS = {types.ErrorCodes.InternalError, types.ErrorCodes.ServerNotInitialized, types.ErrorCodes.ParseError}
"""Codes that no request of the session may be answered with."""

PROGRAM = """#include <iostream>
int add(int a, int b) { return a + b; }\f
int main() {
    long n = 0; // é 𝛑 \u2028
    for (int i = 0; i < 1000; ++i) n += add(i, 1);
    std::cout << n << "\\n";
}
"""
TEXTS = [
    "",
    "\r",
    "\r\n\r\n",
    "\ufeff" + PROGRAM,
    PROGRAM,
    PROGRAM.replace("\n", "\r\n"),
    "int main(){" * 300,
    "\0\ud800x",
]
URIS = [
    "file:///no/such/folder/a.cpp",
    "file:///no/such/folder/%61.cpp",
    "FILE:///no/such/folder/b%20c.cc",
    "untitled:Untitled-1",
    "file:///no/such/folder/kernel.cu",
    "file://host/share/x.cpp",
    "file:///no/such/folder/maxcode.toml",
    "file:///%00%ff",
    "",
    "http://[",
]
JUNK: list[Any] = [
    *(
        None,
        True,
        0,
        -1,
        1 << 31,
        1 << 70,
        0.5,
        "",
        "x",
        "\ud800",
        [],
        {},
        [[]],
        {"jsonrpc": "2.0", "id": 1},
        [None] * 50,
    ),
    *("😀" * 2000, {"": {"": {"": []}}}),
]


class Fuzz:
    """Makes messages, and knows how often each is to be answered."""

    def __init__(self, seed: int, uris: Sequence[str]) -> None:
        self.random = random.Random(seed)
        self.uris = [*URIS, *uris]
        self.ident = 1000
        self.expected: Counter[str] = Counter()
        """Answers by id, as JSON."""
        self.versions = 0
        self.methods: dict[str, Callable[[], Any]] = {
            "textDocument/hover": self.at_position,
            "textDocument/codeAction": self.code_action,
            "codeAction/resolve": self.action,
            "textDocument/codeLens": lambda: {"textDocument": self.document()},
            "workspace/executeCommand": self.command,
            custom.RUNS: lambda: {"uri": self.uri(), "limit": self.number()},
            custom.CANDIDATE: lambda: {"run": self.word(), "candidate": self.word()},
            custom.STATUS: lambda: self.random.choice([None, {}, {"uri": self.uri()}]),
            "textDocument/rename": self.at_position,
            "no/such": dict,
            "$/odd": list,
            "initialize": dict,
        }
        self.notices: dict[str, Callable[[], Any]] = {
            "textDocument/didOpen": self.opened,
            "textDocument/didChange": self.changed,
            "textDocument/didClose": lambda: {"textDocument": self.document()},
            "textDocument/didSave": lambda: {"textDocument": self.document()},
            "workspace/didChangeConfiguration": lambda: {"settings": self.junk()},
            "workspace/didChangeWatchedFiles": lambda: {"changes": [{"uri": self.uri(), "type": 2}]},
            "workspace/didRenameFiles": lambda: {"files": [{"oldUri": self.uri(), "newUri": self.uri()}]},
            "workspace/didDeleteFiles": lambda: {"files": [{"uri": self.uri()}]},
            "workspace/didChangeWorkspaceFolders": self.folders,
            "window/workDoneProgress/cancel": lambda: {"token": self.word()},
            "$/cancelRequest": lambda: {"id": self.ident - self.random.randrange(20)},
            "$/setTrace": lambda: {"value": self.random.choice(["off", "verbose", "?"])},
            "notebookDocument/didOpen": dict,
            "no/such": dict,
            "initialized": dict,
        }

    def junk(self) -> Any:
        return self.random.choice(JUNK)

    def word(self) -> str:
        return self.random.choice(["", "x", "maxcode-1", "20261130-120000-abcdef", "../../etc/passwd", "é" * 300])

    def uri(self) -> str:
        return self.random.choice(self.uris)

    def number(self) -> int:
        return self.random.choice([0, 0, 1, 2, 3, 4, 5, 7, 20, 100, 2**31 - 1, -1, 2**32])

    def document(self) -> dict[str, Any]:
        return {"uri": self.uri()}

    def position(self) -> dict[str, Any]:
        return {"line": self.number(), "character": self.number()}

    def range(self) -> dict[str, Any]:
        return {"start": self.position(), "end": self.position()}

    def at_position(self) -> dict[str, Any]:
        return {"textDocument": self.document(), "position": self.position()}

    def diagnostic(self) -> Any:
        sound = {"range": self.range(), "message": "m", "source": "other"}
        field = self.random.choice(["severity", "tags", "code", "data", "message", "relatedInformation", "source"])
        return self.random.choice([sound, {**sound, field: self.junk()}, self.junk()])

    def code_action(self) -> dict[str, Any]:
        found = [self.diagnostic() for _ in range(self.random.randrange(4))]
        context = {"diagnostics": found, "only": ["refactor"], "triggerKind": self.random.choice([1, 2, 7])}
        return {"textDocument": self.document(), "range": self.range(), "context": context}

    def action(self) -> dict[str, Any]:
        data = self.random.choice([self.junk(), {"uri": self.uri(), "run": self.word(), "version": 1}])
        return {"title": "t", "kind": "refactor", "data": data, "diagnostics": [self.diagnostic()]}

    def command(self) -> dict[str, Any]:
        run = {"run": self.word(), "candidate": self.random.choice([None, "x"])}
        start = {"uri": self.uri(), "settings": self.random.choice([{}, {"budget": self.junk()}, {"x": 1}])}
        arguments = self.random.choice([[run], [run], [start], [self.junk()], [], [run, run], None])
        return {"command": self.random.choice([*custom.COMMANDS, "other"]), "arguments": arguments}

    def opened(self) -> dict[str, Any]:
        text = self.random.choice(TEXTS)
        if self.random.random() < 0.004:
            text = PROGRAM * (1_500_000 // len(PROGRAM))
        language = self.random.choice(["cpp", "cpp", "cpp", "c", "cuda", "cuda-cpp", "toml", ""])
        self.versions += 1
        return {"textDocument": {**self.document(), "languageId": language, "version": self.versions, "text": text}}

    def changed(self) -> dict[str, Any]:
        self.versions += 1
        changes = [
            self.random.choice([{"text": self.random.choice(TEXTS)}, {"range": self.range(), "text": "int x;\n"}])
            for _ in range(self.random.randrange(4))
        ]
        return {"textDocument": {**self.document(), "version": self.versions}, "contentChanges": changes}

    def folders(self) -> dict[str, Any]:
        folder = [{"uri": self.uri(), "name": "n"}]
        return {"event": {"added": folder, "removed": self.random.choice([[], folder])}}

    def spoiled(self, value: Any) -> Any:
        """The value with something in it replaced or left out."""
        if isinstance(value, dict) and value and self.random.random() < 0.9:
            named = cast("dict[str, Any]", value)
            key = self.random.choice(list(named))
            changed = {**named, key: self.spoiled(named[key])}
            if self.random.random() < 0.2:
                del changed[key]
            return changed
        if isinstance(value, list) and value and self.random.random() < 0.8:
            listed = cast("list[Any]", value)
            at = self.random.randrange(len(listed))
            return [*listed[:at], self.spoiled(listed[at]), *listed[at + 1 :]]
        return self.junk()

    def params(self, make: Callable[[], Any]) -> Any:
        value = make()
        return self.spoiled(value) if self.random.random() < 0.3 else value

    def request(self) -> bytes:
        self.ident += 1
        ident: int | str = self.ident if self.random.random() < 0.8 else f"s{self.ident}"
        method = self.random.choice(list(self.methods))
        message = {"jsonrpc": "2.0", "id": ident, "method": method, "params": self.params(self.methods[method])}
        if message["params"] is None and self.random.random() < 0.5:
            del message["params"]
        self.expected[json.dumps(ident)] += 1
        return frame(message)

    def notice(self) -> bytes:
        method = self.random.choice([*self.notices, "textDocument/didOpen", "textDocument/didChange"])
        return frame({"jsonrpc": "2.0", "method": method, "params": self.params(self.notices[method])})

    def odd(self) -> bytes:
        """What is no proper message; each is answered once, without an id."""
        deep = b'{"jsonrpc":"2.0","id":1,"method":"x","params":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
        bodies = [b"", b"{", b"[]", b"[1,2]", b"null", b'"x"', b"3", b"{}", b'{"jsonrpc":"2.0"}', b"\xff\xfe\x00", deep]
        bodies += [b'{"jsonrpc":"2.0","id":null,"method":"shutdown"}', b'{"jsonrpc":"2.0","id":{},"method":"shutdown"}']
        bodies += [b'[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]', b'{"method":"shutdown","id":false}']
        self.expected["null"] += 1
        body = self.random.choice(bodies)
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def reply(self) -> bytes:
        """An answer to nothing."""
        answer = self.random.choice([{"result": self.junk()}, {"error": self.junk()}])
        return frame({"jsonrpc": "2.0", "id": self.random.choice(["nobody", 10**9]), **answer})

    def message(self) -> bytes:
        kinds = [self.request] * 11 + [self.notice] * 7 + [self.odd, self.reply]
        return self.random.choice(kinds)()


def test_every_request_of_a_wild_session_is_answered_exactly_once(started: Started, tmp_path: Path) -> None:
    server = started()
    files = [tmp_path / name for name in ("real.cpp", "a real ü.cpp", "maxcode.toml")]
    for file in files:
        file.write_text("budget = 'x'" if file.suffix == ".toml" else PROGRAM)
    server.replies = {"workspace/configuration": [{"budget": "x"}], "window/showMessageRequest": None}
    capabilities: dict[str, Any] = {
        "workspace": {"configuration": True, "applyEdit": True, "codeLens": {"refreshSupport": True}},
        "window": {"workDoneProgress": True, "showDocument": {"support": True}},
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {}, "disabledSupport": True}},
    }
    # Nothing is to be built here; whatever would be needs this.
    server.initialize(
        capabilities, rootUri=tmp_path.as_uri(), initializationOptions={"trusted": False, "runChanged": True}
    )
    fuzz = Fuzz(SEED, [file.as_uri() for file in files] * 2)
    for _ in range(MESSAGES):
        server.raw(fuzz.message())
    unanswered = fuzz.expected.total()
    answers: Counter[str] = Counter()
    codes: Counter[int] = Counter()

    def count() -> None:
        for message in server.messages:
            if "method" not in message and (ident := json.dumps(message["id"])) != "1":
                answers[ident] += 1
                if "error" in message and ident != "null":
                    codes[message["error"]["code"]] += 1
        server.messages.clear()

    count()
    while answers.total() < unanswered:
        server.take()
        count()
    last = server.call(custom.STATUS)
    assert last["result"]["state"]
    assert server.stop() == 0
    count()
    answers -= Counter({json.dumps(last["id"]): 1, json.dumps(last["id"] + 1): 1})
    assert answers == fuzz.expected, f"MAXCODE_FUZZ_SEED={SEED}"
    assert not FAULTS & codes.keys(), f"MAXCODE_FUZZ_SEED={SEED}: {codes}\n{server.log()[-5000:]}"
    assert {types.ErrorCodes.InvalidParams, types.ErrorCodes.MethodNotFound} <= codes.keys()
    assert " ERROR " not in server.log(), f"MAXCODE_FUZZ_SEED={SEED}: {server.log()[-5000:]}"
