"""Keys from an editor reach the engine through its pipe, and nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from maxcode_lsp.engine import link
from maxcode_lsp.engine.journal.lines import encode
from maxcode_lsp.engine.outlet import Outlet
from maxcode_lsp.engine.serving import Serving
from maxcode_lsp.engine.wire import PROTOCOL, Inspect, Secrets, request_of
from tests.engine.processes import TINY, Told, until

KEY, OTHER = "sk-planted-7f3a9c1e5b2d8046aa", "sk-planted-other-90b1c2d3e4f5"
ENGINE = f"""
import os, sys
sys.stdout.write('{{"type":"ready","pid":%d,"protocol":{PROTOCOL}}}\\n' % os.getpid())
sys.stdout.flush()
for line in sys.stdin:
    with open(sys.argv[1], "a") as got:
        got.write(line)
"""
"""Says that it is there, and writes down what it gets."""


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


async def test_they_come_first_after_each_start_and_at_each_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    got = tmp_path / "got"
    monkeypatch.setattr(link, "ARGV", (sys.executable, "-c", ENGINE, str(got)))
    engine = Told().engine()

    async def requests(count: int) -> list[object]:
        await until(lambda: got.exists() and got.read_bytes().count(b"\n") >= count)
        return [request_of(line) for line in got.read_bytes().splitlines()]

    def ask() -> asyncio.Task[object]:
        return asyncio.ensure_future(engine.inspect(Inspect(0, "a.cpp", TINY.encode())))

    engine.give_secrets({"OPENAI_API_KEY": KEY})
    asked = [ask()]
    assert await requests(2) == [Secrets({"OPENAI_API_KEY": KEY}), Inspect(1, "a.cpp", TINY.encode())]
    engine.give_secrets({"OPENAI_API_KEY": OTHER})
    assert (await requests(3))[2] == Secrets({"OPENAI_API_KEY": OTHER})
    assert engine.pid is not None
    os.kill(engine.pid, signal.SIGKILL)
    await until(lambda: engine.pid is None)
    asked.append(ask())
    assert (await requests(5))[3] == Secrets({"OPENAI_API_KEY": OTHER})
    engine.give_secrets({})
    assert (await requests(6))[5] == Secrets({})
    await engine.close()
    await asyncio.gather(*asked, return_exceptions=True)


async def test_without_any_nothing_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    got = tmp_path / "got"
    monkeypatch.setattr(link, "ARGV", (sys.executable, "-c", ENGINE, str(got)))
    engine = Told().engine()
    engine.give_secrets({})
    asked = asyncio.ensure_future(engine.inspect(Inspect(0, "a.cpp", b"")))
    await until(lambda: got.exists() and got.read_bytes())
    assert isinstance(request_of(got.read_bytes()), Inspect)
    await engine.close()
    await asyncio.gather(asked, return_exceptions=True)


async def test_they_are_in_no_argument_environment_or_file_of_a_real_engine(tmp_path: Path) -> None:
    engine = Told().engine()
    engine.give_secrets({"OPENAI_API_KEY": KEY})
    await engine.inspect(Inspect(0, "a.cpp", TINY.encode()))
    process = Path("/proc", str(engine.pid))
    seen = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
    assert b"maxcode_lsp.engine.process" in seen
    await engine.close()
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(KEY.encode() in data for data in (seen, *kept))
    assert KEY not in "".join(os.environ.values())


async def test_runs_that_begin_later_use_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", OTHER)
    monkeypatch.delenv("MINE", raising=False)
    serving = Serving(Outlet(lambda _why: None))
    assert (serving.keys.find("OPENAI_API_KEY"), serving.keys.find("MINE")) == (OTHER, None)
    serving.take(request_of(encode(Secrets({"OPENAI_API_KEY": KEY, "MINE": KEY}))))
    assert (serving.keys.find("OPENAI_API_KEY"), serving.keys.find("MINE")) == (KEY, KEY)
    before = serving.keys
    serving.take(Secrets({}))
    assert (serving.keys.find("OPENAI_API_KEY"), serving.keys.find("MINE")) == (OTHER, None)
    assert before.find("MINE") == KEY, "a run that goes on keeps what it began with"
    assert not serving.busy


def test_they_are_not_shown() -> None:
    assert KEY not in repr(Secrets({"OPENAI_API_KEY": KEY})) + str(Secrets({"OPENAI_API_KEY": KEY}))
