"""Picking how one run searches: questions, each with what is set as its first answer, or a client's own picker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.model.local.catalogue import CATALOGUE
from maxcode_lsp.model.local.store import file_of
from maxcode_lsp.server.features.picking import for_this_run, models_of, users_own, weights_here
from maxcode_lsp.settings import ModelSettings, Settings
from maxcode_lsp.settings.schema import EFFORTS, STRATEGIES, USERS_OWN
from tests.server.model_editor import ModelEditor, begun, opened

EFFORT, SEARCH, MODEL = "How hard should", "How should MaxCode search", "Which language model"
ANSWERS = {EFFORT: "Low: 8 candidates", SEARCH: "beam", MODEL: "local"}
SEVERAL = """model = "a/b"
[[models]]
name = "c/d"
key_env = "C_KEY"
api_base = "http://127.0.0.1:9/v1"
"""


@pytest.fixture
def pulled(own_folders: None) -> None:
    """Weights of a local model are here, going by their size."""
    file = file_of(CATALOGUE[-1])
    file.parent.mkdir(parents=True)
    with file.open("wb") as sparse:
        sparse.truncate(CATALOGUE[-1].size_bytes)


def own_settings(tmp_path: Path, text: str) -> None:
    """The user's own file."""
    file = tmp_path / ".config" / "maxcode" / "maxcode.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)


async def asking_entry(editor: ModelEditor, uri: str) -> dict[str, Any]:
    entries = await editor.actions(uri, choosing=True)
    (entry,) = [entry for entry in entries if entry["title"] == "Optimize “solve.cpp” with MaxCode, choosing how…"]
    return entry


async def chosen(editor: ModelEditor, uri: str) -> Settings:
    """Those of the run that begins after all questions."""
    await editor.choose(await asking_entry(editor, uri))
    await editor.settled()
    return editor.engine.started[-1].settings


@pytest.mark.usefixtures("pulled")
async def test_what_is_picked_holds_for_this_run_alone(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.answers = ANSWERS
        settings = await chosen(editor, uri)
        assert (settings.effort, settings.candidates, settings.search, settings.model) == ("low", 8, "beam", "local")
        await begun(editor, uri)
        plain = editor.engine.started[-1].settings
        assert (plain.effort, plain.search, plain.model) == ("high", "greedy", "")
        assert len(editor.asked) == 3, "the plain entry asks nothing"


@pytest.mark.usefixtures("pulled")
async def test_what_is_set_comes_first_and_everything_is_there(folder: Path) -> None:
    (folder / "maxcode.toml").write_text('effort = "medium"\nsearch = "cuda-llm"\nmodel = "a/b"\n')
    async with opened(folder) as (editor, uri):
        editor.answers = {EFFORT: "Medium: 32 candidates", SEARCH: "cuda-llm", MODEL: "a/b"}
        settings = await chosen(editor, uri)
        efforts, searches, models = (titles for _, titles in editor.asked)
        assert efforts[0] == "Medium: 32 candidates" and len(efforts) == len(EFFORTS)
        assert searches[0] == "cuda-llm" and sorted(searches) == sorted(STRATEGIES)
        assert models == ["a/b", "local", "none"]
        assert (settings.effort, settings.budget, settings.search, settings.model) == (
            "medium",
            None,
            "cuda-llm",
            "a/b",
        )


@pytest.mark.usefixtures("pulled")
@pytest.mark.parametrize("unanswered", [EFFORT, SEARCH, MODEL])
async def test_where_one_is_not_answered_nothing_starts(folder: Path, unanswered: str) -> None:
    async with opened(folder) as (editor, uri):
        editor.answers = {question: answer for question, answer in ANSWERS.items() if question != unanswered}
        answer = await editor.choose(await asking_entry(editor, uri))
        assert answer == {"run": None, "reason": "Nothing was started, because nothing was chosen."}
        assert editor.engine.started == []
        assert editor.asked[-1][0].startswith(unanswered)
        assert editor.said == [], "who closed a question knows that"


@pytest.mark.parametrize(("answer", "count"), [("As set: 5 candidates", 5), ("Medium: 32 candidates", 32)])
async def test_a_budget_of_the_settings_is_an_answer_and_gives_way_to_another(
    folder: Path, answer: str, count: int
) -> None:
    (folder / "maxcode.toml").write_text("budget = 5\n")
    async with opened(folder) as (editor, uri):
        editor.answers = {EFFORT: answer, SEARCH: "greedy"}
        assert (await chosen(editor, uri)).candidates == count
        assert editor.asked[0][1] == [
            "As set: 5 candidates",
            *(f"{e.capitalize()}: {n} candidates" for e, n in EFFORTS.items()),
        ]


async def test_where_there_is_no_model_none_is_asked_for(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.answers = ANSWERS
        assert not (await chosen(editor, uri)).asks_models
        assert [question.split(" ")[0] for question, _ in editor.asked] == ["How", "How"]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [("As set: a/b, c/d", ["a/b", "c/d"]), ("a/b", ["a/b"]), ("c/d", ["c/d"]), ("none", [])],
)
async def test_of_several_models_one_keeps_its_address_and_key(
    tmp_path: Path, folder: Path, answer: str, asked: list[str]
) -> None:
    own_settings(tmp_path, SEVERAL)
    async with opened(folder) as (editor, uri):
        editor.answers = ANSWERS | {MODEL: answer}
        settings = await chosen(editor, uri)
        assert editor.asked[-1][1] == ["As set: a/b, c/d", "a/b", "c/d", "none"]
        assert [*filter(None, [settings.model]), *(model.name for model in settings.models)] == asked
        assert all((model.key_env, model.api_base) == ("C_KEY", "http://127.0.0.1:9/v1") for model in settings.models)


async def test_nobody_is_asked_where_nothing_will_run(folder: Path) -> None:
    async with opened(folder, options={"trusted": False, "buttons": True}) as (editor, uri):
        await begun(editor, uri, ask=True)
        assert (editor.asked, editor.engine.started) == ([], [])


@pytest.mark.parametrize("kind", ["VS Code", "Neovim", "plain"])
async def test_it_is_offered_only_where_buttons_are_wanted(folder: Path, kind: str) -> None:
    async with opened(folder, kind, {"trusted": True}) as (editor, uri):
        entries = await editor.actions(uri, choosing=True)
        assert [entry["title"] for entry in entries] == ["Optimize “solve.cpp” with MaxCode"]
    async with opened(folder, kind) as (editor, uri):
        assert await asking_entry(editor, uri)


async def test_a_client_with_its_own_picker_learns_what_there_is(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        status = await editor.request("maxcode/status", {"uri": uri})
        assert status["efforts"] == ["low", "medium", "high"]
        assert status["searches"] == list(STRATEGIES)
        assert status["models"] == ["none"]


@pytest.mark.usefixtures("pulled")
async def test_and_gives_what_was_picked(tmp_path: Path, folder: Path) -> None:
    own_settings(tmp_path, SEVERAL)
    (folder / "maxcode.toml").write_text("budget = 5\n")
    async with opened(folder) as (editor, uri):
        assert (await editor.request("maxcode/status", {"uri": uri}))["models"] == ["a/b", "c/d", "local", "none"]
        await begun(editor, uri, settings={"effort": "medium", "search": "beam", "model": "c/d"})
        settings = editor.engine.started[-1].settings
        assert (settings.candidates, settings.search, settings.model) == (32, "beam", "")
        assert [(model.name, model.key_env) for model in settings.models] == [("c/d", "C_KEY")]
        assert (editor.asked, editor.said) == ([], [])


async def test_where_keys_and_money_go_is_not_for_a_start_to_say(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        given = {"search": "beam", "maxcode.llm.max_cost_usd": 99, "models": [{"name": "a/b", "api_base": "http://x"}]}
        answer = await editor.command("maxcode.start", uri=uri, settings=given)
        assert answer["run"] is None
        assert answer["reason"].startswith("Nothing was started: llm.max_cost_usd, models.api_base are not taken")
        assert [message for _, message in editor.said] == [answer["reason"]]
        assert editor.engine.started == []


@pytest.mark.parametrize("key", sorted(USERS_OWN))
def test_such_keys_are_seen_however_they_are_written(key: str) -> None:
    outer, _, inner = key.rpartition(".")
    nested: object = {outer: {inner: 1}} if outer else {inner: 1}
    for given in ({key: 1}, {f"maxcode.{key}": 1}, nested, {outer or "x": [{inner: 1}]} if outer else nested):
        assert list(users_own(given)) == [key]
    assert list(users_own({key: None})) == [], "null leaves what is below"


NOTHING: list[Any] = [None, 7, [], {}, {"llm": {"cache": False}}, {"model": "a/b"}, {"x": [[{"y": {}}]]}]


@pytest.mark.parametrize("given", NOTHING)
def test_nothing_else_is_taken_for_one(given: object) -> None:
    assert list(users_own(given)) == []


@pytest.mark.parametrize(
    "given", [{"effort": 7}, {"effort": ["low"]}, {"effort": "huge"}, {"model": ["c/d"]}, {"budget": 3}]
)
def test_what_makes_no_sense_stays_as_it_is_to_be_told(given: dict[str, Any]) -> None:
    settings = Settings(budget=5, models=(ModelSettings(name="c/d"),))
    assert for_this_run(settings, given) == given


async def test_models_that_can_be_picked() -> None:
    some = Settings(model="a/b", models=(ModelSettings(name="c/d"), ModelSettings(name="a/b")))
    assert await models_of(some) == ("a/b", "c/d", "none")
    assert await models_of(Settings(model="local")) == ("local", "none"), "what is set can be picked again"


@pytest.mark.usefixtures("pulled")
def test_a_piece_of_the_weights_is_no_model() -> None:
    assert weights_here()
    with file_of(CATALOGUE[-1]).open("r+b") as file:
        file.truncate(CATALOGUE[-1].size_bytes - 1)
    assert not weights_here()
