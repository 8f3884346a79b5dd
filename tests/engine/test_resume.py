"""Runs that are stopped, killed or cannot be written down: nothing that was judged is lost, and they go on."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from maxcode_lsp.engine.events import Decided, Evaluated, Event, Observed, Prepared, RunResult
from maxcode_lsp.engine.journal.locks import hold
from maxcode_lsp.engine.journal.places import journal_file, new_id
from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.journal.records import Resumed
from maxcode_lsp.engine.run import optimize
from maxcode_lsp.errors import JournalError
from maxcode_lsp.executor import local
from maxcode_lsp.records import Candidate, Evaluation, RunStatus
from maxcode_lsp.settings import Settings, WorkloadSettings
from tests.engine.programs import COPIES, project

ROOT = Path(__file__).parents[2]
BUDGET = 5
QUICK = Settings(budget=BUDGET, seconds=300.0, workload=WorkloadSettings(seconds=0.05))
SHORT = '#include <cstdio>\nint main() { std::puts("hi"); }\n'
CODE = (
    "import asyncio, sys; from pathlib import Path; from maxcode_lsp.engine.run import optimize; "
    "from tests.engine.test_resume import QUICK; "
    "asyncio.run(optimize(Path(sys.argv[1]), QUICK, lambda e: None, run=sys.argv[2], runs=Path(sys.argv[3])))"
)


def judged_so_far(file: Path) -> int:
    try:
        return len(read(file).evaluated)
    except JournalError:
        return 0


def killed_run(program: Path, run: str, runs: Path, judged: int) -> None:
    """A run in a process of its own that is killed as soon as so many candidates were judged."""
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, str(program), run, str(runs)], cwd=ROOT, stdin=subprocess.DEVNULL
    )
    try:
        while judged_so_far(journal_file(runs, run)) < judged:
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait(10)


async def test_a_killed_run_goes_on_and_judges_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, runs, run = project(tmp_path / "p"), tmp_path / "runs", new_id()
    killed_run(program, run, runs, random.randint(1, BUDGET - 2))
    with journal_file(runs, run).open("ab") as out:
        out.write(b'{"at_s":12.5,"record":{"type":"eva')  # as a full disk or a lost machine leaves it
    before = read(journal_file(runs, run))
    assert before.result is None
    assert before.evaluated

    asked: list[str] = []
    judge = local.judge

    async def counting(original: Any, candidate: Candidate, *others: Any, **options: Any) -> Evaluation:
        if options.get("among_all", True):
            asked.append(candidate.id)
        return await judge(original, candidate, *others, **options)

    monkeypatch.setattr(local, "judge", counting)
    events: list[Event] = []
    result = await optimize(program, Settings(budget=99), events.append, run=run, runs=runs, resume=True)
    assert result.status is RunStatus.IMPROVED, result.reason
    assert result.speedup is not None and result.ci95 is not None and result.ci95[0] > 1.05
    known = {found.candidate.id for found in before.evaluated if found.candidate is not None}
    assert known.isdisjoint(asked)

    told = [event for event in events if isinstance(event, Evaluated)]
    assert tuple(told[: len(before.evaluated)]) == before.evaluated
    assert [event.number for event in told] == list(range(1, len(told) + 1))
    assert result.evaluations == len(told) <= BUDGET, "settings are those of the journal"

    after = read(journal_file(runs, run))
    assert after.lines[: len(before.lines)] == before.lines
    assert isinstance(after.lines[len(before.lines)].record, Resumed)
    assert list(after.evaluated) == told
    assert after.result == result == events[-1]
    assert result.winner is not None and after.text(result.winner) == result.edited
    times = [line.at_s for line in after.lines if not isinstance(line.record, Prepared | RunResult)]
    assert times == sorted(times), "the run's own time goes on"
    assert {line.record.what for line in after.lines if isinstance(line.record, Decided)} >= {"stopped", "trimmed"}
    assert {line.record.policy for line in after.lines if isinstance(line.record, Observed)} >= {"rewrites"}

    again: list[Event] = []
    size = journal_file(runs, run).stat().st_size
    assert await optimize(program, QUICK, again.append, run=run, runs=runs, resume=True) == result
    assert [e for e in again if isinstance(e, Evaluated)] == told, "one that has ended is told again as it was"
    assert journal_file(runs, run).stat().st_size == size


async def cancelled(program: Path, run: str, runs: Path, *, interrupted: bool) -> None:
    """Cancel a run as soon as its original is verified."""
    prepared = asyncio.Event()

    def on_event(event: Event) -> None:
        if isinstance(event, Prepared):
            prepared.set()

    task = asyncio.create_task(optimize(program, QUICK, on_event, run=run, runs=runs, interrupted=lambda: interrupted))
    await asyncio.wait_for(prepared.wait(), 120)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_stopped_by_the_user_or_merely_interrupted(tmp_path: Path) -> None:
    program, runs = project(tmp_path / "p"), tmp_path / "runs"
    stopped, lost = "20261130-101500-00000a", "20261130-101500-00000b"
    await cancelled(program, stopped, runs, interrupted=False)
    end = read(journal_file(runs, stopped)).result
    assert end is not None and end.status is RunStatus.CANCELLED and "stopped" in end.reason
    await cancelled(program, lost, runs, interrupted=True)
    assert read(journal_file(runs, lost)).result is None
    (await hold(program, wait_s=0.0)).release()


async def test_another_text_is_another_run(tmp_path: Path) -> None:
    program, runs, run = project(tmp_path / "p", SHORT, None), tmp_path / "runs", new_id()
    await cancelled_before_anything(program, run, runs)
    program.write_text(SHORT.replace("hi", "ho"))
    result = await optimize(program, QUICK, lambda _: None, run=run, runs=runs, resume=True)
    assert result.status is RunStatus.UNMEASURED
    assert any(note == "Begun anew: “" + program.name + "” changed since that run." for note in result.notes)
    recorded = read(journal_file(runs, run))
    assert b"ho" in recorded.opened.source
    assert recorded.result == result


async def cancelled_before_anything(program: Path, run: str, runs: Path) -> None:
    task = asyncio.create_task(optimize(program, QUICK, lambda _: None, run=run, runs=runs, interrupted=lambda: True))
    while not journal_file(runs, run).exists():  # noqa: ASYNC110 - a file has no event
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_unsaved_text_is_what_a_run_is_about(tmp_path: Path) -> None:
    program, runs, run = project(tmp_path / "p", COPIES, None), tmp_path / "runs", new_id()
    result = await optimize(program, QUICK, lambda _: None, run=run, runs=runs, text=SHORT.encode())
    assert result.status is RunStatus.UNMEASURED, result.reason
    assert read(journal_file(runs, run)).opened.source == SHORT.encode()


async def test_a_refusal_is_written_down_and_a_target_in_use_is_not(tmp_path: Path) -> None:
    program, runs, run = project(tmp_path / "p", "int f() { return 1; }\n", None), tmp_path / "runs", new_id()
    result = await optimize(program, QUICK, lambda _: None, run=run, runs=runs)
    assert result.status is RunStatus.REFUSED
    assert read(journal_file(runs, run)).result == result
    lock = await hold(program)
    busy = await optimize(program, QUICK, lambda _: None, run="20261130-101500-00000c", runs=runs)
    lock.release()
    assert busy.status is RunStatus.REFUSED and str(os.getpid()) in busy.reason
    assert [path.stem for path in runs.iterdir()] == [run]


@pytest.mark.parametrize("damage", [b"", b"damaged\n", b'{"at_s":0,"record":{"type":"opened","version":9}}\n'])
async def test_a_damaged_journal_is_left_alone_and_the_run_goes_on_without(tmp_path: Path, damage: bytes) -> None:
    program, runs, run = project(tmp_path / "p", SHORT, None), tmp_path / "runs", new_id()
    runs.mkdir()
    journal_file(runs, run).write_bytes(damage)
    result = await optimize(program, QUICK, lambda _: None, run=run, runs=runs, resume=True)
    assert result.status is RunStatus.UNMEASURED, result.reason
    assert any(run in note for note in result.notes)
    assert journal_file(runs, run).read_bytes() == damage


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system on which hardly anything fits any more."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("file systems cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


async def test_a_full_disk_is_a_note(tmp_path: Path, full_disk: Path) -> None:
    program = project(tmp_path / "p", SHORT + "//" + "x" * 20_000, None)
    result = await optimize(program, QUICK, lambda _: None, runs=full_disk / "runs")
    assert result.status is RunStatus.UNMEASURED, result.reason
    assert sum("goes on" in note for note in result.notes) == 1
    small = replace(QUICK, journal=replace(QUICK.journal, keep_mb=1))
    result = await optimize(project(tmp_path / "q", SHORT, None), small, lambda _: None, runs=Path("/proc/no/place"))
    assert result.status is RunStatus.UNMEASURED
    assert sum("goes on" in note for note in result.notes) == 1
