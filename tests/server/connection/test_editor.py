from __future__ import annotations

import asyncio
import json
from importlib.resources import files
from typing import Any

import pytest
from lsprotocol import types

from maxcode_lsp.server.connection import editor as module
from maxcode_lsp.server.connection.editor import Abilities, abilities
from tests.server.far_end import FarEnd

EDIT = types.WorkspaceEdit()
EVERYTHING = Abilities(
    progress=True, apply_edit=True, show_document=True, configuration=True, lens_refresh=True, watch_files=True
)


def diagnostic(line: int) -> types.Diagnostic:
    place = types.Position(line, 0)
    return types.Diagnostic(range=types.Range(place, place), message="m")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 0.02)


def test_abilities_of_a_real_client() -> None:
    can = abilities(json.loads((files("maxcode_lsp.benchmarks") / "vscode.json").read_text()))
    assert can.progress and can.annotations and can.document_changes and can.resolve_edit and can.disabled_actions
    assert can.action_literals and can.markdown and can.lens_refresh and can.configuration and can.apply_edit
    assert can.show_document and can.watch_files and can.diagnostic_links


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        "x",
        {},
        {"window": None, "workspace": [], "textDocument": {"codeAction": True, "hover": {"contentFormat": "markdown"}}},
        {"window": {"workDoneProgress": "yes", "showDocument": True}},
        {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}},
    ],
)
def test_abilities_where_little_or_no_sense_is_said(said: Any) -> None:
    assert abilities(said) == Abilities()


async def test_an_edit_is_applied_only_where_the_editor_says_so(quick: None) -> None:
    far = FarEnd(EVERYTHING)
    assert "did not say" in (await far.editor.apply(EDIT, "l") or "")
    far.answers["workspace/applyEdit"] = lambda _: {"applied": True}
    assert await far.editor.apply(EDIT, "l") is None
    far.answers["workspace/applyEdit"] = lambda _: {"applied": False, "failureReason": "it moved"}
    assert "it moved" in (await far.editor.apply(EDIT, "l") or "")
    far.answers["workspace/applyEdit"] = lambda _: {"applied": False}
    assert "did not make the change" in (await far.editor.apply(EDIT, "l") or "")
    far.editor.can = Abilities()
    assert "takes no edits" in (await far.editor.apply(EDIT, "l") or "")
    assert len(far.all("workspace/applyEdit")) == 4


async def test_a_question_is_answered_with_one_of_its_choices() -> None:
    far = FarEnd()
    answers: list[tuple[Any, str | None]] = [({"title": "Yes"}, "Yes"), (None, None), ({"title": "Other"}, None)]
    for answer, chosen in answers:
        far.answers["window/showMessageRequest"] = lambda _, answer=answer: answer
        assert await far.editor.ask("Sure?", ["Yes", "No"]) == chosen
    far.answers.clear()
    assert await far.editor.ask("Sure?", ["Yes", "No"], limit_s=0.02) is None
    assert far.all("window/showMessageRequest")[0]["actions"] == [{"title": "Yes"}, {"title": "No"}]


async def test_documents_are_shown_where_that_is_possible(quick: None) -> None:
    far = FarEnd(EVERYTHING)
    assert not await far.editor.show("file:///a")
    far.answers["window/showDocument"] = lambda _: {"success": True}
    assert await far.editor.show("file:///a")
    far.editor.can = Abilities()
    assert not await far.editor.show("file:///a")
    assert len(far.all("window/showDocument")) == 2


async def test_configuration_has_an_answer_for_each_scope_or_none(quick: None) -> None:
    far = FarEnd(EVERYTHING)
    assert await far.editor.configuration("maxcode", [None]) is None
    far.answers["workspace/configuration"] = lambda _: [{"budget": 3}, None]
    assert await far.editor.configuration("maxcode", [None, "file:///a"]) == [{"budget": 3}, None]
    assert await far.editor.configuration("maxcode", [None]) is None
    assert await far.editor.configuration("maxcode", []) is None


async def test_only_what_changed_is_published() -> None:
    far = FarEnd(Abilities(diagnostic_versions=True))
    far.editor.publish("u", 1, [])
    far.editor.publish("u", 1, [diagnostic(1)])
    far.editor.publish("u", 1, [diagnostic(1)])
    far.editor.publish("u", 2, [diagnostic(1)])  # what the editor shows has moved with the edit
    far.editor.publish("v", None, [diagnostic(1)])
    far.editor.publish("v", None, [diagnostic(1)])
    far.editor.publish("u", 2, [])
    far.editor.publish("u", 3, [])
    sent = [
        (one["uri"], one.get("version"), len(one["diagnostics"])) for one in far.all("textDocument/publishDiagnostics")
    ]
    assert sent == [("u", 1, 1), ("u", 2, 1), ("v", None, 1), ("u", 2, 0)]


async def test_a_client_without_versions_is_sent_none() -> None:
    far = FarEnd()
    far.editor.publish("u", 1, [diagnostic(1)])
    assert "version" not in far.all("textDocument/publishDiagnostics")[0]


async def test_progress_is_created_reported_and_ended() -> None:
    far = FarEnd(EVERYTHING)
    far.answers["window/workDoneProgress/create"] = lambda _: None
    assert await far.editor.begin_progress("t", "MaxCode", "soon")
    far.editor.report_progress("t", "half", 50)
    far.editor.end_progress("t", "done")
    kinds = [one["value"]["kind"] for one in far.all("$/progress")]
    assert kinds == ["begin", "report", "end"]
    assert far.all("$/progress")[0]["value"]["cancellable"] is True


async def test_there_is_no_progress_where_the_client_cannot_or_will_not(quick: None) -> None:
    far = FarEnd(EVERYTHING)
    assert not await far.editor.begin_progress("t", "MaxCode", "soon")
    far.editor.can = Abilities()
    assert not await far.editor.begin_progress("t", "MaxCode", "soon")
    assert not far.all("$/progress") and len(far.all("window/workDoneProgress/create")) == 1


async def test_lenses_are_refreshed_one_at_a_time_and_the_last_wish_counts() -> None:
    far = FarEnd(EVERYTHING)
    for _ in range(5):
        far.editor.refresh_lenses()
    await far.wait_for("workspace/codeLens/refresh")
    for _ in range(5):
        far.editor.refresh_lenses()
    await asyncio.sleep(0.02)
    assert len(far.all("workspace/codeLens/refresh")) == 1
    far.answers["workspace/codeLens/refresh"] = lambda _: None
    far.answer(far.sent[0])
    assert len(await far.wait_for("workspace/codeLens/refresh", 2)) == 2
    await asyncio.sleep(0.02)
    assert len(far.all("workspace/codeLens/refresh")) == 2


async def test_files_are_watched_where_the_client_can() -> None:
    far = FarEnd(EVERYTHING)
    far.answers["client/registerCapability"] = lambda _: None
    await far.editor.watch(["**/maxcode.toml"], "maxcode")
    options = far.all("client/registerCapability")[0]["registrations"][0]["registerOptions"]
    assert options == {"watchers": [{"globPattern": "**/maxcode.toml"}]}
    far.editor.can = Abilities()
    await far.editor.watch(["**/maxcode.toml"], "maxcode")
    assert len(far.all("client/registerCapability")) == 1


async def test_nothing_is_waited_for_once_the_end_begins() -> None:
    far = FarEnd(EVERYTHING)
    far.editor.closing = True
    async with asyncio.timeout(5):
        assert await far.editor.ask("Sure?", ["Yes"]) is None
        assert await far.editor.apply(EDIT, "l") is not None
        assert not await far.editor.show("file:///a")
        assert not await far.editor.begin_progress("t", "MaxCode", "soon")
        assert await far.editor.configuration("maxcode", [None]) is None
    far.editor.refresh_lenses()
    far.editor.end_progress("t", "stopped")
    assert [message["method"] for message in far.sent] == ["$/progress"]


NAME = "[Run me](command:workbench.action.quit)\u202e"


async def test_the_name_of_a_file_is_no_link() -> None:
    """VS Code makes links of ``[…](command:…)`` in every message and every progress."""
    far = FarEnd(EVERYTHING)
    far.answers["window/workDoneProgress/create"] = far.answers["window/showMessageRequest"] = lambda _: None
    far.editor.say(NAME)
    await far.editor.ask(NAME, ["Yes"])
    await far.editor.begin_progress("token", NAME, NAME)
    far.editor.report_progress("token", NAME, 1)
    far.editor.end_progress("token", NAME)
    assert len(far.sent) == 6
    told = json.dumps(far.sent)
    assert told.count("Run me") == 6
    assert "](" not in told


@pytest.mark.parametrize(("files", "settings"), [(True, True), (True, False), (False, True), (False, False)])
async def test_changes_are_asked_for_where_the_client_wants_to_be_asked(files: bool, settings: bool) -> None:
    far = FarEnd(Abilities(watch_files=files, watch_settings=settings))
    far.answers["client/registerCapability"] = lambda _: None
    await far.editor.watch(["**/maxcode.toml"], "maxcode")
    asked = far.all("client/registerCapability")
    methods = [one["method"] for params in asked for one in params["registrations"]]
    wanted = {"workspace/didChangeWatchedFiles": files, "workspace/didChangeConfiguration": settings}
    assert methods == [method for method, told in wanted.items() if told]
    if settings:
        assert asked[0]["registrations"][-1]["registerOptions"] == {"section": "maxcode"}
