"""A person picks how one run searches, over real stdio, and the history says how it searched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.model.local.catalogue import CATALOGUE
from maxcode_lsp.model.local.store import file_of
from tests.e2e.conftest import Launch
from tests.e2e.editor import Buffer, Editor
from tests.e2e.programs import SLOW
from tests.e2e.test_story import finished, runs, start, to_plain

TITLE = "Optimize “slow.cpp” with MaxCode, choosing how…"
SETTINGS = 'seconds = 240\nflags = "-O2"\nworkload.seconds = 0.1\nstrategy.width = 4\n'
OPTIONS = {"trusted": True, "buttons": True}
ANSWERS = {"How hard": "Low: 8 candidates", "How should MaxCode search": "beam", "Which language model": "none"}


async def history(editor: Editor, run: str) -> dict[str, Any]:
    """One run, with all that is known of it."""
    answer = await editor.client.protocol.send_request_async("maxcode/runs", {"run": run})
    (one,) = to_plain(answer)["runs"]
    return one


async def test_how_one_run_searches_is_chosen_and_told(
    launch: Launch, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    (workspace / "maxcode.toml").write_text(SETTINGS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    weights(CATALOGUE[-1].size_bytes)
    editor = await launch(options=OPTIONS)
    buffer = editor.open(file)

    # Who leaves a question starts nothing.
    editor.answers = dict(list(ANSWERS.items())[:2])
    answer = await choose(editor, buffer)
    assert answer["run"] is None and len(editor.asked) == 3
    assert await runs(editor, buffer.uri) == []

    editor.answers = ANSWERS
    run = (await choose(editor, buffer))["run"]
    titles = [[action.title for action in asked.actions or []] for asked in editor.asked[3:]]
    assert titles[0] == ["High: 64 candidates", "Low: 8 candidates", "Medium: 32 candidates"]
    assert titles[1][0] == "greedy" and "beam" in titles[1]
    assert titles[2] == ["none", "local"]
    await finished(editor, run)
    told = await history(editor, run)
    assert told["status"] == "improved", told
    assert (told["search"], told["effort"], told["budget"]) == ("beam", "low", 8)
    assert 0 < told["done"] <= 8
    assert told["path"] and told["u"] == told["path"][-1]["u"] > 1.5
    assert all(one["depth"] >= 1 for one in told["path"])
    assert any(one["because"] for one in told["path"]), told["path"]
    assert {one["depth"] for one in told["candidates"]} >= {1, 2}
    messages = [getattr(report, "message", "") or "" for report in editor.progress()[-1]]
    assert any("of 8" in message for message in messages), messages
    assert any("depth " in message for message in messages), messages
    hover = await editor.hover(buffer, "main")
    assert "Search: beam" in hover and "It acts on: " in hover, hover
    assert await editor.quit() == 0

    # What was chosen held for that run; its history is there in another session.
    other = await launch(options=OPTIONS)
    buffer = other.open(file)
    same = await history(other, run)
    assert (same["generation"], same["path"], same["candidates"]) == (0, told["path"], told["candidates"])
    plain = await start(other, buffer.uri)
    now = await history(other, plain)
    assert (now["search"], now["effort"], now["budget"], other.asked) == ("greedy", "high", 64, [])
    await other.execute("maxcode.stop", {"run": plain})


def weights(size_bytes: int) -> None:
    """A file of the size of a local model's weights; nobody reads it."""
    file = file_of(CATALOGUE[-1])
    file.parent.mkdir(parents=True)
    with file.open("wb") as sparse:
        sparse.truncate(size_bytes)


async def choose(editor: Editor, buffer: Buffer) -> dict[str, Any]:
    """Choose the entry that asks; what its command answers."""
    return to_plain(await editor.choose(buffer, buffer.range_of("main"), TITLE))
