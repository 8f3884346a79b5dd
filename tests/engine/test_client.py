from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from maxcode_lsp.engine import link
from maxcode_lsp.engine.client import Engine, EngineState
from maxcode_lsp.engine.events import Evaluated, Prepared, Progress
from maxcode_lsp.engine.journal.places import new_id
from maxcode_lsp.engine.wire import Inspect, Verify
from maxcode_lsp.errors import EngineLost, MaxcodeError, Refused
from maxcode_lsp.records import Outcome, RunStatus
from maxcode_lsp.settings import Settings
from tests.engine.processes import TINY, Told, family, gone, start, until, with_itself
from tests.engine.programs import COPIES, project


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    # One for all of them, so that the launcher is built once.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "engine-cache"))


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def engine(told: Told) -> AsyncIterator[Engine]:
    """An engine that leaves nothing behind."""
    made = told.engine()
    yield made
    left = with_itself(made.pid) if made.pid is not None else {}
    await made.close()
    assert await gone(left) == []
    assert made.pid is None
    assert all(len(told.results(run)) == 1 for run, _ in told.events)


def tiny(folder: Path, name: str = "tiny.cpp") -> Path:
    return project(folder, TINY, None, name)


async def test_two_runs_at_once_end_each_with_one_result(tmp_path: Path, told: Told, engine: Engine) -> None:
    runs = [start(tiny(tmp_path / name)) for name in ("one", "two")]
    for each in runs:
        await engine.start(each)
    results = [await told.result(each.run) for each in runs]
    assert [result.status for result in results] == [RunStatus.UNMEASURED] * 2
    first_end = min(i for i, (_, event) in enumerate(told.events) if event in results)
    assert {run for run, _ in told.events[:first_end]} == {each.run for each in runs}
    assert [state for state, _ in told.states] == [EngineState.STARTING, EngineState.RUNNING]


async def test_a_newer_run_of_a_file_replaces_the_older(tmp_path: Path, told: Told, engine: Engine) -> None:
    file = project(tmp_path / "p")
    older, newer = start(file), start(file, text=TINY.encode())
    await engine.start(older)
    await told.until(lambda: told.of(older.run))
    await engine.start(newer)
    result = await told.result(newer.run)
    assert result.status is RunStatus.UNMEASURED, result.reason
    assert told.results(older.run)[0].status is RunStatus.CANCELLED
    runs = [run for run, _ in told.events]
    assert runs == [older.run] * runs.count(older.run) + [newer.run] * runs.count(newer.run)


@pytest.mark.parametrize("moment", ["at once", "preparing", "prepared", "evaluated"])
async def test_a_cancelled_run_ends_at_once(tmp_path: Path, told: Told, engine: Engine, moment: str) -> None:
    request = start(project(tmp_path / "p"), settings=Settings(budget=50, seconds=600))
    if moment == "at once":
        starting = asyncio.create_task(engine.start(request))
        await asyncio.sleep(0)
        engine.cancel(request.run)
        await starting
    else:
        await engine.start(request)
        kind = {"preparing": Progress, "prepared": Prepared, "evaluated": Evaluated}[moment]
        await told.until(lambda: any(isinstance(event, kind) for event in told.of(request.run)))
        children = family(engine.pid or 0)
        engine.cancel(request.run)
        assert await gone(children) == []
    assert (await told.result(request.run)).status is RunStatus.CANCELLED
    before = len(told.events)
    # The engine is as good as new, and the cancelled run is not heard of again.
    await engine.start(other := start(tiny(tmp_path / "other")))
    assert (await told.result(other.run)).status is RunStatus.UNMEASURED
    assert {run for run, _ in told.events[before:]} == {other.run}
    engine.cancel(request.run)
    engine.cancel("nothing")


async def test_after_a_crash_a_run_goes_on(tmp_path: Path, told: Told, engine: Engine) -> None:
    request = start(project(tmp_path / "p"), settings=Settings(budget=2, seconds=300))
    await engine.start(request)
    await told.until(lambda: any(isinstance(event, Evaluated) for event in told.of(request.run)))
    killed = with_itself(engine.pid or 0)
    os.kill(next(iter(killed)), signal.SIGKILL)
    assert await gone(killed) == []
    result = await told.result(request.run)
    assert result.status in {RunStatus.IMPROVED, RunStatus.NO_IMPROVEMENT}, result.reason
    numbers = [event.number for event in told.of(request.run) if isinstance(event, Evaluated)]
    assert sorted(numbers) == list(range(1, result.evaluations + 1))
    states = [state for state, _ in told.states]
    assert states == [EngineState.STARTING, EngineState.RUNNING, EngineState.RESTARTING, EngineState.RUNNING]
    why = told.states[2][1]
    assert "stopped by SIGKILL" in why
    assert "maxcode.log" in why


async def test_after_crash_upon_crash_a_run_is_given_up(tmp_path: Path, told: Told, engine: Engine) -> None:
    request = start(project(tmp_path / "p"))
    question = asyncio.create_task(engine.verify(Verify(0, request.file, b"int main() {}", b"", Settings())))
    await engine.start(request)
    for crash in range(3):
        await told.until(lambda n=crash: [s for s, _ in told.states].count(EngineState.RUNNING) > n and engine.pid)
        os.kill(engine.pid or 0, signal.SIGKILL)
        await told.until(lambda: engine.pid is None)
    result = await told.result(request.run)
    assert result.status is RunStatus.FAILED
    assert "kept" in result.reason and "SIGKILL" in result.reason
    assert engine.state is EngineState.FAILED
    with pytest.raises(EngineLost, match="SIGKILL"):
        await question
    # The next request tries anew.
    await engine.start(other := start(tiny(tmp_path / "other")))
    assert (await told.result(other.run)).status is RunStatus.UNMEASURED


async def test_a_restart_that_fails_is_tried_again(tmp_path: Path, told: Told, engine: Engine) -> None:
    """Whatever killed the engine may kill the next one, too, before it has said that it is there."""
    request = start(project(tmp_path / "p"), settings=Settings(budget=2, seconds=300))
    await engine.start(request)
    before = set(family(os.getpid()))
    os.kill(engine.pid or 0, signal.SIGKILL)
    await until(lambda: engine.state is EngineState.RESTARTING and (set(family(os.getpid())) - before))
    starting = set(family(os.getpid())) - before
    for process in starting:
        os.kill(process, signal.SIGKILL)
    result = await told.result(request.run)
    assert engine.pid not in {None, *before, *starting}
    assert result.status in {RunStatus.IMPROVED, RunStatus.NO_IMPROVEMENT}, result.reason


async def test_a_face_that_was_stopped_does_not_take_that_for_silence(
    tmp_path: Path, told: Told, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "SILENCE_S", 6.0)
    monkeypatch.setattr(link, "BEAT_S", 1.0)
    request = start(project(tmp_path / "p"), settings=Settings(budget=2, seconds=300))
    await engine.start(request)
    await told.until(lambda: told.of(request.run))
    before = engine.pid
    time.sleep(8.0)  # noqa: ASYNC251 - as after SIGSTOP, nothing of ours runs
    result = await told.result(request.run)
    assert engine.pid == before
    assert EngineState.RESTARTING not in [state for state, _ in told.states]
    assert result.status in {RunStatus.IMPROVED, RunStatus.NO_IMPROVEMENT}, result.reason


async def test_an_engine_that_hangs_is_replaced(
    tmp_path: Path, told: Told, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "SILENCE_S", 8.0)
    request = start(tiny(tmp_path / "p"))
    await engine.inspect(Inspect(0, request.file, b""))
    stopped = engine.pid or 0
    os.kill(stopped, signal.SIGSTOP)
    await engine.start(request)
    assert (await told.result(request.run)).status is RunStatus.UNMEASURED
    assert engine.pid != stopped
    assert "said nothing for 8 s" in told.states[2][1]


@pytest.mark.parametrize("saved", [True, False])
async def test_unsaved_text(tmp_path: Path, told: Told, engine: Engine, saved: bool) -> None:
    file = tiny(tmp_path / "p")
    (tmp_path / "p" / "beside.h").write_text('#define SAID "from beside"\n')
    if not saved:
        file.unlink()
    text = b'#include "beside.h"\n#include <cstdio>\nint main() { std::puts(SAID); }\n'
    await engine.start(request := start(file, text=text))
    result = await told.result(request.run)
    assert result.status is RunStatus.UNMEASURED, result.reason
    assert file.exists() is saved


@pytest.mark.parametrize(
    ("edited", "outcome"),
    [(TINY, Outcome.IDENTICAL), (TINY.replace("hello", "bye"), Outcome.WRONG_OUTPUT), ("no", Outcome.COMPILE_ERROR)],
)
async def test_verifying_a_file_that_is_nowhere(tmp_path: Path, engine: Engine, edited: str, outcome: Outcome) -> None:
    file = tmp_path / "unsaved.cpp"
    judgement = await engine.verify(Verify(0, str(file), TINY.encode(), edited.encode(), Settings()))
    assert judgement.outcome is outcome, judgement.reason
    assert judgement.reason


async def test_what_cannot_be_judged_is_a_sentence(tmp_path: Path, engine: Engine) -> None:
    with pytest.raises(MaxcodeError, match="no main"):
        await engine.verify(Verify(0, str(tmp_path / "a.cpp"), b"int x;\n", b"int y;\n", Settings()))


async def test_a_wait_for_a_judgement_can_be_given_up(tmp_path: Path, engine: Engine) -> None:
    file = project(tmp_path / "p")
    await engine.inspect(Inspect(0, str(file), b""))
    idle = family(engine.pid or 0)
    asking = asyncio.create_task(engine.verify(Verify(0, str(file), COPIES.encode(), b"int main() {}\n", Settings())))
    work = await until(lambda: {pid: at for pid, at in family(engine.pid or 0).items() if pid not in idle})
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert await gone(work) == []
    await until(lambda: family(engine.pid or 0).keys() <= idle.keys())


async def test_inspecting_runs_nothing(tmp_path: Path, engine: Engine) -> None:
    kinds = {f.kind for f in (await engine.inspect(Inspect(0, str(tmp_path / "a.cpp"), COPIES.encode()))).findings}
    assert "copy-by-value" in kinds
    for odd in (b"", b"\xef\xbb\xbfint main() {\r\n", bytes(range(256)) * 40, b"(" * 5000, b"{[<" * 3000):
        assert (await engine.inspect(Inspect(0, "odd.cpp", odd))).notes == ()
    assert "larger" in (await engine.inspect(Inspect(0, "big.cpp", b"x" * 2_000_001))).notes[0]
    assert family(engine.pid or 0) == {}


async def test_what_is_too_large_for_the_wire(told: Told, engine: Engine) -> None:
    huge = bytes(30 << 20)
    with pytest.raises(Refused, match="too large"):
        await engine.inspect(Inspect(0, "huge.cpp", huge))
    await engine.start(request := start(Path("/nowhere/huge.cpp"), text=huge))
    assert (await told.result(request.run)).status is RunStatus.REFUSED


async def test_closing_ends_what_goes_on(tmp_path: Path, told: Told) -> None:
    engine = told.engine()
    request = start(project(tmp_path / "p"))
    await engine.start(request)
    await told.until(lambda: any(isinstance(event, Prepared) for event in told.of(request.run)))
    everything = with_itself(engine.pid or 0)
    closing = asyncio.create_task(engine.close())
    assert await gone(everything) == []
    await closing
    result = await told.result(request.run)
    assert result.status is RunStatus.CANCELLED and "go on later" in result.reason
    await engine.close()
    with pytest.raises(EngineLost):
        await engine.start(start(tmp_path / "p" / "solve.cpp"))
    assert engine.state is EngineState.CLOSED


async def test_closing_while_it_starts(tmp_path: Path, told: Told) -> None:
    before = family(os.getpid())  # a tracker of multiprocessing's, started by another test, stays as long as pytest
    engine = told.engine()
    starting = asyncio.create_task(engine.start(start(tiny(tmp_path))))
    await asyncio.sleep(0.05)
    everything = {pid: began for pid, began in family(os.getpid()).items() if before.get(pid) != began}
    await engine.close()
    with pytest.raises(EngineLost):
        await starting
    assert await gone(everything) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('import time; print(\'{"type":"ready","pid":1,"protocol":999}\', flush=True); time.sleep(60)', "version"),
        ("import time; print('hello', flush=True); time.sleep(60)", "version"),
        ("import time; time.sleep(60)", "said nothing for 1 s"),
        ("raise SystemExit(3)", "ended with status 3"),
        ("import os; os.abort()", "stopped by SIGABRT"),
    ],
)
async def test_an_engine_that_cannot_be_started_says_why(
    told: Told, code: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "ARGV", (sys.executable, "-c", code))
    monkeypatch.setattr(link, "HELLO_S", 1.0 if "nothing" in said else 20.0)
    engine = told.engine()
    with pytest.raises(EngineLost, match=said):
        await engine.start(start(Path("/nowhere/a.cpp"), run=new_id()))
    assert told.states[-1][0] is EngineState.FAILED
    assert told.events == []
    await engine.close()


async def test_last_words_are_logged(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "ARGV", (sys.executable, "-c", "raise KeyError('last words')"))
    engine = told.engine()
    with pytest.raises(EngineLost):
        await engine.inspect(Inspect(0, "a.cpp", b""))
    assert "KeyError: 'last words'" in (tmp_path / "state" / "maxcode" / "log" / "maxcode.log").read_text()
    await engine.close()
