from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode_lsp.engine import process as engine_process
from maxcode_lsp.engine.events import Progress, RunResult
from maxcode_lsp.engine.journal.lines import encode
from maxcode_lsp.engine.journal.places import journal_file, new_id, runs_folder
from maxcode_lsp.engine.outlet import Outlet
from maxcode_lsp.engine.serving import PROGRESS_S, _Run
from maxcode_lsp.engine.splitter import Splitter
from maxcode_lsp.engine.wire import (
    Cancel,
    Drop,
    Happened,
    Inspect,
    Inspected,
    Message,
    Ready,
    Request,
    Start,
    Verify,
    message_of,
)
from maxcode_lsp.records import RunStatus
from maxcode_lsp.settings import Settings
from tests.engine.processes import PATIENCE_S, TINY, family, gone, start, until, with_itself
from tests.engine.programs import COPIES, project

ROOT = Path(__file__).parents[2]
REAL = ("-P", "-m", "maxcode_lsp.engine.process")


class Raw:
    """An engine process, talked to by hand."""

    def __init__(self, process: Process) -> None:
        self.process = process

    @property
    def stdout(self) -> asyncio.ReadTransport:
        """Our end of its standard output."""
        process: Any = self.process
        return cast("asyncio.ReadTransport", process._transport.get_pipe_transport(1))

    async def read(self) -> Message:
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
        assert line, "the engine ended"
        return message_of(line)

    def send(self, *requests: Request | bytes) -> None:
        assert self.process.stdin is not None
        for request in requests:
            self.process.stdin.write(request if isinstance(request, bytes) else encode(request))

    async def until(self, there: Callable[[Message], bool]) -> list[Message]:
        """Messages up to the one that is wanted."""
        seen = [await self.read()]
        while not there(seen[-1]):
            seen.append(await self.read())
        return seen

    async def end(self) -> int:
        """The end of its input; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), PATIENCE_S)


Launch = Callable[..., Awaitable[Raw]]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "engine-cache"))


@pytest.fixture
async def launch() -> AsyncIterator[Launch]:
    """Starts engine processes; none is left at the end."""
    async with AsyncExitStack() as stack:

        async def made(*argv: str, cwd: Path = ROOT) -> Raw:
            raw = Raw(
                await asyncio.create_subprocess_exec(
                    sys.executable,
                    *(argv or REAL),
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=PIPE,
                    cwd=cwd,
                    env={**os.environ, "PYTHONPATH": str(ROOT)},
                    limit=64 << 20,
                )
            )

            async def end() -> None:
                if raw.process.returncode is None:
                    raw.process.kill()
                await raw.process.communicate()

            stack.push_async_callback(end)
            assert isinstance(await raw.read(), Ready)
            return raw

        yield made


def is_result(message: Message) -> bool:
    return isinstance(message, Happened) and isinstance(message.event, RunResult)


async def going(raw: Raw, folder: Path) -> Start:
    """A run that has children."""
    raw.send(request := start(project(folder), settings=Settings(budget=50, seconds=100)))
    await raw.until(lambda message: isinstance(message, Happened))
    await until(lambda: family(raw.process.pid))
    return request


@pytest.mark.parametrize("way", ["end of input", "SIGTERM", "SIGINT", "nobody reads"])
async def test_it_ends_with_all_that_it_started(launch: Launch, tmp_path: Path, way: str) -> None:
    raw = await launch()
    await going(raw, tmp_path / "p")
    everything = with_itself(raw.process.pid)
    match way:
        case "end of input":
            raw.send(b'{"half a line')
            assert await raw.end() in {0, 1}
        case "nobody reads":
            raw.stdout.close()
        case signal_name:
            raw.process.send_signal(getattr(signal, signal_name))
    assert await gone(everything) == []


async def test_it_dies_with_its_parent(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from tests.engine.processes import start
from maxcode_lsp.engine.client import Engine
async def go():
    engine = Engine(lambda run, event: print(engine.pid, flush=True))
    await engine.start(start(Path(sys.argv[1])))
    await asyncio.sleep(600)
asyncio.run(go())
"""
    file = project(tmp_path / "p")
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(file), stdout=PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert parent.stdout is not None
    pid = int(await asyncio.wait_for(parent.stdout.readline(), PATIENCE_S))
    await until(lambda: family(pid))
    everything = with_itself(parent.pid)
    assert pid in everything
    parent.kill()
    assert await gone(everything) == []
    await parent.communicate()


async def test_a_stuck_engine_is_gone_in_time_all_the_same(launch: Launch, tmp_path: Path) -> None:
    stuck = "import threading, time; from maxcode_lsp.engine import process, serving; from pathlib import Path\n"
    stuck += "serving.inspect = lambda *_: time.sleep(600)\nprocess.main()"
    raw = await launch("-c", stuck)
    raw.send(Inspect(1, "a.cpp", b""))
    await asyncio.sleep(1.5)
    everything = with_itself(raw.process.pid)
    raw.process.send_signal(signal.SIGTERM)
    assert await gone(everything) == []
    assert raw.process.stderr is not None
    assert b"in <lambda>" in await raw.process.stderr.read()


async def test_what_is_printed_never_reaches_the_stream(launch: Launch) -> None:
    noisy = """
import os, subprocess, sys, threading, time
from maxcode_lsp.engine import process
def noise():
    while os.fstat(1) != os.fstat(2):
        time.sleep(0.001)
    while True:
        print("a library's banner", flush=True)
        os.write(1, b"written past Python\\n")
        subprocess.run(["echo", "by a child"])
        assert sys.stdin.read() == "" == input_of_a_child()
        time.sleep(0.01)
def input_of_a_child():
    return subprocess.run(["cat"], capture_output=True, text=True).stdout
threading.Thread(target=noise, daemon=True).start()
process.main()
"""
    raw = await launch("-c", noisy)
    for number in range(30):
        raw.send(Inspect(number, "a.cpp", COPIES.encode()))
        answer = await raw.read()
        assert isinstance(answer, Inspected) and answer.id == number
    assert await raw.end() in {0, 1}
    assert raw.process.stderr is not None
    said = await raw.process.stderr.read()
    assert b"banner" in said and b"past Python" in said and b"by a child" in said
    assert b"Traceback" not in said


async def test_a_folder_with_modules_is_never_imported_from(launch: Launch, tmp_path: Path) -> None:
    for name in ("random", "statistics", "scipy", "maxcode_lsp", "inspect", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(77)\n")
    raw = await launch(cwd=tmp_path)
    raw.send(Inspect(1, str(tmp_path / "a.cpp"), COPIES.encode()))
    assert isinstance(await raw.read(), Inspected)
    assert await raw.end() == 0


async def test_a_slow_reader_blocks_nothing_and_loses_nothing(launch: Launch, tmp_path: Path) -> None:
    raw = await launch()
    raw.stdout.pause_reading()
    text = b"int f(std::vector<int> v) { return v[0]; }\n" * 1000
    # Answers of some megabytes, which nobody reads for a while.
    raw.send(*(Inspect(number, "a.cpp", text) for number in range(20)))
    raw.send(request := start(project(tmp_path / "p", TINY, None)))
    journal = journal_file(runs_folder(), request.run)
    await until(lambda: journal.exists() and b'"finished"' in journal.read_bytes())
    raw.stdout.resume_reading()
    last = Inspect(20, "a.cpp", b"")
    raw.send(last)
    seen = await raw.until(lambda message: isinstance(message, Inspected) and message.id == last.id)
    if not any(map(is_result, seen)):
        seen += await raw.until(is_result)
    assert [m.id for m in seen if isinstance(m, Inspected)] == list(range(21))
    assert sum(len(encode(m)) for m in seen) > 1 << 20
    (result,) = filter(is_result, seen)
    assert isinstance(result, Happened) and result.run == request.run
    assert await raw.end() == 0


async def test_progress_is_told_ten_times_a_second_at_most() -> None:
    class Kept:
        slow = False

        def __init__(self) -> None:
            self.sent: list[Happened] = []

        def send(self, message: Happened) -> None:
            self.sent.append(message)

    kept = Kept()
    run = _Run(start(Path("/p/a.cpp")), cast("Outlet", kept))
    for done in range(1000):
        run.tell(Progress("searching", done, 1000))
    await asyncio.sleep(3 * PROGRESS_S)
    assert [m.event for m in kept.sent] == [Progress("searching", 999, 1000)]
    kept.slow = True
    run.tell(Progress("searching", 1000, 1000))
    await asyncio.sleep(3 * PROGRESS_S)
    assert len(kept.sent) == 1
    kept.slow = False
    await asyncio.sleep(3 * PROGRESS_S)
    assert [m.event for m in kept.sent[1:]] == [Progress("searching", 1000, 1000)]
    run.tell(Progress("confirming", 1000, 1000))
    run.stop()
    run.tell(Progress("confirming", 1001, 1000))
    await asyncio.sleep(3 * PROGRESS_S)
    assert [type(m.event) for m in kept.sent[2:]] == [RunResult]


async def test_every_start_ends_in_one_result_whatever_it_says(launch: Launch, tmp_path: Path) -> None:
    raw = await launch()
    fine = project(tmp_path / "p", TINY, None)
    odd = [
        start(Path("relative.cpp")),
        start(Path("/")),
        start(Path("/nul\0l.cpp")),
        start(tmp_path / "not there" / "a.cpp"),
        start(tmp_path / "not there" / "b.cpp", text=b""),
        start(tmp_path / "c.py", text=b"print()"),
        start(tmp_path / "d.cpp", text=b"int main() {" + b"\xff\0" * 100),
        start(fine, run="../../etc/passwd"),
        start(fine, settings=Settings(flags=("-fplugin=evil.so",))),
        Start(new_id(), "", b"", Settings()),
    ]
    for each in odd:
        raw.send(each)
        # The same file again would replace the one before.
        seen = await raw.until(is_result)
        last = seen[-1]
        assert isinstance(last, Happened) and isinstance(last.event, RunResult)
        assert last.run == each.run
        assert last.event.status in {RunStatus.REFUSED, RunStatus.FAILED}, (each, last)
        assert last.event.reason
    raw.send(Cancel(odd[0].run), Drop(77), ok := start(fine))
    seen = await raw.until(is_result)
    assert [m for m in seen if isinstance(m, Happened) and m.run != ok.run] == []
    assert await raw.end() == 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
near_misses = st.fixed_dictionaries(
    {"type": st.sampled_from(["start", "cancel", "verify", "inspect", "drop", "ready", ""])},
    optional={
        "run": json_values | st.just("a run"),
        "id": json_values,
        "file": json_values,
        "text": json_values,
        "original": json_values,
        "settings": json_values | st.just({"budget": -1}),
        "resume": json_values,
    },
).filter(lambda made: made["type"] != "inspect" or not isinstance(made.get("id"), int))
garbage = st.one_of(
    st.binary(max_size=200),
    near_misses.map(lambda made: encode(made).strip()),
    st.sampled_from([b"[" * 100_000, b"{}", b"null", b"\xff\xfe", b'"\\ud800"', b'{"type":"cancel","run":"x"}']),
    st.sampled_from([Verify(1, "a", b"", b"", Settings()), Inspect(2, "b", b"x")]).flatmap(
        lambda request: st.integers(1, len(encode(request)) - 3).map(lambda cut: encode(request)[:cut])
    ),
).map(lambda line: line.replace(b"\n", b" "))


async def test_garbage_is_ignored(launch: Launch) -> None:
    raw = await launch()
    numbers = iter(range(10**6))
    loop = asyncio.get_running_loop()

    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(st.lists(garbage, max_size=10))
    def feed(lines: list[bytes]) -> None:
        async def go() -> None:
            number = next(numbers)
            raw.send(*(line + b"\n" for line in lines), Inspect(number, "a.cpp", b"int main() {}\n"))
            answers = await raw.until(lambda message: isinstance(message, Inspected) and message.id == number)
            # Whatever of it happened to be a request was answered as one.
            assert all(isinstance(answer, Inspected | Happened | Ready) for answer in answers)

        asyncio.run_coroutine_threadsafe(go(), loop).result(PATIENCE_S)

    await asyncio.to_thread(feed)
    assert await raw.end() == 0


async def test_a_line_that_is_too_long_is_left_out(launch: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = await launch()
    raw.send(Inspect(1, "a.cpp", bytes(30 << 20)), Inspect(2, "a.cpp", b""))
    answer = await raw.read()
    assert isinstance(answer, Inspected) and answer.id == 2
    assert await raw.end() == 0


async def test_an_idle_engine_leaves(launch: Launch) -> None:
    short = "from maxcode_lsp.engine import process\nprocess.IDLE_S = process.BEAT_S = 0.3\nprocess.main()"
    raw = await launch("-c", short)
    assert await asyncio.wait_for(raw.process.wait(), PATIENCE_S) == 0


@given(st.lists(st.binary(max_size=12), max_size=12), st.integers(0, 8), st.randoms(use_true_random=False))
def test_lines_come_out_whole_however_they_are_cut(lines: list[bytes], limit: int, draw: random.Random) -> None:
    lines = [line.replace(b"\n", b"") for line in lines]
    stream = b"".join(line + b"\n" for line in lines)
    cuts = sorted(draw.randrange(len(stream) + 1) for _ in range(5))
    splitter = Splitter(limit)
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    found = [line for piece in pieces for line in splitter.feed(piece)]
    assert found == [line for line in lines if len(line) <= limit]
    assert splitter.left_out == len(lines) - len(found)


def test_the_client_side_is_light() -> None:
    code = "import sys, maxcode_lsp.engine.client; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    heavy = {"scipy", "numpy", "tree_sitter", "tree_sitter_cpp", "rich", "typer", "platformdirs", "diskcache", "yaml"}
    assert heavy & set(said.split()) == set()
    assert engine_process.NICER > 0
