"""Kills at random moments: nothing is lost, nothing is left behind, and no progress stays open.

``MAXCODE_MOMENTS`` is the number of moments of each kind (2 where it is not set); ``MAXCODE_SEED`` chooses them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from maxcode_lsp.engine.events import Evaluated, RunResult
from maxcode_lsp.engine.journal.records import Line
from tests.e2e.conftest import Launch
from tests.e2e.editor import Buffer, Editor
from tests.e2e.processes import below, gone
from tests.e2e.programs import SLOW
from tests.e2e.test_story import runs

MOMENTS = int(os.environ.get("MAXCODE_MOMENTS", "2"))
SEED = int(os.environ.get("MAXCODE_SEED", "1"))
LATEST_S = 12.0
"""By then the run is deep in its search."""
SETTINGS = 'budget = 12\nseconds = 120\nflags = "-O2"\n'


def moments(kind: str) -> list[float]:
    """Random moments of a run, in seconds after its start: at once, and many of them early, where most begins."""
    draw = random.Random(f"{SEED} {kind}")
    return [0.0, *(LATEST_S * draw.random() ** 2 for _ in range(MOMENTS - 1))]


def journals(home: Path) -> list[Path]:
    return sorted((home / "data" / "maxcode" / "runs").glob("*.jsonl"))


def records(journal: Path) -> list[Any]:
    """All records so far; every line but one that is being written can be read."""
    return [msgspec.json.decode(line, type=Line).record for line in journal.read_bytes().split(b"\n")[:-1]]


def evaluations(journal: Path) -> list[str]:
    """Candidates evaluated so far."""
    return [one.evaluation.candidate for one in records(journal) if isinstance(one, Evaluated)]


async def begun(editor: Editor, workspace: Path) -> str:
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    (workspace / "maxcode.toml").write_text(SETTINGS)
    buffer = editor.open(file)
    answer = await editor.execute("maxcode.start", {"uri": buffer.uri})
    assert answer["run"], answer
    return answer["run"]


def engine_of(editor: Editor) -> int | None:
    for pid in below(editor.pid):
        with contextlib.suppress(OSError):
            if b"engine.process" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
    return None


@pytest.mark.parametrize("moment_s", moments("engine"))
async def test_a_killed_engine_comes_back_and_goes_on(
    moment_s: float, launch: Launch, workspace: Path, tmp_path: Path
) -> None:
    editor = await launch()
    run = await begun(editor, workspace)
    await editor.until(lambda: engine_of(editor) is not None, "the engine")
    await asyncio.sleep(moment_s)
    engine = engine_of(editor)
    assert engine is not None
    family = below(engine)
    before = evaluations(journals(tmp_path / "home")[0]) if journals(tmp_path / "home") else []
    os.kill(engine, signal.SIGKILL)
    assert not await gone(family | {engine})
    await editor.until(lambda: engine_of(editor) not in {None, engine}, "another engine")
    (journal,) = await until_more(lambda: journals(tmp_path / "home"))
    await until_more(lambda: gone_on(journal, len(before)))
    after = evaluations(journal)
    assert after[: len(before)] == before, "what was evaluated before is still there"
    assert len(after) == len(set(after)), "nothing is evaluated twice"
    await editor.execute("maxcode.stop", {"run": run})
    await editor.until(editor.ended, "the end of the progress")


async def until_more(found: Callable[[], list[Any]]) -> list[Any]:
    for _ in range(1200):
        if some := found():
            return some
        await asyncio.sleep(0.1)
    raise AssertionError("waited in vain")


@pytest.mark.parametrize("moment_s", moments("server"))
async def test_a_killed_server_leaves_nothing_but_its_journal(
    moment_s: float, launch: Launch, workspace: Path, tmp_path: Path
) -> None:
    editor = await launch()
    await begun(editor, workspace)
    await asyncio.sleep(moment_s)
    family = below(editor.pid) | {editor.pid}
    os.kill(editor.pid, signal.SIGKILL)
    assert not await gone(family)
    with contextlib.suppress(Exception):
        await editor.client.stop()
    await goes_on_in_another_window(launch, workspace, tmp_path)


@pytest.mark.parametrize("moment_s", moments("editor"))
async def test_a_killed_editor_takes_everything_with_it(
    moment_s: float, launch: Launch, workspace: Path, tmp_path: Path
) -> None:
    """The editor is a process of its own here: its pipes break as they do in life."""
    script = tmp_path / "window.py"
    script.write_text(
        textwrap.dedent(
            """
            import asyncio, sys
            from pathlib import Path
            from tests.e2e.editor import Editor
            from tests.e2e.test_faults import begun

            async def live(workspace, home):
                editor = Editor(workspace, "vscode", home)
                await editor.start({"trusted": True})
                await begun(editor, workspace)
                print("begun", flush=True)
                await asyncio.sleep(60)

            asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2])))
            """
        )
    )
    env = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    window = subprocess.Popen(  # noqa: ASYNC220 - it starts at once
        [sys.executable, script, workspace, tmp_path / "home"], env=env, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert window.stdout is not None
        assert await asyncio.to_thread(window.stdout.readline) == b"begun\n"
        await asyncio.sleep(moment_s)
        family = below(window.pid)
        assert family
        window.kill()
        assert not await gone(family)
    finally:
        window.kill()
        window.wait()
        assert window.stdout is not None
        window.stdout.close()
    await goes_on_in_another_window(launch, workspace, tmp_path)


async def offered(editor: Editor, buffer: Buffer, title: str) -> None:
    """Wait for an action to be offered."""
    for _ in range(100):
        if any(title in action.title for action in await editor.actions(buffer, buffer.range_of("main"))):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"“{title}” is not offered")


def gone_on(journal: Path, evaluated: int) -> list[Any]:
    """What shows that a run goes on: another evaluation, or (all were made before) its end."""
    return evaluations(journal)[evaluated:] or [one for one in records(journal) if isinstance(one, RunResult)]


async def goes_on_in_another_window(launch: Launch, workspace: Path, tmp_path: Path) -> None:
    """What was found is listed as interrupted, offered to go on, and does."""
    known = journals(tmp_path / "home")
    if not known:
        return  # killed before the run had begun
    before = evaluations(known[0])
    over = [one for one in records(known[0]) if isinstance(one, RunResult)]
    editor = await launch()
    if over:  # killed after its end: the result is there
        (listed,) = await runs(editor, (workspace / "slow.cpp").as_uri())
        assert (listed["run"], listed["status"]) == (known[0].stem, over[0].status.value)
        await offered(editor, editor.open(workspace / "slow.cpp"), "Apply MaxCode")
        return
    buffer = editor.open(workspace / "slow.cpp")
    await offered(editor, buffer, "Continue")
    answer = await editor.choose(buffer, buffer.range_of("main"), "Continue")
    assert answer["run"] == known[0].stem, answer
    await until_more(lambda: gone_on(known[0], len(before)))
    after = evaluations(known[0])
    assert after[: len(before)] == before
    assert len(after) == len(set(after))
    await editor.execute("maxcode.stop", {"run": answer["run"]})
    await editor.until(editor.ended, "the end of the progress")
