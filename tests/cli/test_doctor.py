from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode_lsp.cli import doctor as command
from maxcode_lsp.cli.app import app
from maxcode_lsp.cli.doctor import check_line
from maxcode_lsp.engine.health import Check, Health, State
from maxcode_lsp.engine.model_check import model_checks
from maxcode_lsp.settings import Settings, own_file
from tests.cli.drawing import drawn

CHECKS = (
    Check("compiler", State.OK, "g++ 12.2", needed=True),
    Check(
        "perf", State.LIMITED, "not installed: hot lines are then found by valgrind", "Debian: apt install linux-perf"
    ),
)


@pytest.mark.parametrize(("ok", "code"), [(True, 0), (False, 1)])
def test_the_examination_is_shown_line_by_line(monkeypatch: pytest.MonkeyPatch, ok: bool, code: int) -> None:
    async def examine(report: Callable[[Check], None], settings: Settings) -> Health:
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
    async def examine(report: Callable[[Check], None], settings: Settings) -> Health:
        return Health(True, (Check("cache", State.LIMITED, "/d\udce4/x", "Set \udce4."),))

    monkeypatch.setattr(command, "examine", examine)
    ended = CliRunner().invoke(app, ["doctor", "--json"])
    assert json.loads(ended.stdout)["checks"][0]["detail"] == "/d\ufffd/x"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "model", "api_base"),
    [
        ((), "openai/of-the-folder", "http://mine.example/v1"),
        (("--model", "local"), "local", "http://mine.example/v1"),
        (("--model", "openai/a", "--api-base", "http://127.0.0.1:9/v1"), "openai/a", "http://127.0.0.1:9/v1"),
        (("--model", "none"), "", "http://mine.example/v1"),
    ],
)
def test_whose_models_are_asked(
    arguments: tuple[str, ...], model: str, api_base: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Those of the current folder's settings, over the user's own, under the arguments."""
    given: list[Settings] = []

    async def examine(report: Callable[[Check], None], settings: Settings) -> Health:
        given.append(settings)
        return Health(True, ())

    monkeypatch.setattr(command, "examine", examine)
    write(own_file(), 'model = "openai/mine"\napi_base = "http://mine.example/v1"\n')
    write(tmp_path / "work" / "maxcode.toml", 'model = "openai/of-the-folder"\napi_base = "http://evil.example/v1"\n')
    (tmp_path / "work" / "deeper").mkdir()
    monkeypatch.chdir(tmp_path / "work" / "deeper")
    ended = CliRunner().invoke(app, ["doctor", *arguments])
    assert ended.exit_code == 0
    [settings] = given
    assert (settings.model, settings.api_base) == (model, api_base)
    assert "api_base" in ended.stderr, "what the folder may not set is told"


def test_a_model_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the real examination only that of the model, which reaches nobody."""

    async def examine(report: Callable[[Check], None], settings: Settings) -> Health:
        checks = [check async for check in model_checks(settings)]
        for check in checks:
            report(check)
        return Health(not any(check.needed for check in checks), tuple(checks))

    monkeypatch.setattr(command, "examine", examine)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    ended = CliRunner().invoke(app, ["doctor", "--model", "anthropic/claude-sonnet-4-5"], env={"COLUMNS": "200"})
    assert ended.exit_code == 1
    assert "missing" in ended.stdout
    assert "ANTHROPIC_API_KEY" in ended.stdout


def test_a_line_fits_a_narrow_terminal_and_carries_its_remedy() -> None:
    lines = drawn(check_line(CHECKS[1]), 60)
    assert lines[0].split()[:2] == ["limited", "perf"]
    assert lines[-1].strip() == "Debian: apt install linux-perf"
    assert all(len(line) <= 60 for line in lines)
