from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.features.comparing import KEPT_S, versions_folder
from maxcode_lsp.server.workspace.uris import path_of
from tests.server.features.test_starting import left_behind
from tests.server.model_editor import FASTER, Refusal, begun, ended, improved, opened
from tests.server.scene import PROGRAM, evaluated


async def test_the_result_is_written_beside_the_cache_and_shown(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        answer = await editor.command("maxcode.compare", run=run)
        assert editor.shown == [answer["uri"]]
        file = path_of(answer["uri"])
        assert file is not None and file.is_relative_to(versions_folder() / run)
        assert file.name == "solve.maxcode.cpp"
        assert file.read_text() == FASTER
        assert file.stat().st_mode & 0o777 == 0o444
        assert await editor.command("maxcode.compare", run=run) == answer
        entry, _ = await editor.actions(editor.open(file))
        assert entry["disabled"]["reason"].startswith("This is a version by MaxCode")


async def test_a_client_that_compares_itself_is_told_which_version(folder: Path) -> None:
    async with opened(folder, options={"trusted": True, "comparing": True}) as (editor, uri):
        run = await begun(editor, uri)
        assert await editor.command("maxcode.compare", run=run) == {"uri": uri}
        assert editor.told[-1] == ("maxcode/compare", {"run": run, "candidate": None})
        assert editor.shown == [] and not versions_folder().exists()


async def test_an_editor_that_cannot_show_it_names_it(folder: Path) -> None:
    async with opened(folder, "plain") as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        answer = await editor.command("maxcode.compare", run=run)
        assert editor.said[-1][1] == f"MaxCode’s version of “solve.cpp” is in {path_of(answer['uri'])}"


async def test_while_it_runs_the_best_so_far_is_shown(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        with pytest.raises(Refusal, match="There is no faster version of “solve"):
            await editor.command("maxcode.compare", run=run)
        for event in (evaluated(1, best=True), evaluated(2), evaluated(3)):
            editor.engine.tell(run, event)
        best = path_of((await editor.command("maxcode.compare", run=run))["uri"])
        assert best is not None and "std::vector<int>& values , int from" in best.read_text()
        third = path_of((await editor.command("maxcode.compare", run=run, candidate="000000000003"))["uri"])
        assert third is not None and "std::vector<int>& values   , int from" in third.read_text()
        with pytest.raises(Refusal):
            await editor.command("maxcode.compare", run=run, candidate="../../etc/passwd")


async def test_runs_of_earlier_sessions_can_be_compared(folder: Path) -> None:
    unfinished = left_behind(folder / "solve.cpp", evaluated(1, best=True))
    finished = left_behind(folder / "solve.cpp", evaluated(1, best=True), improved(PROGRAM, FASTER))
    nothing = left_behind(folder / "solve.cpp", ended(RunStatus.NO_IMPROVEMENT))
    async with opened(folder) as (editor, _):
        first = path_of((await editor.command("maxcode.compare", run=unfinished))["uri"])
        second = path_of((await editor.command("maxcode.compare", run=finished))["uri"])
        assert first is not None and "values , int from" in first.read_text()
        assert second is not None and second.read_text() == FASTER
        for run in (nothing, "20300101-000000-000000", "../../x"):
            with pytest.raises(Refusal, match="There is no"):
                await editor.command("maxcode.compare", run=run)


async def test_old_versions_are_swept(folder: Path) -> None:
    old, young = versions_folder() / "old", versions_folder() / "young"
    for place in (old, young):
        place.mkdir(parents=True)
        (place / "a.cpp").write_text("x")
    long_ago = time.time() - KEPT_S - 60
    os.utime(old, (long_ago, long_ago))
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        await editor.command("maxcode.compare", run=run)
    assert not old.exists() and young.exists()


async def test_no_room_is_told(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        with pytest.raises(Refusal, match="could not be written for comparing"):
            await editor.command("maxcode.compare", run=run)
