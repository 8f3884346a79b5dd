"""Logs, warnings and faults of a process; what an engine prints; journals and messages: no planted key comes out."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from lsprotocol import types
from msgspec.structs import replace

from maxcode_lsp import redaction
from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Prepared, Progress, Replied, RunResult
from maxcode_lsp.engine.journal.lines import without_secrets
from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.engine.link import Link
from maxcode_lsp.engine.outlet import Outlet
from maxcode_lsp.engine.wire import Happened, message_of
from maxcode_lsp.messages import phrases
from maxcode_lsp.records import Critique, Evaluation, Feedback, Finding, Hunk, Outcome, Span
from maxcode_lsp.server.connection.decoding import strict_converter
from maxcode_lsp.server.connection.frames import decoded, frame
from tests.engine.journal import samples
from tests.planted.keys import ALL, environment, found_in, keys_of, leaks

EVALUATED: Any = samples.judged(1)
ENDED = samples.ended()
ENVIRONMENT = samples.ENVIRONMENT
ROOT = Path(__file__).parents[2]


def homes(folder: Path) -> dict[str, str]:
    """The environment of a process with all keys, that keeps its files below a folder."""
    own = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")}
    return {**os.environ, **own, **environment(), "PYTHONPATH": str(ROOT)}


def test_the_search_for_keys_finds_them() -> None:
    """A test that could not find a key would prove nothing."""
    for key in ALL:
        assert found_in(f"x{key}y".encode()) == {key}
        assert found_in(json.dumps({"a": [key]}).encode()) == {key}
        assert found_in(base64.b64encode(f"{key}, and more".encode())) >= {key}


def test_logs_warnings_and_faults(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "always", "-X", "dev", "-m", "tests.planted.speaker"],
        cwd=ROOT,
        env=homes(tmp_path),
        capture_output=True,
        timeout=120,
        check=False,
    )
    log = (tmp_path / "state/maxcode/log/maxcode.log").read_bytes()
    for words in (
        b"sent [secret] with",
        b"Authorization: Bearer [secret]",
        b"https://[secret]@host/v1?key=[secret]",
        b"could not be put into words",
        b"a thread failed",
        b"DeprecationWarning: [secret] will not be supported",
        b"Task exception was never retrieved",
        b"KeyError: '[secret]'",
        b"ExceptionGroup",
    ):
        assert words in log, words
    assert b"[secret]" in ended.stdout and b"[secret]" in ended.stderr
    assert ended.returncode == 1
    assert leaks(tmp_path, stdout=ended.stdout, stderr=ended.stderr) == {}


PRINTS = """
import sys
from tests.planted.keys import keys_of
for key in keys_of("print of a library"):
    print("x" * 4000, key, file=sys.stderr)
    print(f"headers: {{'authorization': 'Bearer {key}'}}", file=sys.stderr)
"""


@pytest.mark.parametrize("cut", range(0, 60, 7))
async def test_what_an_engine_said_at_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    """Its end is kept, which may begin in the middle of a key."""
    for name, value in homes(tmp_path).items():
        monkeypatch.setenv(name, value)
    redaction.hide(ALL)
    script = f"{PRINTS}print('y' * (8100 + {cut}), file=sys.stderr)" if cut else PRINTS
    monkeypatch.setattr("maxcode_lsp.engine.link.ARGV", (sys.executable, "-c", script))
    with pytest.raises(Exception, match="could not be started"):
        await Link.open(lambda _: None, lambda _, __: None, lambda: False)
    log = (tmp_path / "state/maxcode/log/maxcode.log").read_bytes()
    assert b"said at last" in log
    assert leaks(tmp_path) == {}
    halves = [key[n : n + 12].encode() for key in keys_of("print of a library") for n in (0, 5, 10, 15)]
    assert [half for half in halves if half in log] == []


def events(key: str) -> list[Any]:
    """One of each kind that a run tells, with a key in every text."""
    finding = Finding("hot:1", "hot-lines", Span(1, 2), f"It says {key}.", key)
    code = f'const char* key = "{key}";\n'.encode()
    origin = replace(EVALUATED.candidate.origin, rationale=f"as {key} told")
    candidate = replace(
        EVALUATED.candidate, origin=origin, change=replace(EVALUATED.candidate.change, hunks=(Hunk(0, 0, code),))
    )
    evaluation = Evaluation("c1", Outcome.RUNTIME_ERROR, Feedback(key, f"Authorization: Bearer {key}"))
    return [
        Prepared("b.cpp", 1000, 7, 300.0, (key, f"api_base https://u:{key}@host?key={key}"), ENVIRONMENT),
        Critiqued(None, Critique((finding,), {1: 0.5}, notes=(key,))),
        Progress(f"waiting for {key}", 1, 2),
        Replied("openai/any", "llm", "0" * 64, 0, 1, 2, None, False, f"odd: {key}", 0.1),
        replace(EVALUATED, rationale=key, evaluation=evaluation, candidate=candidate),
        Decided("stopped", None, f"the model said {key}"),
        replace(ENDED, reason=key, notes=(key,), diff=f"+// {key}\n", critique=Critique((finding,)), edited=code),
    ]


def test_journals_hold_none_and_all_else_as_it_was(tmp_path: Path) -> None:
    redaction.hide(ALL)
    told = [event for key in keys_of("journal") for event in events(key) if not isinstance(event, Progress)]
    source = f"// {keys_of('journal')[0]}\n".encode()
    journal = Journal.begin(
        tmp_path, replace(samples.heading(file="/home/me/sk-hynix-2024-tests/a.cpp"), source=source)
    )
    for event in told:
        journal.append(1.0, event)
    journal.close()
    raw = journal.path.read_bytes()
    assert b"[secret]" in raw
    texts = re.sub(rb'"(source|replacement|edited)":"[^"]*"', b"", raw)
    assert found_in(texts) == set()
    recorded = read(journal.path)
    assert recorded.opened.source == source
    assert recorded.opened.file == "/home/me/sk-hynix-2024-tests/a.cpp"
    assert [line.record for line in recorded.lines] == [without_secrets(event) for event in told]
    for before, after in zip(told, recorded.lines, strict=True):
        assert exact(before) == exact(after.record)


def exact(event: Any) -> Any:
    """What must not change: code, digests, figures."""
    if isinstance(event, Evaluated):
        return event.candidate and event.candidate.change, event.number, event.speedup
    if isinstance(event, RunResult):
        return event.edited, event.speedup, event.status
    return None


async def test_what_the_engine_tells_the_server() -> None:
    redaction.hide(ALL)
    inlet, outlet = os.pipe()
    out = await Outlet.open(outlet, lambda _: None)
    said = bytearray()
    for key in keys_of("progress"):
        for event in events(key):
            out.send(Happened("run", event))
            await asyncio.sleep(0)
            said += await asyncio.to_thread(os.read, inlet, 1 << 20)
    out.close()
    os.close(inlet)
    lines = bytes(said).splitlines()
    assert len(lines) == 5 * len(events(""))
    texts = re.sub(rb'"(replacement|edited)":"[^"]*"', b"", bytes(said))
    assert found_in(texts) == set()
    told = [event for key in keys_of("progress") for event in events(key)]
    for line, event in zip(lines, told, strict=True):
        message = message_of(line)
        assert isinstance(message, Happened)
        assert message.event == without_secrets(event)
        assert exact(message.event) == exact(event)


def test_messages_to_the_editor() -> None:
    redaction.hide(ALL)
    converter = strict_converter()
    for key in keys_of("message to the editor"):
        uri = "file:///home/me/sk-hynix-2024-tests/a.cpp"
        edit = types.TextEdit(types.Range(types.Position(0, 0), types.Position(0, 0)), f'"{key}"')
        diagnostic = types.Diagnostic(edit.range, f"it says {key}", code=key)
        told: list[Any] = [
            types.ShowMessageParams(types.MessageType.Error, f"{key} is wrong"),
            types.ShowMessageRequestParams(types.MessageType.Info, key, [types.MessageActionItem(key)]),
            types.LogMessageParams(types.MessageType.Info, f"Authorization: Bearer {key}"),
            types.ProgressParams("token", types.WorkDoneProgressReport(message=key)),
            types.PublishDiagnosticsParams(uri, [diagnostic]),
            types.Hover(types.MarkupContent(types.MarkupKind.Markdown, f"**{key}**\n\n`{key}`")),
            [
                types.CodeLens(
                    edit.range, types.Command(f"said {key}", "maxcode.start", arguments=[{"uri": uri, "text": key}])
                )
            ],
            {"code": 1, "message": f"{key} failed", "data": [key]},
        ]
        for params in told:
            body = frame({"jsonrpc": "2.0", "method": "m", "params": params}, converter.unstructure)
            whole = decoded(body.partition(b"\r\n\r\n")[2])
            assert found_in(json.dumps(without(whole, "text")).encode()) == set()
            assert "[secret]" in str(whole)
            assert (uri in str(whole)) is (uri in str(params))
        applied = types.ApplyWorkspaceEditParams(types.WorkspaceEdit({uri: [edit]}), label=key)
        whole = decoded(frame({"params": applied}, converter.unstructure).partition(b"\r\n\r\n")[2])
        assert whole["params"]["edit"]["changes"][uri][0]["newText"] == f'"{key}"'  # the user's own text, exactly
        assert whole["params"]["label"] == "[secret]"


def without(value: Any, member: str) -> Any:
    if isinstance(value, dict):
        return {name: without(one, member) for name, one in cast("dict[str, Any]", value).items() if name != member}
    return [without(one, member) for one in cast("list[Any]", value)] if isinstance(value, list) else value


def test_what_is_printed() -> None:
    redaction.hide(ALL)
    for key in ALL:
        assert found_in(phrases.printable(f"{key}: {key!r}").encode()) == set()
