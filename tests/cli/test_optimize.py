from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from maxcode_lsp.cli.app import app
from maxcode_lsp.cli.writing import write_whole
from maxcode_lsp.engine.events import Event, RunResult
from maxcode_lsp.errors import Refused, SettingsError, ToolMissing
from maxcode_lsp.records import Critique, Finding, RunStatus, Span
from maxcode_lsp.settings import Settings
from tests.cli.conftest import Standin
from tests.cli.recorded import EVENTS, IMPROVED, NO_IMPROVEMENT

KEYS = {"target", "status", "speedup", "ci95", "evaluations", "outcomes", "seconds", "diff", "reason"} | {
    "notes",
    "spent",
    "replies",
    "unasked",
}


class FakeEngine:
    """An engine that plays the recorded events, then ends as told."""

    def __init__(self, end: RunResult | BaseException = IMPROVED) -> None:
        self.end = end
        self.settings = Settings()
        self.unsafe = False
        self.meanwhile: Callable[[], None] = lambda: None

    async def optimize(
        self,
        file: Path,
        settings: Settings,
        on_event: Callable[[Event], None],
        *,
        run: str | None = None,
        resume: bool = False,
        allow_unsafe: bool = False,
    ) -> RunResult:
        self.settings = settings
        self.unsafe = allow_unsafe
        for event in EVENTS:
            on_event(event)
            await asyncio.sleep(0)
        self.meanwhile()
        if isinstance(self.end, BaseException):
            raise self.end
        on_event(self.end)
        return self.end


@pytest.fixture
def engine(stand_in: Standin, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeEngine:
    fake = FakeEngine()
    stand_in("maxcode_lsp.engine.run", optimize=fake.optimize)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return fake


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mät mul.cpp"
    path.write_bytes(b"int main() {}\n")
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["optimize", *map(str, arguments)])


def test_json_is_one_object_with_the_promised_keys(engine: FakeEngine, file: Path) -> None:
    ended = run(file, "--json")
    assert ended.exit_code == 0
    said = json.loads(ended.stdout)
    assert set(said) == KEYS
    assert ended.stdout.count("\n") == 1
    assert said["status"] == "improved"
    assert said["speedup"] == 2.31
    assert said["ci95"] == [2.24, 2.39]
    assert said["outcomes"] == {"identical": 1, "correct": 3, "wrong_output": 1}
    assert said["diff"] == IMPROVED.diff
    assert ended.stderr == ""


@pytest.mark.parametrize(
    "diff", ["--- a\r\n+++ b\r\n@@ -1 +1 @@\r\n-x\r\n+y\r\n", "-x\r\n\\ No newline\n\t\x0c ü\x1b\n"]
)
def test_the_diff_is_printed_as_it_is(engine: FakeEngine, file: Path, diff: str) -> None:
    engine.end = replace(IMPROVED, diff=diff)
    assert json.loads(run(file, "--json").stdout)["diff"] == diff


def test_a_faster_reader_is_offered(engine: FakeEngine, file: Path) -> None:
    reading = Finding("stream-input:3", "stream-input", Span(3, 3), "Reading takes long.", "perf: 72 %", 0.72)
    engine.end = replace(NO_IMPROVEMENT, critique=Critique((reading,)))
    assert 'Allow it with rewrites.input = "fast"' in run(file).stdout
    (file.parent / "maxcode.toml").write_text('rewrites.input = "fast"\n')
    assert "Allow it" not in run(file).stdout


def test_the_report_is_for_people(engine: FakeEngine, file: Path) -> None:
    ended = run(file)
    assert ended.exit_code == 0
    assert "#2  loop-order  faster  1.90× (1.85–1.95)  (best so far)" in ended.stdout
    assert "matmul: 2.31x faster (95% CI 2.24-2.39, n=24 pairs, g++ 12.2 -O3" in ended.stdout
    assert "The file was not changed" in ended.stdout
    assert file.read_bytes() == b"int main() {}\n"


@pytest.mark.parametrize(
    ("status", "code"), [("no_improvement", 0), ("unmeasured", 0), ("refused", 1), ("failed", 1), ("cancelled", 130)]
)
def test_the_exit_code_follows_the_status(engine: FakeEngine, file: Path, status: str, code: int) -> None:
    engine.end = replace(NO_IMPROVEMENT, status=RunStatus(status))
    ended = run(file, "--json")
    assert ended.exit_code == code
    assert json.loads(ended.stdout)["status"] == status


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Refused("No inputs for “solve.cpp”."), "refused", 1),
        (ToolMissing("There is no compiler."), "failed", 1),
        (asyncio.CancelledError(), "cancelled", 130),
    ],
)
def test_what_the_engine_raises_becomes_a_result(
    engine: FakeEngine, file: Path, error: BaseException, status: str, code: int
) -> None:
    engine.end = error
    ended = run(file, "--json")
    assert ended.exit_code == code
    said = json.loads(ended.stdout)
    assert said["status"] == status
    assert said["evaluations"] == 5
    assert said["outcomes"] == {"identical": 1, "correct": 3, "wrong_output": 1}
    assert said["reason"] == str(error) or status == "cancelled"


def test_a_fault_of_our_own_is_logged_and_told_in_one_sentence(engine: FakeEngine, file: Path, tmp_path: Path) -> None:
    engine.end = KeyError("inner detail")
    ended = run(file)
    assert ended.exit_code == 1
    assert "Traceback" not in ended.output
    assert "inner detail" not in ended.output
    (log,) = (tmp_path / "state" / "maxcode" / "log").iterdir()
    assert str(log) in ended.output.replace("\n", "")
    assert "KeyError: 'inner detail'" in log.read_text()


def test_wrong_flags_are_a_mistake_in_usage(engine: FakeEngine, file: Path) -> None:
    engine.end = SettingsError("The flag -fplugin=x is refused: it loads code.")
    ended = run(file, "--flags", "-fplugin=x", "--json")
    assert ended.exit_code == 2
    assert ended.stdout == ""
    assert "-fplugin=x" in ended.stderr


def test_arguments_go_over_the_settings_file(engine: FakeEngine, file: Path) -> None:
    (file.parent / "maxcode.toml").write_text("budget = 7\nseconds = 9\nunknown = 1\n")
    ended = run(file, "--budget", "3", "--flags", "-O2 -std=c++17", "--goal", "2", "--search", "best-of-n", "--unsafe")
    assert ended.exit_code == 0
    assert (engine.settings.budget, engine.settings.seconds, engine.settings.goal) == (3, 9, 2)
    assert engine.settings.flags == ("-O2", "-std=c++17")
    assert engine.settings.search == "best-of-n"
    assert engine.unsafe
    assert "maxcode.toml:3:" in ended.stderr


def test_how_it_searches_can_be_said(engine: FakeEngine, file: Path) -> None:
    (file.parent / "maxcode.toml").write_text('effort = "high"\nseed = 1\n')
    assert run(file, "--effort", "low", "--search", "beam", "--plain", "--seed", "5").exit_code == 0
    settings = engine.settings
    assert (settings.effort, settings.candidates, settings.search, settings.seed) == ("low", 8, "beam", 5)
    assert settings.strategy.plain
    assert run(file).exit_code == 0
    assert (engine.settings.effort, engine.settings.seed, engine.settings.strategy.plain) == ("high", 1, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("missing.cpp",),
        (".",),
        ("/dev/zero",),
        ("FILE", "--budget", "0"),
        ("FILE", "--budget", "many"),
        ("FILE", "--search", "luck"),
        ("FILE", "--effort", "huge"),
        ("FILE", "--seed", "-1"),
        ("FILE", "--flags", "'open"),
        ("FILE", "--apply", "--output", "b.cpp"),
        ("FILE", "--output", "missing/b.cpp"),
        ("FILE", "--output", "missing/" + "b" * 300),
        ("FILE", "--output", "FILE"),
        ("FILE", "--wrong"),
    ],
)
def test_wrong_usage_is_told_without_a_run(
    engine: FakeEngine, file: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(file.parent)
    ended = run(*(str(file) if argument == "FILE" else argument for argument in arguments))
    assert ended.exit_code == 2
    assert ended.stdout == ""
    assert ended.stderr
    assert "Traceback" not in ended.stderr


def test_apply_changes_the_file(engine: FakeEngine, file: Path) -> None:
    ended = run(file, "--apply")
    assert ended.exit_code == 0
    assert file.read_bytes() == IMPROVED.edited
    assert "Applied to" in ended.stdout


def test_apply_leaves_a_file_that_was_edited_meanwhile(engine: FakeEngine, file: Path) -> None:
    engine.meanwhile = lambda: write_whole(file, b"mine\n")
    ended = run(file, "--apply", "--json")
    assert ended.exit_code == 1
    assert file.read_bytes() == b"mine\n"
    assert json.loads(ended.stdout)["status"] == "improved"
    assert "changed since it was measured" in ended.stderr


def test_output_writes_a_copy(engine: FakeEngine, file: Path, tmp_path: Path) -> None:
    ended = run(file, "--output", tmp_path / "fast.cpp")
    assert ended.exit_code == 0
    assert (tmp_path / "fast.cpp").read_bytes() == IMPROVED.edited
    assert file.read_bytes() == b"int main() {}\n"


def test_output_without_an_improvement_writes_nothing(engine: FakeEngine, file: Path, tmp_path: Path) -> None:
    engine.end = NO_IMPROVEMENT
    ended = run(file, "--output", tmp_path / "fast.cpp")
    assert ended.exit_code == 0
    assert not (tmp_path / "fast.cpp").exists()
    assert "was not written" in ended.stdout


def test_a_picture_can_be_saved(engine: FakeEngine, file: Path, tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    assert run(file, "--record", picture).exit_code == 0
    text = picture.read_text()
    assert text.startswith("<svg")
    assert "loop-order" in text
    assert "https://" not in text.replace("https://www.textualize.io", "")
