"""Whole runs on real programs: compiler, sandbox, rewrites, search, confirmation."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from maxcode_lsp.engine.bundle import load
from maxcode_lsp.engine.events import Evaluated, Event, Prepared, Progress, RunResult
from maxcode_lsp.engine.judge import judge, verify_bundle
from maxcode_lsp.engine.run import optimize
from maxcode_lsp.records import Outcome, RunStatus, Verdict
from maxcode_lsp.settings import Settings
from tests.engine.programs import COPIES, TIGHT, project

QUICK = Settings(budget=10, seconds=300.0)


async def run(file: Path, settings: Settings = QUICK) -> tuple[RunResult, list[Event]]:
    events: list[Event] = []
    result = await optimize(file, settings, events.append)
    return result, events


async def test_a_slow_program_is_made_faster_and_proven(tmp_path: Path) -> None:
    file = project(tmp_path / "a project ü")
    result, events = await run(file)
    assert result.status is RunStatus.IMPROVED, result.reason
    assert result.speedup is not None
    assert result.ci95 is not None
    assert result.ci95[0] > 1.05
    assert result.edited is not None
    assert b"std::vector<int> values, int from" not in result.edited
    assert result.hunks
    assert all(report.why for report in result.hunks)
    assert "+++ b/solve.cpp" in result.diff
    assert file.read_text() == COPIES
    assert any(isinstance(event, Prepared) for event in events)
    assert events[-1] == result
    judged = [event for event in events if isinstance(event, Evaluated)]
    assert [event.number for event in judged] == list(range(1, len(judged) + 1))
    assert sum(result.outcomes.values()) == result.evaluations == len(judged)
    last = [event for event in events if isinstance(event, Progress)][-1]
    assert (last.building, last.verifying, last.measuring) == (0, 0, 0)

    assert result.bundle is not None
    assert load(Path(result.bundle)).manifest.evaluation.measurement is not None
    again = await verify_bundle(Path(result.bundle))
    assert (again.outcome, again.verdict) == (Outcome.CORRECT, Verdict.FASTER)
    assert "Claimed" in again.reason

    faster = tmp_path / "faster.cpp"
    faster.write_bytes(result.edited)
    said = await judge(file, faster)
    assert (said.outcome, said.verdict) == (Outcome.CORRECT, Verdict.FASTER)


async def test_a_tight_program_ends_without_a_claim(tmp_path: Path) -> None:
    result, _ = await run(project(tmp_path, TIGHT, None))
    assert result.status is RunStatus.NO_IMPROVEMENT, result.reason
    assert result.speedup is None
    assert result.diff == ""
    assert "No measurable difference" in result.reason


async def test_line_ends_and_bom_are_kept(tmp_path: Path) -> None:
    file = project(tmp_path)
    raw = b"\xef\xbb\xbf" + COPIES.replace("\n", "\r\n").encode() + b"// caf\xe9 \x0c\r\n"
    file.write_bytes(raw)
    result, _ = await run(file)
    assert result.status is RunStatus.IMPROVED, result.reason
    assert result.edited is not None
    assert result.edited.startswith(b"\xef\xbb\xbf#include")
    assert result.edited.count(b"\n") == result.edited.count(b"\r\n")
    assert result.edited.endswith(b"// caf\xe9 \x0c\r\n")


@pytest.mark.parametrize(
    ("source", "generator", "status", "said"),
    [
        ("int f() { return 1; }\n", None, RunStatus.REFUSED, "main"),
        (
            "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n; }\n",
            None,
            RunStatus.REFUSED,
            "No inputs",
        ),
        ("#include <nothing_here.h>\nint main() {}\n", None, RunStatus.REFUSED, "nothing_here.h"),
        ("int main() { return 0 }\n", None, RunStatus.REFUSED, "does not compile"),
        ('#include <cstdio>\nint main() { std::puts("hi"); }\n', None, RunStatus.UNMEASURED, "Not measured"),
        ("", None, RunStatus.REFUSED, ""),
        (
            '#include <cstdio>\n#include <unistd.h>\nint main() { std::printf("%d\\n", fork()); }\n',
            None,
            RunStatus.REFUSED,
            "fork",
        ),
        ('#include <cstdlib>\nint main() { return std::system("true"); }\n', None, RunStatus.REFUSED, "system"),
    ],
)
async def test_what_cannot_be_optimised_is_said(
    tmp_path: Path, source: str, generator: str | None, status: RunStatus, said: str
) -> None:
    result, _ = await run(project(tmp_path, source, generator))
    assert result.status is status
    assert said in result.reason
    assert result.reason.strip()
    assert result.speedup is None


async def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result, _ = await run(tmp_path / "nothing.cpp")
    assert result.status is RunStatus.REFUSED


def children_of(mark: str) -> list[int]:
    """Processes whose command line or environment holds the mark."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


async def test_cancelling_tears_everything_down(tmp_path: Path) -> None:
    scratches = set(Path("/tmp").glob(f"maxcode-{os.getpid()}-*"))
    task = asyncio.create_task(run(project(tmp_path)))
    await asyncio.sleep(4)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert set(Path("/tmp").glob(f"maxcode-{os.getpid()}-*")) <= scratches


@pytest.mark.parametrize("after_s", [0.5, 2.0, 5.0])
def test_kill_leaves_nothing_behind(tmp_path: Path, after_s: float) -> None:
    file = project(tmp_path)
    code = (
        "import asyncio, sys; from pathlib import Path; from maxcode_lsp.engine.run import optimize; "
        "from maxcode_lsp.settings import Settings; "
        "asyncio.run(optimize(Path(sys.argv[1]), Settings(), lambda e: None))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(file)], cwd=Path(__file__).parents[2], stdin=subprocess.DEVNULL
    )
    time.sleep(after_s)
    before = set(Path("/tmp").glob(f"maxcode-{process.pid}-*"))
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    end = time.monotonic() + 2.0
    while (left := children_of(f"maxcode-{process.pid}-")) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []
    from maxcode_lsp.executor.sandbox.scratch import sweep

    sweep()
    assert not any(folder.exists() for folder in before)


async def test_paths_through_parents_and_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = '#include <cstdio>\nint main() { std::puts("hi"); }\n'
    project(tmp_path / "there", short, None)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "link.cpp").symlink_to(tmp_path / "there" / "solve.cpp")
    monkeypatch.chdir(tmp_path / "here")
    for path in ("../there/solve.cpp", "link.cpp", "./../here/./link.cpp"):
        result, _ = await run(Path(path))
        assert result.status is RunStatus.UNMEASURED, result.reason
    project(tmp_path / "there", short, None, name="-dash.cpp")
    result, _ = await run(tmp_path / "there" / "-dash.cpp")
    assert result.status is RunStatus.UNMEASURED, result.reason
