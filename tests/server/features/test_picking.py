"""Picking how one run searches: three questions, each with what is set as its first answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.server.features.picking import models_of
from maxcode_lsp.settings import ModelSettings, Settings
from maxcode_lsp.settings.schema import EFFORTS, STRATEGIES
from tests.server.model_editor import ModelEditor, opened

EFFORT, SEARCH, MODEL = "How hard should", "How should MaxCode search", "Which language model"
ANSWERS = {EFFORT: "Low: 8 candidates", SEARCH: "beam", MODEL: "none"}


async def asking_entry(editor: ModelEditor, uri: str) -> dict[str, Any]:
    entries = await editor.actions(uri, choosing=True)
    (entry,) = [entry for entry in entries if entry["title"] == "Optimize “solve.cpp” with MaxCode, choosing how…"]
    return entry


async def test_what_is_picked_holds_for_this_run_alone(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.answers = ANSWERS
        await editor.choose(await asking_entry(editor, uri))
        await editor.settled()
        (request,) = editor.engine.started
        settings = request.settings
        assert (settings.effort, settings.candidates, settings.search, settings.model) == ("low", 8, "beam", "")
        assert [question for question, _ in editor.asked][-1].startswith(MODEL)
        await editor.execute({"command": "maxcode.start", "arguments": [{"uri": uri}]})
        await editor.settled()
        plain = editor.engine.started[-1].settings
        assert (plain.effort, plain.search) == ("high", "greedy")


async def test_what_is_set_comes_first_and_everything_is_there(folder: Path) -> None:
    (folder / "maxcode.toml").write_text('effort = "medium"\nsearch = "cuda-llm"\nmodel = "a/b"\n')
    async with opened(folder) as (editor, uri):
        editor.answers = {EFFORT: "Medium: 32 candidates", SEARCH: "cuda-llm", MODEL: "a/b"}
        await editor.choose(await asking_entry(editor, uri))
        await editor.settled()
        efforts, searches, models = (titles for _, titles in editor.asked)
        assert efforts[0] == "Medium: 32 candidates" and len(efforts) == len(EFFORTS)
        assert searches[0] == "cuda-llm" and sorted(searches) == sorted(STRATEGIES)
        assert models == ["a/b", "local", "none"]
        (request,) = editor.engine.started
        assert request.settings.model == "a/b"


@pytest.mark.parametrize("unanswered", [EFFORT, SEARCH, MODEL])
async def test_where_one_is_not_answered_nothing_starts(folder: Path, unanswered: str) -> None:
    async with opened(folder) as (editor, uri):
        editor.answers = {question: answer for question, answer in ANSWERS.items() if question != unanswered}
        answer = await editor.choose(await asking_entry(editor, uri))
        assert answer == {"run": None, "reason": "Nothing was started, because nothing was chosen."}
        assert editor.engine.started == []
        assert editor.asked[-1][0].startswith(unanswered)
        assert editor.said == [], "who closed a question knows that"


async def test_a_client_with_its_own_picker_learns_what_there_is(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        status = await editor.request("maxcode/status", {"uri": uri})
        assert status["efforts"] == ["low", "medium", "high"]
        assert status["searches"] == list(STRATEGIES)
        assert status["models"] == ["local", "none"]


def test_models_that_can_be_picked() -> None:
    some = Settings(model="a/b", models=(ModelSettings(name="c/d"), ModelSettings(name="a/b")))
    assert models_of(some) == ("a/b", "c/d", "local", "none")
    assert models_of(Settings()) == ("local", "none")
