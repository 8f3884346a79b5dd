from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from maxcode_lsp.cli import doctor as command
from maxcode_lsp.cli.app import app
from maxcode_lsp.cli.doctor import check_line
from maxcode_lsp.engine.doctor import Check, Health, State
from tests.cli.drawing import drawn

CHECKS = (
    Check("compiler", State.OK, "g++ 12.2", needed=True),
    Check(
        "perf", State.LIMITED, "not installed: hot lines are then found by valgrind", "Debian: apt install linux-perf"
    ),
)


@pytest.mark.parametrize(("ok", "code"), [(True, 0), (False, 1)])
def test_the_examination_is_shown_line_by_line(monkeypatch: pytest.MonkeyPatch, ok: bool, code: int) -> None:
    async def examine(report: Callable[[Check], None] | None = None) -> Health:
        if report is not None:
            for check in CHECKS:
                report(check)
        return Health(ok, CHECKS, "bubblewrap", 1.5)

    monkeypatch.setattr(command, "examine", examine)
    ended = CliRunner().invoke(app, ["doctor"])
    assert ended.exit_code == code
    assert "compiler" in ended.stdout
    ended = CliRunner().invoke(app, ["doctor", "--json"])
    assert ended.exit_code == code
    said = json.loads(ended.stdout)
    assert said["ok"] is ok
    assert said["noise_pct"] == 1.5
    assert said["checks"][1]["remedy"] == "Debian: apt install linux-perf"


def test_odd_names_of_folders_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    async def examine(report: Callable[[Check], None] | None = None) -> Health:
        return Health(True, (Check("cache", State.LIMITED, "/d\udce4/x", "Set \udce4."),))

    monkeypatch.setattr(command, "examine", examine)
    ended = CliRunner().invoke(app, ["doctor", "--json"])
    assert json.loads(ended.stdout)["checks"][0]["detail"] == "/d\ufffd/x"


def test_a_line_fits_a_narrow_terminal_and_carries_its_remedy() -> None:
    lines = drawn(check_line(CHECKS[1]), 60)
    assert lines[0].split()[:2] == ["limited", "perf"]
    assert lines[-1].strip() == "Debian: apt install linux-perf"
    assert all(len(line) <= 60 for line in lines)
