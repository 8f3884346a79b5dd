"""The whole story over real stdio, with what VS Code and Neovim say they can do."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from lsprotocol import types

from tests.e2e.conftest import Launch
from tests.e2e.editor import Editor
from tests.e2e.processes import below, gone
from tests.e2e.programs import CLOCK, SLOW, TIGHT

EXAMPLES = Path(__file__).parents[2] / "examples"
SETTINGS = 'budget = 6\nseconds = 300\nflags = "-O2"\n'


def kinds(editor: Editor) -> list[list[str]]:
    return [[type(report).__name__ for report in reports] for reports in editor.progress()]


def built_and_run(source: Path, folder: Path, stdin: Path) -> tuple[bytes, float]:
    """Output and processor time, by nothing of ours: plain g++, plain run, ``getrusage``; best of five."""
    program = folder / (source.stem + ".bin")
    subprocess.run(["g++", "-O2", "-o", program, source], check=True)
    times: list[float] = []
    output = b""
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run([program], check=True, capture_output=True, input=stdin.read_bytes()).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return output, min(times)


def example(workspace: Path) -> Path:
    """One of the examples that everybody gets, with its inputs."""
    for file in EXAMPLES.glob("heat*"):
        shutil.copy(file, workspace)
    return workspace / "heat.cpp"


def slow(workspace: Path) -> Path:
    """A program that reads nothing."""
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    return file


@pytest.mark.parametrize(("name", "program"), [("vscode", example), ("neovim", slow), ("bare", slow)])
async def test_the_whole_story(
    name: str, program: Callable[[Path], Path], launch: Launch, workspace: Path, tmp_path: Path
) -> None:
    file = program(workspace)
    (workspace / "maxcode.toml").write_text(SETTINGS)
    editor = await launch(name)
    buffer = editor.open(file)
    assert not editor.progress()

    # The action is there, and one run is stopped again.
    started = await start(editor, buffer.uri)
    if name != "bare":
        await editor.until(lambda: len(editor.progress()) == 1 and len(editor.progress()[0]) > 1, "progress")
        token = next(iter(editor.client.progress_reports))
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        await editor.until(editor.ended, "the end of the progress")
    else:
        await editor.execute("maxcode.stop", {"run": started})
    engine = below(editor.pid)
    assert engine, "no engine was started"
    await idle(editor)

    # Another goes on to its end: findings, hover and lens arrive meanwhile.
    again = await start(editor, buffer.uri)
    assert again != started
    await editor.until(lambda: bool(editor.client.diagnostics.get(buffer.uri)), "findings")
    found = editor.client.diagnostics[buffer.uri]
    assert {finding.source for finding in found} == {"maxcode"}
    assert len({(finding.code, finding.range.start.line) for finding in found}) == len(found)
    await finished(editor, again)
    told = await runs(editor, buffer.uri)
    result = next(run for run in told if run["run"] == again)
    assert result["status"] == "improved", result
    assert next(run for run in told if run["run"] == started)["status"] == "cancelled"
    assert result["best"] > 1.5
    assert editor.ended()
    if name != "bare":
        reports = kinds(editor)[-1]
        assert reports[0] == "WorkDoneProgressBegin" and reports.count("WorkDoneProgressReport") > 0
    hover = await editor.hover(buffer, "main")
    assert "×" in hover and file.name in hover, hover
    lenses = await editor.lenses(buffer)
    assert any("ready" in title for title in lenses), lenses

    await applied_and_confirmed(editor, again, file, tmp_path)


async def applied_and_confirmed(editor: Editor, run: str, file: Path, folder: Path) -> None:
    """The edit: minimal, for this version, applied by an editor that knows nothing of us; then judged once more."""
    buffer = editor.buffers[file.as_uri()]
    if editor.name == "bare":
        applied = await editor.execute("maxcode.apply", {"run": run})
        assert applied["applied"], applied
    else:
        await editor.choose(buffer, buffer.range_of("main"), "Apply MaxCode")
    assert buffer.text != file.read_text()
    edited = folder / "edited.cpp"
    edited.write_text(buffer.text)
    stdin = folder / "large.in"
    stdin.write_text("500 60 4.0\n10 10 900\n")
    before, slow_s = built_and_run(file, folder, stdin)
    after, fast_s = built_and_run(edited, folder, stdin)
    assert before == after
    assert slow_s / fast_s > 1.5

    # What is in the buffer now is built and judged once more.
    async def confirmed() -> bool:
        return any("confirmed" in title for title in await editor.lenses(buffer))

    await eventually(editor, confirmed, "the confirmation of what was applied")


async def test_nothing_to_gain_is_said_once(launch: Launch, workspace: Path) -> None:
    file = workspace / "tight.cpp"
    file.write_text(TIGHT)
    (workspace / "maxcode.toml").write_text(SETTINGS)
    editor = await launch()
    buffer = editor.open(file)
    run = await start(editor, buffer.uri)
    await finished(editor, run)
    told = [told.message.lower() for told in (*editor.client.messages, *editor.asked)]
    assert sum("no measurable difference" in message for message in told) == 1, told
    titles = [action.title for action in await editor.actions(buffer, buffer.range_of("main"))]
    assert any(title.startswith("Why no improvement") for title in titles), titles
    assert not any(title.startswith("Apply") for title in titles), titles


async def test_what_cannot_be_judged_is_refused_with_a_reason(launch: Launch, workspace: Path) -> None:
    file = workspace / "clock.cpp"
    file.write_text(CLOCK)
    editor = await launch()
    buffer = editor.open(file)
    run = await start(editor, buffer.uri)
    await finished(editor, run)
    assert editor.said("two runs on the same input gave different output"), editor.client.messages


async def test_a_person_who_does_not_trust_the_folder_runs_nothing(launch: Launch, workspace: Path) -> None:
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    editor = await launch(options={"trusted": False})
    buffer = editor.open(file)
    answer = await editor.execute("maxcode.start", {"uri": buffer.uri})
    await editor.until(lambda: editor.said("Nothing was run: this folder is not trusted."), "the reason")
    assert answer is not None
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in below(editor.pid)]
    assert not any(b"g++" in command or b"launcher" in command for command in commands)


async def test_the_end_of_the_editor_is_the_end_of_everything(launch: Launch, workspace: Path) -> None:
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    editor = await launch()
    buffer = editor.open(file)
    await start(editor, buffer.uri)
    await editor.until(lambda: len(below(editor.pid)) > 2, "an engine with children")
    family = below(editor.pid) | {editor.pid}
    server = editor.client._server
    assert server is not None and server.stdin is not None
    server.stdin.close()
    assert not await gone(family)
    await server.wait()


async def start(editor: Editor, uri: str) -> str:
    """Choose “Optimize …” (or execute its command, where an editor has no actions); the run's id."""
    buffer = editor.buffers[uri]
    if editor.name != "bare":
        titles = [action.title for action in await editor.actions(buffer, buffer.range_of("main"))]
        assert any("Optimize “" in title for title in titles), titles
        answer = await editor.choose(buffer, buffer.range_of("main"), "Optimize “")
    else:
        answer = await editor.execute("maxcode.start", {"uri": uri})
    assert answer["run"], answer
    return answer["run"]


async def runs(editor: Editor, uri: str) -> list[dict[str, Any]]:
    """``maxcode/runs``."""
    answer = await editor.client.protocol.send_request_async("maxcode/runs", {"uri": uri})
    return to_plain(answer)["runs"]


def to_plain(answer: Any) -> Any:
    """What a pygls client makes of a custom answer (named tuples), as plain values again."""
    return msgspec.to_builtins(answer) if not hasattr(answer, "_asdict") else _named(answer)


def _named(answer: Any) -> Any:
    if hasattr(answer, "_asdict"):
        fields: dict[str, Any] = answer._asdict()
        return {key: _named(value) for key, value in fields.items()}
    return [_named(value) for value in cast("list[Any]", answer)] if isinstance(answer, list) else answer


async def finished(editor: Editor, run: str) -> None:
    """Wait for the end of a run."""

    async def over() -> bool:
        known = [one for buffer in editor.buffers for one in await runs(editor, buffer)]
        return any(one["run"] == run and one["status"] != "running" for one in known)

    await eventually(editor, over, f"the end of {run}")


async def idle(editor: Editor) -> None:
    """Wait until no run is going on."""

    async def quiet() -> bool:
        answer = to_plain(await editor.client.protocol.send_request_async("maxcode/status", {"uri": None}))
        return answer["running"] == 0

    await eventually(editor, quiet, "rest")


async def eventually(editor: Editor, condition: Any, what: str) -> None:
    import asyncio

    for _ in range(600):
        if await condition():
            return
        await asyncio.sleep(0.2)
    said = [message.message for message in (*editor.client.messages, *editor.asked)]
    raise AssertionError(f"waited in vain for {what}; the server said {said}")
