from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.server.connection.editor import Abilities
from maxcode_lsp.server.workspace.configuration import section_of
from maxcode_lsp.server.workspace.folders import Folders
from maxcode_lsp.server.workspace.options import Options, read_options
from maxcode_lsp.server.workspace.roots import Roots
from maxcode_lsp.server.workspace.uris import uri_of
from maxcode_lsp.settings import FILE, Settings, own_file
from tests.server.far_end import FarEnd

PUBLISH, SHOW, LOG = "textDocument/publishDiagnostics", "window/showMessage", "window/logMessage"
CONFIGURATION = "workspace/configuration"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work" / "sub").mkdir(parents=True)
    return tmp_path / "work"


def opened(*folders: Path, options: Any = None, can: Abilities | None = None) -> tuple[Folders, FarEnd]:
    far = FarEnd(can)
    made = Folders(far.editor)
    made.open(folders, options)
    return made, far


class TestLongestPrefix:
    @pytest.mark.parametrize(
        ("file", "folder"),
        [
            ("/w/x.cpp", "/w"),
            ("/w/a/x.cpp", "/w/a"),
            ("/w/a/b/x.cpp", "/w/a/b"),
            ("/w/ab/x.cpp", "/w"),
            ("/w/a/../ab/x.cpp", "/w"),
            ("//w//a/./x.cpp", "/w/a"),
            ("/W/a/x.cpp", "/W/a"),
            ("/elsewhere/c/x.cpp", "/elsewhere/c"),
            ("/w.cpp", "/"),
            ("/v/x.cpp", "/v"),
        ],
    )
    @pytest.mark.parametrize("order", [1, -1])
    def test_nested_folders(self, file: str, folder: str, order: int) -> None:
        folders, _ = opened(*[Path(f) for f in ("/w/", "/w/a/b/.", "/w/a", "/v//", "/w/c/..")][::order])
        assert folders.folder_of(Path(file)) == Path(folder)

    def test_links(self, tmp_path: Path) -> None:
        (tmp_path / "real" / "sub").mkdir(parents=True)
        (tmp_path / "link").symlink_to("real")
        by_name, _ = opened(tmp_path / "link")
        assert by_name.folder_of(tmp_path / "link" / "sub" / "x.cpp") == tmp_path / "link"
        assert by_name.folder_of(tmp_path / "real" / "sub" / "x.cpp") == tmp_path / "link"
        both, _ = opened(tmp_path / "link", tmp_path / "real" / "sub", tmp_path)
        assert both.folder_of(tmp_path / "link" / "sub" / "x.cpp") == tmp_path / "link"
        assert both.folder_of(tmp_path / "real" / "sub" / "x.cpp") == tmp_path / "real" / "sub"

    def test_a_circle_of_links(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        folders, _ = opened(tmp_path / "a")
        assert folders.folder_of(tmp_path / "a" / "x.cpp") == tmp_path / "a"

    @given(
        st.lists(st.lists(st.sampled_from("ab"), max_size=3), max_size=5), st.lists(st.sampled_from("ab"), max_size=4)
    )
    def test_against_a_simple_model(self, folders: list[list[str]], parents: list[str]) -> None:
        roots = Roots()
        for parts in folders:
            roots.add(Path("/nowhere", *parts))
        file = Path("/nowhere", *parents, "x.cpp")
        around = [Path("/nowhere", *parts) for parts in folders if parents[: len(parts)] == parts]
        home = roots.home(file)
        assert home.folder == (max(around, key=lambda f: len(str(f))) if around else file.parent)
        assert home.top == (home.folder if around else None)

    def test_folders_come_and_go(self) -> None:
        folders, _ = opened(Path("/w"))
        folders.change([Path("/w/a/")], [])
        assert folders.folder_of(Path("/w/a/x.cpp")) == Path("/w/a")
        folders.change([], [Path("/w/a"), Path("/never/opened")])
        assert folders.folder_of(Path("/w/a/x.cpp")) == Path("/w")


class TestTheFileThatHolds:
    async def test_the_nearest_but_not_above_the_folder(self, tmp_path: Path, work: Path) -> None:
        (tmp_path / FILE).write_text("budget = 1")
        (work / "sub" / FILE).write_text("budget = 3")
        folders, _ = opened(work)
        assert (await folders.settings(work / "x.cpp")).budget == Settings().budget
        assert (await folders.settings(work / "sub" / "x.cpp")).budget == 3
        (work / FILE).write_text("budget = 2")
        assert (await folders.settings(work / "x.cpp")).budget == 2
        outside, _ = opened()
        assert (await outside.settings(work / "x.cpp")).budget == 2
        (work / FILE).unlink()
        assert (await outside.settings(work / "x.cpp")).budget == 1

    async def test_the_innermost_folder_counts(self, work: Path) -> None:
        (work / FILE).write_text("budget = 2")
        folders, _ = opened(work, work / "sub")
        assert (await folders.settings(work / "sub" / "x.cpp")).budget == Settings().budget
        folders.change([], [work / "sub"])
        assert (await folders.settings(work / "sub" / "x.cpp")).budget == 2

    async def test_a_folder_behind_a_link(self, tmp_path: Path, work: Path) -> None:
        (tmp_path / FILE).write_text("budget = 1")
        (tmp_path / "link").symlink_to(work)
        folders, _ = opened(tmp_path / "link")
        assert (await folders.settings(work / "x.cpp")).budget == Settings().budget

    async def test_tables_for_one_file(self, work: Path) -> None:
        (work / FILE).write_text("[target.'a.cpp']\nbudget = 9\n")
        folders, _ = opened(work)
        assert (await folders.settings(work / "a.cpp")).budget == 9
        assert (await folders.settings(work / "b.cpp")).budget == Settings().budget

    async def test_what_did_not_change_is_not_read_again(self, work: Path) -> None:
        (work / FILE).write_text("budget = 2")
        folders, _ = opened(work)
        first = await folders.settings(work / "x.cpp")
        assert await folders.settings(work / "x.cpp") is first
        (work / FILE).write_text("budget = 33")
        assert (await folders.settings(work / "x.cpp")).budget == 33


class TestMistakesInTheFile:
    async def test_they_are_diagnostics_until_they_are_mended(self, work: Path) -> None:
        (work / FILE).write_text("\nbudget = 0\nsearch = 'x'\n")
        folders, far = opened(work)
        for name in ("x.cpp", "y.cpp", "sub/z.cpp"):
            await folders.settings(work / name)
        (shown,) = far.all(PUBLISH)
        assert shown["uri"] == uri_of(work / FILE)
        first, second = shown["diagnostics"]
        assert first["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}
        assert (first["source"], first["severity"]) == ("maxcode", 2)
        assert first["message"] == "budget should be a whole number of at least 1, not 0; it is ignored."
        assert second["range"]["start"]["line"] == 2

        (work / FILE).write_text("budget = 3\nsearch = 'x'\n")
        await folders.reload(work / FILE)
        assert [d["range"]["start"]["line"] for d in far.all(PUBLISH)[1]["diagnostics"]] == [1]
        (work / FILE).write_text("budget = 3\n")
        assert (await folders.settings(work / "x.cpp")).budget == 3
        assert far.all(PUBLISH)[2:] == [{"uri": uri_of(work / FILE), "diagnostics": []}]

    @pytest.mark.parametrize("told", [True, False])
    async def test_they_go_with_the_file(self, work: Path, told: bool) -> None:
        (work / FILE).write_text("budget = 0")
        folders, far = opened(work)
        await folders.settings(work / "x.cpp")
        (work / FILE).unlink()
        if told:
            await folders.reload(work / FILE)
        else:
            await folders.settings(work / "sub" / "y.cpp")
        assert [len(shown["diagnostics"]) for shown in far.all(PUBLISH)] == [1, 0]

    async def test_they_go_with_the_folder(self, work: Path) -> None:
        (work / FILE).write_text("budget = 0")
        folders, far = opened(work)
        await folders.settings(work / "x.cpp")
        folders.change([], [work])
        assert [len(shown["diagnostics"]) for shown in far.all(PUBLISH)] == [1, 0]

    async def test_a_new_file_is_seen_and_others_are_not(self, work: Path) -> None:
        folders, far = opened(work)
        assert (await folders.settings(work / "x.cpp")).budget == Settings().budget
        (work / FILE).write_text("budget = 5\nfoo = 1")
        await folders.reload(work / FILE)
        await folders.reload(work / "compile_commands.json")
        assert [len(shown["diagnostics"]) for shown in far.all(PUBLISH)] == [1]
        assert (await folders.settings(work / "x.cpp")).budget == 5

    async def test_lenses_are_drawn_anew(self, work: Path) -> None:
        folders, far = opened(work, can=Abilities(lens_refresh=True))
        far.answers["workspace/codeLens/refresh"] = lambda _: None
        (work / FILE).write_text("editor.lens = false")
        await folders.reload(work / FILE)
        await far.wait_for("workspace/codeLens/refresh")

    async def test_odd_files(self, work: Path) -> None:
        folders, far = opened(work)
        (work / FILE).write_bytes(b"\xff\xfe" * 100 + b"\n= = =\n" * 500)
        assert (await folders.settings(work / "x.cpp")).budget == Settings().budget
        assert 1 <= len(far.all(PUBLISH)[0]["diagnostics"]) <= 100
        (work / FILE).unlink()
        os.mkfifo(work / FILE)
        await folders.reload(work / FILE)
        assert far.all(PUBLISH)[-1]["diagnostics"] == []


class TestTheUsersOwnFile:
    @pytest.fixture
    def own(self) -> Path:
        own_file().parent.mkdir(parents=True)
        return own_file()

    async def test_it_is_the_lowest_layer(self, work: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        own.write_text("budget = 1\nseconds = 1\nmodel = 'a/own'\napi_base = 'http://own/v1'\n")
        (work / FILE).write_text("seconds = 2\napi_base = 'http://evil.example/v1'\n")
        folders, far = opened(work, options={"settings": {"threshold": 3}})
        settings = await folders.settings(work / "x.cpp")
        assert (settings.budget, settings.seconds, settings.threshold) == (1, 2.0, 3.0)
        assert (settings.model, settings.api_base) == ("a/own", "http://own/v1")
        (shown,) = far.all(PUBLISH)
        assert shown["uri"] == uri_of(work / FILE) and shown["diagnostics"][0]["range"]["start"]["line"] == 1
        monkeypatch.setenv("MAXCODE_MODEL", "a/environment")
        other, _ = opened(work)
        assert (await other.settings(work / "x.cpp")).model == "a/environment"
        await other.configured({"maxcode": {"model": "a/editor", "api_base": "http://editor/v1"}})
        settings = await other.settings(work / "x.cpp")
        assert (settings.model, settings.api_base) == ("a/editor", "http://editor/v1")

    async def test_changes_are_seen(self, work: Path, own: Path) -> None:
        folders, _ = opened(work)
        assert (await folders.settings(work / "x.cpp")).budget == Settings().budget
        own.write_text("budget = 3")
        first = await folders.settings(work / "x.cpp")
        assert first.budget == 3 and await folders.settings(work / "x.cpp") is first
        own.write_text("budget = 33")
        assert (await folders.settings(work / "x.cpp")).budget == 33
        own.unlink()
        assert (await folders.settings(work / "x.cpp")).budget == Settings().budget

    async def test_mistakes_in_it_are_shown_on_its_own_lines(self, work: Path, own: Path) -> None:
        own.write_text("\nbudget = 0\nllm.max_cost_usd = 2\n")
        (work / FILE).write_text("seconds = 0\n")
        folders, far = opened(work)
        await folders.settings(work / "x.cpp")
        shown = {params["uri"]: params["diagnostics"] for params in far.all(PUBLISH)}
        assert set(shown) == {uri_of(own), uri_of(work / FILE)}
        assert [one["range"]["start"]["line"] for one in shown[uri_of(own)]] == [1]
        own.write_text("llm.max_cost_usd = 2\n")
        await folders.reload(own)
        assert far.all(PUBLISH)[-1] == {"uri": uri_of(own), "diagnostics": []}

    async def test_a_wrong_variable_is_told_once(self, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MAXCODE_API_BASE", "nonsense")
        folders, far = opened(work)
        assert (await folders.settings(work / "x.cpp")).api_base == ""
        (message,) = far.all(SHOW)
        assert "MAXCODE_API_BASE" in message["message"]


class TestTheEditorsSettings:
    async def test_they_come_over_the_file(self, work: Path) -> None:
        (work / FILE).write_text("budget = 2\nseconds = 2\n")
        options = {"settings": {"seconds": 3, "threshold": 3, "flags": "-O1"}}
        folders, far = opened(work, options=options)
        await folders.configured({"maxcode": {"threshold": 4}, "python": {"x": 1}})
        settings = await folders.settings(work / "x.cpp")
        assert (settings.budget, settings.seconds, settings.threshold) == (2, 3.0, 4.0)
        assert (settings.flags, settings.flags_from) == (("-O1",), str(work))
        await folders.configured({"maxcode": None})
        assert (await folders.settings(work / "x.cpp")).threshold == 3
        assert far.all(SHOW) == []

    async def test_each_folder_is_asked_for(self, tmp_path: Path, work: Path) -> None:
        folders, far = opened(work, work / "sub", can=Abilities(configuration=True))
        budgets = {None: 1, uri_of(work): 2, uri_of(work / "sub"): 3}

        def answer(params: Any) -> list[Any]:
            assert {item["section"] for item in params["items"]} == {"maxcode"}
            return [{"budget": budgets[item.get("scopeUri")], "output": {"ignore": ["x"]}} for item in params["items"]]

        far.answers[CONFIGURATION] = answer
        await folders.configured({"maxcode": {"budget": 99}})
        found = [await folders.settings(place / "x.cpp") for place in (tmp_path, work, work / "sub")]
        assert [settings.budget for settings in found] == [1, 2, 3]
        assert found[2].output.ignore == ("x",)
        assert len(far.all(CONFIGURATION)) == 1
        budgets[uri_of(work)] = 7
        await folders.configured()
        assert (await folders.settings(work / "x.cpp")).budget == 7

    async def test_a_new_folder_is_asked_for_once(self, tmp_path: Path, work: Path) -> None:
        folders, far = opened(can=Abilities(configuration=True))
        far.answers[CONFIGURATION] = lambda params: [{"budget": 5} for _ in params["items"]]
        assert (await folders.settings(work / "x.cpp")).budget == Settings().budget
        assert far.all(CONFIGURATION) == [], "it may not be asked before it is initialised"
        await folders.configured()
        folders.change([work, tmp_path / "other"], [])
        far.answers[CONFIGURATION] = lambda params: [{"budget": 6} for _ in params["items"]]
        found = await asyncio.gather(*(folders.settings(work / f"{n}.cpp") for n in range(5)))
        assert [settings.budget for settings in found] == [6] * 5
        asked = [[item.get("scopeUri") for item in params["items"]] for params in far.all(CONFIGURATION)]
        assert asked == [[None], [uri_of(work)]]

    @pytest.mark.parametrize("answer", [[], {}, [1, 2, 3, 4], "x"])
    async def test_an_odd_answer_changes_nothing(self, work: Path, answer: Any) -> None:
        folders, far = opened(work, can=Abilities(configuration=True))
        far.answers[CONFIGURATION] = lambda _: [{"budget": 5}, {"budget": 6}]
        await folders.configured()
        far.answers[CONFIGURATION] = lambda _: answer
        await folders.configured()
        assert (await folders.settings(work / "x.cpp")).budget == 6

    async def test_mistakes_are_told_once(self, work: Path) -> None:
        folders, far = opened(work, can=Abilities(configuration=True))
        said = {"budget": 0, "seconds": 5, "foo": 1}
        far.answers[CONFIGURATION] = lambda params: [said for _ in params["items"]]
        for _ in range(3):
            await folders.configured()
            assert (await folders.settings(work / "x.cpp")).seconds == 5
        (message,) = far.all(SHOW)
        assert "budget should be" in message["message"] and "no setting foo" in message["message"]
        assert message["type"] == 2
        assert len(far.all(LOG)) == 2
        said = {"budget": 0}
        await folders.configured()
        assert len(far.all(SHOW)) == 2

    async def test_many_mistakes_are_one_short_message(self, work: Path) -> None:
        folders, far = opened(work)
        await folders.configured({"maxcode": {f"k{i}": 1 for i in range(9)}})
        (message,) = far.all(SHOW)
        assert message["message"].endswith("6 more are in the log.")
        assert len(far.all(LOG)) == 9

    @pytest.mark.parametrize(
        ("pushed", "ours"),
        [
            ({"maxcode": {"budget": 1}, "c": 2}, {"budget": 1}),
            ({"maxcode.budget": 1, "c.d": 2}, {"maxcode.budget": 1}),
            ({"maxcode": {"budget": 1}, "maxcode.seconds": 2}, {"budget": 1, "maxcode.seconds": 2}),
            ({"budget": 1, "output.ignore": "x"}, {"budget": 1, "output.ignore": "x"}),
            ({"budget": 1, "python": {}}, None),
            ({"maxcode": 3}, 3),
            ({"maxcode": None}, None),
            ({}, None),
            (None, None),
            ([1], None),
        ],
    )
    def test_ways_to_push(self, pushed: Any, ours: Any) -> None:
        assert section_of(pushed) == ours


class TestOptions:
    def test_what_may_stand_there(self) -> None:
        assert read_options(None) == (Options(), (), ())
        options, wrong, unknown = read_options(
            {"trusted": True, "settings": {"a": 1}, "runChanged": True, "buttons": True}
        )
        assert (options, wrong, unknown) == (Options(True, {"a": 1}, True, True), (), ())
        assert read_options({"trusted": None, "settings": None})[:2] == (Options(), ())

    @pytest.mark.parametrize("given", [[], "x", 3, {"trusted": 1, "settings": [], "runChanged": "yes"}])
    async def test_what_is_wrong_is_logged_and_said_once(self, work: Path, given: Any) -> None:
        folders, far = opened(work, options=given)
        assert folders.options == Options()
        assert len(far.all(SHOW)) == 1 and "default holds" in far.all(SHOW)[0]["message"]
        assert len(far.all(LOG)) == (3 if isinstance(given, dict) else 1)

    async def test_unknown_keys_are_logged_only(self, work: Path) -> None:
        _, far = opened(work, options={"foo": 1})
        assert far.all(SHOW) == []
        assert "foo" in far.all(LOG)[0]["message"]

    async def test_mistakes_in_its_settings(self, work: Path) -> None:
        folders, far = opened(work, options={"settings": {"budget": 0, "seconds": 5}})
        assert "budget should be" in far.all(SHOW)[0]["message"]
        assert (await folders.settings(work / "x.cpp")).seconds == 5
