"""``docs/protocol.md`` names what the server has: all of it, and nothing else."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from maxcode_lsp.engine.client import EngineState
from maxcode_lsp.records import Outcome, RunStatus, Verdict
from maxcode_lsp.server import app, custom
from maxcode_lsp.server.app import App
from maxcode_lsp.server.connection import editor
from maxcode_lsp.server.serving import Serving
from maxcode_lsp.server.workspace.options import Options, read_options

PAGE = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")
STRUCTS: dict[str, type[msgspec.Struct]] = {
    name: kind
    for name, kind in vars(custom).items()
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct
}
METHODS = {custom.RUNS, custom.CANDIDATE, custom.STATUS, custom.RUN_CHANGED, custom.SECRETS, custom.COMPARING}
EXAMPLE = re.compile(r"^```json(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = [(named, text) for named, text in EXAMPLE.findall(PAGE)]
STANDARD = re.compile(r"^(?:[a-z][A-Za-z]+|\$)/[A-Za-z/]+$|^(?:initialized?|shutdown|exit)$")


def table(name: str) -> dict[str, list[str]]:
    """The rows under the heading of a struct, by field."""
    section = PAGE.split(f"#### `{name}`\n", 1)[1].split("\n#", 1)[0]
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in section.splitlines()
        if line[:1] == "|"
    ]
    assert rows[0] == ["field", "type", "default", "meaning"]
    return {row[0].strip("`"): row for row in rows[2:]}


@pytest.mark.parametrize("name", STRUCTS)
def test_each_field_has_its_row(name: str) -> None:
    fields = msgspec.structs.fields(STRUCTS[name])
    rows = table(name)
    assert list(rows) == [field.encode_name for field in fields]
    for field in fields:
        _, kind, default, meaning = rows[field.encode_name]
        assert kind and meaning
        if field.required:
            assert default == ""
        else:
            made = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            assert json.loads(default.strip("`")) == json.loads(msgspec.json.encode(made))
        assert ("null" in kind) == (type(None) in getattr(field.type, "__args__", ()))


def test_there_is_no_struct_but_these() -> None:
    assert set(re.findall(r"^#### `(\w+)`$", PAGE, re.MULTILINE)) == {*STRUCTS, "Options"}


def test_options_are_those_that_are_read() -> None:
    rows = table("Options")
    options, wrong, unknown = read_options(dict.fromkeys(rows))
    assert (options, wrong, unknown) == (Options(), (), ())
    assert len(rows) == len(msgspec.structs.fields(Options))


def test_methods_and_commands_are_all_there_and_no_others() -> None:
    assert set(re.findall(r"maxcode/\w+", PAGE)) == METHODS
    commands = set(re.findall(r"maxcode\.(?!toml)\w+", PAGE.replace(app.ACTION_KIND, "")))
    assert commands == set(custom.COMMANDS) == set(app.COMMANDS)
    headings = set(re.findall(r"^### `(maxcode[./]\w+)`$", PAGE, re.MULTILINE))
    assert headings == METHODS | set(custom.COMMANDS)


@pytest.mark.parametrize(("named", "text"), EXAMPLES, ids=[f"{n}-{named}" for n, (named, _) in enumerate(EXAMPLES)])
def test_examples_are_what_they_say(named: str, text: str) -> None:
    example = json.loads(text)
    if named == "ServerCapabilities":
        assert example == app._offered("utf-16")
    elif named == "Options":
        options, wrong, unknown = read_options(example)
        assert (wrong, unknown) == ((), ())
        assert options != Options()
    elif named:
        whole = json.loads(msgspec.json.encode(msgspec.convert(example, STRUCTS[named])))
        assert {**whole, **example} == whole
    else:
        assert {"documentChanges", "changeAnnotations"} == set(example) or {"code", "message"} == set(example)


def test_each_struct_has_an_example() -> None:
    assert {named for named, _ in EXAMPLES} >= {*STRUCTS, "Options", "ServerCapabilities"}


async def test_standard_messages_are_those_that_are_handled_and_sent() -> None:
    handled = set(App(asyncio.get_running_loop().create_future(), lambda: None).protocol.handlers)
    serving = Serving(LanguageServer("maxcode", "0"), "utf-16", {})
    handled |= set(serving.handlers()) | {types.CANCEL_REQUEST}
    await serving.close()
    names = re.findall(r"types\.([A-Z][A-Z_]+)\b", inspect.getsource(editor))
    sent = {value for name in names if isinstance(value := getattr(types, name), str)}
    section = PAGE.split("## Standard messages\n", 1)[1].split("\n## ", 1)[0]
    told = {
        word for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for word in re.findall(r"`([^`]+)`", row)
    }
    assert all(STANDARD.match(word) for word in told)
    assert told == (handled - METHODS) | sent


def test_abilities_of_clients_are_those_that_are_asked_for() -> None:
    asked = set(re.findall(r'(?:at|names)\("([\w.]+)"\)', inspect.getsource(editor.abilities)))
    section = PAGE.split("### What the client can do\n", 1)[1].split("\n## ", 1)[0]
    told = set(re.findall(r"`((?:general|window|workspace|textDocument)\.[\w.]+)`", section))
    assert told == asked | {"general.positionEncodings"}


@pytest.mark.parametrize(
    ("struct", "field", "values", "more"),
    [
        ("RunInfo", "status", RunStatus, {"interrupted"}),
        ("CandidateInfo", "outcome", Outcome, set[str]()),
        ("CandidateInfo", "verdict", Verdict, set[str]()),
        ("StatusInfo", "engine", EngineState, set[str]()),
    ],
)
def test_values_are_all_named(struct: str, field: str, values: type[Enum], more: set[str]) -> None:
    named = set(re.findall(r"`(\w+)`", table(struct)[field][3])) - {"resume"}
    assert named == {value.value for value in values} | more


def test_error_codes_have_their_names() -> None:
    codes: dict[str, Any] = {**types.ErrorCodes.__members__, **types.LSPErrorCodes.__members__}
    rows = re.findall(r"^\| (-\d+) \| (\w+) \|", PAGE, re.MULTILINE)
    assert len(rows) == 9
    for code, name in rows:
        assert codes[name].value == int(code)
