from __future__ import annotations

import json

from typer.testing import CliRunner

from maxcode_lsp.cli.app import app
from maxcode_lsp.settings import editor_properties


def test_what_an_extension_needs_can_be_printed() -> None:
    ended = CliRunner().invoke(app, ["schema", "--editor"])
    assert ended.exit_code == 0
    assert json.loads(ended.stdout) == editor_properties()
