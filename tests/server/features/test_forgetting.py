from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.engine.journal.listing import summaries
from maxcode_lsp.engine.journal.places import journal_file, runs_folder
from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.journal.records import Opened
from maxcode_lsp.records import RunStatus
from tests.server.features.test_starting import left_behind
from tests.server.model_editor import FASTER, ModelEditor, begun, ended, improved, opened
from tests.server.scene import PROGRAM, evaluated

ANEW = "Optimize “solve.cpp” with MaxCode"


async def titles(editor: ModelEditor, uri: str) -> list[str]:
    return [action["title"] for action in await editor.actions(uri)]


async def test_a_discarded_result_is_not_offered_any_more(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        await editor.settled()
        assert (await titles(editor, uri))[0].startswith("Apply")
        assert await editor.command("maxcode.discard", run=run) is None
        assert [title for title in await titles(editor, uri) if not title.startswith("Optimize")] == []
        lens = await editor.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        assert [one["command"]["title"] for one in lens] == ["MaxCode: Optimize"]
        (told,) = (await editor.request("maxcode/runs", {"run": run}))["runs"]
        assert (told["status"], told["discarded"]) == ("improved", True)


async def test_nor_by_the_next_server(folder: Path) -> None:
    run = left_behind(folder / "solve.cpp", evaluated(1, best=True), improved(PROGRAM, FASTER))
    async with opened(folder) as (editor, uri):
        await editor.until(lambda: editor.serving.session.runs.latest(uri))
        assert (await titles(editor, uri))[0].startswith("Apply")
        await editor.command("maxcode.discard", run=run)
        await editor.command("maxcode.discard", run=run)
    journal = read(journal_file(runs_folder(), run))
    assert journal.discarded and len(journal.lines) == 3, "it is said once"
    assert [(one.run, one.status, one.discarded) for one in summaries(runs_folder())] == [(run, "improved", True)]
    async with opened(folder) as (editor, uri):
        await editor.settled()
        assert await titles(editor, uri) == [ANEW]


async def test_nothing_is_discarded_where_there_is_no_result(folder: Path) -> None:
    unfinished = left_behind(folder / "other.cpp", evaluated(1, best=True))
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        for which in (run, unfinished, "no id", "20300101-000000-ffffff"):
            assert await editor.command("maxcode.discard", run=which) is None
        assert not editor.run.discarded
        assert (await titles(editor, uri))[0].startswith("Stop")
    assert not read(journal_file(runs_folder(), unfinished)).discarded


async def test_a_forgotten_run_is_gone_with_its_journal(folder: Path) -> None:
    earlier = left_behind(folder / "other.cpp", ended(RunStatus.NO_IMPROVEMENT))
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        refused = await editor.command("maxcode.forget", run=run)
        assert (refused["forgotten"], "still being optimised" in refused["reason"]) == (False, True)
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        for which in (run, earlier):
            assert await editor.command("maxcode.forget", run=which) == {"forgotten": True, "reason": ""}
        assert (await editor.request("maxcode/runs", {}))["runs"] == []
        assert await titles(editor, uri) == [ANEW]
    assert list(runs_folder().iterdir()) == []


@pytest.mark.parametrize("which", ["", "../../etc/passwd", "nonsense"])
async def test_nothing_but_a_run_is_removed(folder: Path, which: str) -> None:
    async with opened(folder) as (editor, _):
        answer = await editor.command("maxcode.forget", run=which)
        assert answer["forgotten"] is False and answer["reason"].startswith("There is no run")


async def test_a_run_of_another_process_stays(folder: Path) -> None:
    from maxcode_lsp.engine.journal.writer import Journal

    run = left_behind(folder / "other.cpp", evaluated(1, best=True))
    live = Journal.go_on(runs_folder(), run)
    assert live is not None
    async with opened(folder) as (editor, _):
        answer = await editor.command("maxcode.forget", run=run)
        assert (answer["forgotten"], "another MaxCode is at it" in answer["reason"]) == (False, True)
    live.close()
    assert isinstance(read(journal_file(runs_folder(), run)).opened, Opened)
