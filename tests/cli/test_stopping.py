"""Every command answers a stop in the same way: 130, no fault of our own, and with --json one object at most."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from maxcode_lsp.cli import doctor as doctor_command
from maxcode_lsp.cli.app import app
from tests.cli.conftest import Standin
from tests.cli.test_app import ROOT

COMMANDS = {
    "optimize": ("optimize", "a.cpp"),
    "verify a proof": ("verify", "p.maxcode"),
    "verify by hand": ("verify", "--original", "a.cpp", "--candidate", "a.cpp"),
    "doctor": ("doctor",),
    "bench timing": ("bench", "timing"),
    "bench evaluator": ("bench", "evaluator", "--quick"),
    "demo": ("demo", "."),
}


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize("error", [asyncio.CancelledError, KeyboardInterrupt])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_stop_ends_with_130(
    stand_in: Standin,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    name: str,
    error: type[BaseException],
    more: tuple[str, ...],
) -> None:
    async def stopped(*_: Any, **__: Any) -> None:
        raise error

    stand_in("maxcode_lsp.engine.run", optimize=stopped)
    stand_in("maxcode_lsp.engine.judge", judge=stopped, verify_bundle=stopped)
    stand_in("maxcode_lsp.benchmarks.timing", run=stopped)
    stand_in("maxcode_lsp.benchmarks.evaluator", run=stopped)
    monkeypatch.setattr(doctor_command, "examine", stopped)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "a.cpp").write_text("int main() {}\n")
    (tmp_path / "p.maxcode").write_bytes(b"zip")
    monkeypatch.chdir(tmp_path)
    arguments = COMMANDS[name]
    ended = CliRunner().invoke(app, [*arguments, *(more if arguments[0] != "demo" else ())])
    assert ended.exit_code == 130
    assert "fault" not in ended.output
    assert not (tmp_path / "state").exists()
    if more and ended.stdout and arguments[0] != "demo":
        assert "stopped" in json.loads(ended.stdout)["reason"]


def test_ctrl_c_while_a_version_is_judged(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int main() {}\n")
    code = """
import asyncio, sys, types
async def judge(*_, **__):
    print("started", file=sys.stderr, flush=True)
    await asyncio.sleep(60)
module = types.ModuleType("maxcode_lsp.engine.judge")
module.judge = module.verify_bundle = judge
sys.modules["maxcode_lsp.engine.judge"] = module
from maxcode_lsp.cli.app import main
main()
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code, "verify", "--json", str(tmp_path / "a.cpp")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )
    assert child.stderr is not None
    assert child.stderr.readline() == "started\n"
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=20)
    assert child.returncode == 130
    assert json.loads(out)["reason"].startswith("a.cpp: stopped")
    assert errors == ""
