"""The extension for VS Code says what the package says. What it does: vscode-client/test and tests/e2e/vscode."""

from __future__ import annotations

import json
import re
from pathlib import Path

from maxcode_lsp import __version__
from maxcode_lsp.server import custom
from maxcode_lsp.settings import editor_properties

CLIENT = Path(__file__).parents[1] / "vscode-client"
MANIFEST = json.loads((CLIENT / "package.json").read_text())
OWN = {"maxcode.server.path", "maxcode.server.package", "maxcode.preview", "maxcode.trace.server"}


def test_its_settings_are_those_of_the_schema() -> None:
    """``maxcode schema --editor | node scripts/manifest.mjs`` brings them in step."""
    told = MANIFEST["contributes"]["configuration"]["properties"]
    assert {key: value for key, value in told.items() if key not in OWN} == editor_properties()
    assert set(told) >= OWN


def test_it_is_of_the_same_version() -> None:
    assert MANIFEST["version"] == __version__
    lock = json.loads((CLIENT / "package-lock.json").read_text())
    assert lock["packages"][""]["version"] == __version__


def test_lock_files_name_no_place() -> None:
    for lock in (CLIENT / "package-lock.json", CLIENT.parent / "tests" / "e2e" / "vscode" / "package-lock.json"):
        assert '"resolved"' not in lock.read_text(), "each machine has its own registry"


def test_its_records_are_those_of_the_protocol() -> None:
    """Each interface of ``src/protocol.ts`` has the fields of the server's record."""
    text = (CLIENT / "src" / "protocol.ts").read_text()
    interfaces = dict(re.findall(r"export interface (\w+) \{\n(.*?)\n\}", text, re.DOTALL))
    assert len(interfaces) > 8
    for name, body in interfaces.items():
        fields = set(re.findall(r"^  (\w+)\??:", body, re.MULTILINE))
        record = getattr(custom, name)
        assert fields == set(record.__struct_encode_fields__), name
    methods = set(re.findall(r'"(maxcode[./]\w+)"', text))
    known = {*custom.COMMANDS, custom.RUNS, custom.CANDIDATE, custom.STATUS, custom.RUN_CHANGED, custom.COMPARING}
    assert methods <= {*known, custom.SECRETS}
