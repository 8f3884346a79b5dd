from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from maxcode_lsp import __version__
from maxcode_lsp.cli.app import app

ROOT = Path(__file__).parents[2]


def maxcode(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a user starts it."""
    code = "from maxcode_lsp.cli.app import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=60,
    )


def test_version() -> None:
    ended = CliRunner().invoke(app, ["--version"])
    assert ended.exit_code == 0
    assert ended.stdout == f"maxcode {__version__}\n"


def test_help_names_the_commands_for_users() -> None:
    ended = CliRunner().invoke(app, ["--help"])
    assert ended.exit_code == 0
    for command in ("optimize", "verify", "doctor", "bench"):
        assert command in ended.stdout


def test_help_loads_nothing_heavy() -> None:
    heavy = "{'scipy', 'numpy', 'tree_sitter', 'diskcache', 'asyncio', 'yaml', 'elftools'}"
    code = f"""
import sys
from maxcode_lsp.cli.app import app
try:
    app(["optimize", "--help"])
except SystemExit:
    print("loaded", sorted({heavy} & set(sys.modules)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, timeout=60
    )
    assert ended.stdout.splitlines()[-1] == "loaded []"


def test_wrong_usage_ends_with_2() -> None:
    ended = maxcode("optimize")
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert b"Traceback" not in ended.stderr


def test_a_terminal_without_unicode_gets_question_marks() -> None:
    ended = maxcode("optimize", "nö.cpp", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert ended.returncode == 2
    assert b"Traceback" not in ended.stderr
