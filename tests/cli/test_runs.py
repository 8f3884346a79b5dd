"""``maxcode runs`` on journals as runs leave them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from maxcode_lsp.cli.app import app
from maxcode_lsp.engine.events import Decided, Evaluated, Event, RunResult
from maxcode_lsp.engine.journal.places import runs_folder
from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.journal.records import VERSION, Opened
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.messages import endings
from maxcode_lsp.records import RunStatus
from maxcode_lsp.settings import Settings
from tests.cli.recorded import EVENTS, IMPROVED, NO_IMPROVEMENT

SOURCE = b"int main() {}\r\n"
PROVEN, LOST, STOPPED = "20261130-101501-aaaaaa", "20261130-101502-bbbbbb", "20261130-101503-cccccc"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    path = tmp_path / "mät mul.cpp"
    path.write_bytes(SOURCE)
    return path


def keep(file: Path, run: str, end: RunResult | None, events: Sequence[Event] = EVENTS) -> Journal:
    """A journal of a run that has just written its last line."""
    opened = Opened(
        VERSION, run, "2026-11-30T10:15:00+00:00", "0.1", str(file), file.name, SOURCE, "0" * 64, Settings(budget=9),
        "greedy", ("rewrites",), 0,
    )  # fmt: skip
    journal = Journal.begin(runs_folder(), opened)
    for event in (*events, *((end,) if end else ())):
        if type(event).__name__ != "Progress":
            journal.append(1.0, event)  # type: ignore[arg-type]
    return journal


def keep_all(file: Path) -> None:
    keep(file, PROVEN, replace(IMPROVED, edited=b"int main() { return 0; }\r\n", winner="w")).close()
    keep(file, LOST, None).close()
    keep(file, STOPPED, replace(NO_IMPROVEMENT, status=RunStatus.CANCELLED, reason="Stopped.")).close()


def runs(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["runs", *arguments], env={"COLUMNS": "80"})


def test_nothing_yet(file: Path) -> None:
    said = runs()
    assert said.exit_code == 0
    assert "maxcode optimize" in said.stdout
    assert json.loads(runs("--json").stdout) == {"runs": []}


def test_the_list(file: Path) -> None:
    keep_all(file)
    live = keep(file, "20261130-101504-dddddd", None)
    lines = runs().stdout.splitlines()
    live.close()
    assert lines[0].split() == ["id", "when", "file", "status", "best", "tried"]
    assert all(len(line) <= 80 for line in lines)
    firsts = [line.split()[0] for line in lines if line[:6] in {"aaaaaa", "bbbbbb", "cccccc", "dddddd"}]
    assert firsts == ["dddddd", "cccccc", "bbbbbb", "aaaaaa"]
    assert "running" in lines[1]
    said = json.loads(runs("--json", "--limit", "3").stdout)["runs"]
    assert [(each["run"], each["status"]) for each in said][1:] == [(STOPPED, "cancelled"), (LOST, "interrupted")]
    assert said[2]["best"] is not None and said[2]["file"] == str(file)


def test_one_is_shown(file: Path) -> None:
    keep_all(file)
    proven = runs("show", "aaaaaa")
    assert proven.exit_code == 0
    assert "2.31x faster" in proven.stdout
    lost = runs("show", LOST)
    assert "interrupted" in lost.stdout and f"maxcode runs resume {LOST}" in lost.stdout
    said = json.loads(runs("show", PROVEN, "--json").stdout)
    assert said["run"]["run"] == PROVEN and said["result"]["speedup"] == 2.31
    assert [each["number"] for each in said["candidates"]] == list(range(1, len(said["candidates"]) + 1))
    assert json.loads(runs("show", LOST, "--json").stdout)["result"] is None


def test_the_way_to_the_best_is_told(file: Path) -> None:
    """Strategy and effort, and for each improvement depth, what it acts on, and why the search was there."""
    went_on = Decided("went_on", None, "It is at 1.00×, and 2.00× is to be expected from it.")
    first = next(event for event in EVENTS if isinstance(event, Evaluated) and event.best)
    found = replace(first, because="A vector is copied in each call.", depth=3, u=1.9)
    keep(file, LOST, None, [went_on, found]).close()
    said = " ".join(runs("show", LOST).stdout.split())
    assert "greedy, 9 candidates" in said
    assert "depth 3. It acts on: A vector is copied in each call." in said
    told = json.loads(runs("show", LOST, "--json").stdout)
    assert told["search"] == {"strategy": "greedy", "plain": False, "effort": "high", "seed": 0}
    (one,) = told["path"]
    assert (one["depth"], one["u"], one["because"]) == (3, 1.9, "A vector is copied in each call.")
    parent = found.candidate.parent if found.candidate is not None else None
    assert one["why"] == (went_on.why if parent is None and found.candidate is not None else "")


def test_a_proven_result_is_applied_once(file: Path) -> None:
    keep_all(file)
    assert runs("apply", PROVEN).exit_code == 0
    assert file.read_bytes() == b"int main() { return 0; }\r\n"
    again = runs("apply", PROVEN)
    assert again.exit_code == 0
    assert "The result of run aaaaaa is in" in again.stdout and "already." in again.stdout
    file.write_bytes(b"mine\n")
    stale = runs("apply", PROVEN)
    assert stale.exit_code == 1 and "changed since it was measured" in stale.stderr
    assert "maxcode optimize '" in stale.stderr and "?" not in stale.stderr
    assert file.read_bytes() == b"mine\n"
    file.unlink()
    assert runs("apply", PROVEN).exit_code == 1 and not file.exists()
    nothing = runs("apply", LOST)
    assert nothing.exit_code == 1 and "no proven result" in nothing.stderr


def test_files_are_told_from_where_one_is(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_all(file)
    monkeypatch.chdir(file.parent)
    assert all(f"  {file.name}  " in line for line in runs().stdout.splitlines()[1:])


@pytest.mark.parametrize("name", ["short.cpp", "a" * 60 + ".cpp", "äöü" * 30 + ".cpp"])
def test_every_run_is_one_line_of_the_list(file: Path, name: str) -> None:
    keep_all(file)
    keep(file.with_name(name), "20261130-101505-eeeeee", None).close()
    lines = runs().stdout.splitlines()
    assert len(lines) == 5 and all(len(line) <= 80 for line in lines)
    assert all(".cpp  " in line for line in lines[1:])


def test_why_the_search_ended_is_said(file: Path) -> None:
    keep_all(file)
    stopped = Decided("stopped", "w", endings.stopped_because("exhausted"))
    keep(file, "20261130-101505-eeeeee", IMPROVED, (*EVENTS, stopped)).close()
    assert "The search ended: there were no more ideas." in runs("show", "eeeeee").stdout
    assert "The search ended" not in runs("show", LOST).stdout


def test_removing(file: Path) -> None:
    keep_all(file)
    live = keep(file, "20261130-101504-dddddd", None)
    refused = runs("remove", "dddddd")
    assert refused.exit_code == 1 and "going on" in refused.stderr
    assert "Removed 1 run." in runs("remove", LOST).stdout
    everything = runs("remove", "--all").stdout
    assert "Removed 2 runs. 1 run could not be removed" in everything
    live.close()
    assert [path.stem for path in runs_folder().iterdir()] == ["20261130-101504-dddddd"]
    for wrong in ([], ["--all", LOST]):
        assert runs("remove", *wrong).exit_code == 2


@pytest.mark.parametrize("command", ["show", "resume", "apply", "remove"])
@pytest.mark.parametrize("run", ["nothing", "../../etc/passwd", "", LOST])
def test_what_is_no_run_is_said(file: Path, command: str, run: str) -> None:
    said = runs(command, run)
    assert said.exit_code == 1
    assert ("There is no journal of a run" if run == LOST else f"There is no run “{run}”") in said.stderr


def test_a_damaged_one_is_said_and_can_be_removed(file: Path) -> None:
    keep_all(file)
    (runs_folder() / f"{LOST}.jsonl").write_bytes(b"damaged\n")
    assert "cannot be used" in runs("show", LOST).stderr
    assert LOST not in runs("--json").stdout
    assert runs("remove", LOST).exit_code == 0


def test_resuming_one_that_has_ended_shows_its_end(file: Path) -> None:
    keep_all(file)
    said = runs("resume", PROVEN, "--apply", "--json")
    assert said.exit_code == 0, said.stderr
    assert json.loads(said.stdout)["speedup"] == 2.31
    assert file.read_bytes() == b"int main() { return 0; }\r\n"
    assert read(runs_folder() / f"{PROVEN}.jsonl").result is not None


def test_resuming_where_nothing_can_be_put(file: Path) -> None:
    assert runs("resume", LOST, "--apply", "-o", "x.cpp").exit_code == 2
    assert runs("resume", LOST, "-o", "/no/such/folder/x.cpp").exit_code == 2
