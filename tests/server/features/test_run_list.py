from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from pygls.exceptions import JsonRpcException

from maxcode_lsp.engine.events import Critiqued, Decided, Event, RunResult, Spent
from maxcode_lsp.records import Critique, Hunk, RunStatus
from maxcode_lsp.server.custom import CandidateParams, CandidateText, RunInfo, RunsParams
from maxcode_lsp.server.features.run_list import RunList
from maxcode_lsp.server.runs.versions import _placed
from maxcode_lsp.text.source import SourceText
from tests.server.journalled import journalled
from tests.server.scene import (
    COPY,
    PREPARED,
    PROGRAM,
    RESULT,
    RUN,
    STEP,
    Scene,
    evaluated,
    finding,
    improved,
    searching,
)
from tests.server.skipping import skipping

OLD = "20291231-235959-abcdef"
CHANGED = "const std::vector<int>& values"


def in_scene(folder: Path, story: Callable[[Scene, RunList], Awaitable[Any]]) -> Any:
    async def whole() -> Any:
        scene = Scene(folder)
        runs = RunList(scene.session)
        scene.having(runs)
        scene.session.wants_runs = True
        scene.open()
        return await story(scene, runs)

    return skipping(whole())


def read(answer: dict[str, Any]) -> list[RunInfo]:
    return msgspec.convert(answer["runs"], list[RunInfo])


def test_runs_of_this_session_and_of_the_journals_newest_first(tmp_path: Path) -> None:
    journalled(tmp_path / "solve.cpp", OLD)
    journalled(tmp_path / "other.cpp", "20291231-235959-000000", RESULT)

    async def story(scene: Scene, runs: RunList) -> tuple[Any, Any, str]:
        run = scene.begin()
        scene.tell(run, PREPARED, evaluated(1), evaluated(2, best=True), searching(2))
        journalled(scene.file, run.id)  # the engine writes one, too
        return await runs.runs(RunsParams(uri=scene.uri)), await runs.runs(RunsParams()), scene.uri

    of_file, everything, uri = in_scene(tmp_path, story)
    now, before = read(of_file)
    assert (now.run, now.uri, now.status, now.phase) == (RUN.format(1), uri, "running", "searching")
    assert (now.done, now.budget, now.building, now.measuring, now.best) == (2, 64, 2, 1, 1.9)
    assert now.created == "2030-01-02T03:04:05Z"
    assert [(one.number, one.best, one.verdict) for one in now.candidates] == [
        (1, False, "no_difference"),
        (2, True, "faster"),
    ]
    assert (before.run, before.status, before.uri, before.done) == (OLD, "interrupted", uri, 2)
    assert [one.run for one in read(everything)] == [RUN.format(1), OLD, "20291231-235959-000000"]
    assert read(everything)[2].status == "improved"
    assert "ci95" in everything["runs"][0]


WHY = "At 1.90× it is the best so far, so the search goes on from it."


def story_of_two() -> list[Event]:
    """The search went on from its first improvement and found another there; a third brought nothing."""
    first, then = replace(evaluated(1, best=True), because="A copy."), evaluated(2, best=True, speedup=2.5)
    assert first.candidate is not None and then.candidate is not None
    then = replace(then, candidate=replace(then.candidate, parent=first.candidate.id), depth=2, because="A division.")
    return [PREPARED, first, Decided("went_on", first.candidate.id, WHY), then, evaluated(3, speedup=2.0)]


def found_by(run: RunInfo) -> None:
    """The history of that story, whoever tells it."""
    assert [(one.number, one.depth, one.speedup, one.u, one.why, one.because) for one in run.path] == [
        (1, 1, 1.9, 1.9, "", "A copy."),
        (2, 2, 2.5, 2.5, WHY, "A division."),
    ]
    assert [(one.number, one.parent, one.depth, one.u, one.because) for one in run.candidates] == [
        (1, None, 1, 1.9, "A copy."),
        (2, f"{1:012x}", 2, 2.5, "A division."),
        (3, None, 1, 2.0, ""),
    ]
    assert (run.search, run.effort, run.u) == ("greedy", "high", 2.5)


def test_a_run_says_how_it_searches_where_it_is_and_how_it_came_there(tmp_path: Path) -> None:
    async def story(scene: Scene, runs: RunList) -> tuple[Any, Any]:
        run = scene.begin()
        scene.tell(run, *story_of_two(), replace(searching(3), depth=2, u=2.5, parent=WHY))
        going = await runs.runs(RunsParams(run=run.id))
        scene.tell(run, RESULT)
        return going, await runs.runs(RunsParams(uri=scene.uri))

    going, over = (read(one)[0] for one in in_scene(tmp_path, story))
    for run in (going, over):
        found_by(run)
        assert (run.depth, run.seed) == (2, 0)
    assert (going.at, over.at) == (WHY, "")


async def asked_for(runs: RunList, run: str, **which: Any) -> CandidateText:
    return await runs.candidate(CandidateParams(run, **which))


def test_a_version_tells_its_changes_and_its_critique(tmp_path: Path) -> None:
    said = finding("slow-arithmetic", STEP, share=0.05)

    async def story(scene: Scene, runs: RunList) -> list[CandidateText]:
        run = scene.begin()
        scene.tell(run, PREPARED, Critiqued(None, Critique((said,))), evaluated(1, best=True), evaluated(2))
        so_far = await asked_for(runs, run.id, result=True)
        scene.tell(run, improved())
        original, second = await asked_for(runs, run.id), await asked_for(runs, run.id, candidate=f"{2:012x}")
        return [so_far, original, second, await asked_for(runs, run.id, result=True)]

    so_far, original, second, result = in_scene(tmp_path, story)
    assert (so_far.candidate, so_far.text) == (f"{1:012x}", result.text)
    assert (original.text, original.hunks) == (PROGRAM, ())
    (found,) = original.findings
    assert (found.line, found.kind, found.message, found.share) == (STEP - 1, said.kind, said.message, said.share)
    for version in (so_far, second, result):
        (hunk,) = version.hunks
        assert (hunk.line, hunk.lines, hunk.why) == (COPY - 1, 1, "No copy.")
        assert CHANGED in version.text.splitlines()[hunk.line]
        assert hunk.label.startswith("MaxCode: pass by reference") and version.findings == ()


def test_a_changed_line_is_counted_in_the_version_that_it_is_in(tmp_path: Path) -> None:
    base = SourceText(b"a\nb\nc\nd\ne\n")
    hunks = (Hunk(0, 0, b"x\ny\n"), Hunk(3, 3, b"\nnew"), Hunk(4, 6, b""), Hunk(8, 9, b"E"))
    placed = _placed(base.data, [(hunk, "", "", None) for hunk in hunks])
    text = base.render(hunks).decode().split("\n")
    assert text == ["x", "y", "a", "b", "new", "d", "E", ""]
    assert [(one.line, one.lines, text[one.line]) for one in placed] == [
        (0, 2, "x"),
        (4, 1, "new"),
        (5, 0, "d"),
        (6, 1, "E"),
    ]


def test_tokens_and_cost_are_told_where_models_were_asked(tmp_path: Path) -> None:
    async def story(scene: Scene, runs: RunList) -> list[Any]:
        run = scene.begin()
        scene.tell(run, PREPARED, searching(1))
        free = await runs.runs(RunsParams(run=run.id))
        scene.tell(run, replace(searching(2), spent=Spent(2, 1, 300, 40, 0.25)))
        return [free, await runs.runs(RunsParams(run=run.id))]

    free, paid = (read(one)[0] for one in in_scene(tmp_path, story))
    assert (free.tokens, free.cost_usd, paid.tokens, paid.cost_usd) == (None, None, 340, 0.25)


@pytest.mark.parametrize("result", [None, RESULT])
def test_so_does_one_of_an_earlier_session(tmp_path: Path, result: RunResult | None) -> None:
    journalled(tmp_path / "solve.cpp", OLD, result, story=story_of_two())

    async def story(_: Scene, runs: RunList) -> tuple[Any, Any]:
        return await runs.runs(RunsParams(run=OLD)), await runs.runs(RunsParams())

    one, listed = (read(answer) for answer in in_scene(tmp_path, story))
    assert [run.run for run in (*one, *listed)] == [OLD, OLD]
    found_by(one[0])
    assert (one[0].status, one[0].depth, one[0].seed) == ("interrupted" if result is None else "improved", 2, 1)
    assert one[0].best == (2.5 if result is None else 2.31)
    assert (listed[0].search, listed[0].effort, listed[0].seed) == ("greedy", "high", 1)
    assert (listed[0].path, listed[0].candidates) == ((), ()), "a list stays short"


@pytest.mark.parametrize("run", ["20010101-000000-000000", "../../etc/passwd", ""])
def test_one_that_is_not_there_is_said(tmp_path: Path, run: str) -> None:
    async def story(_: Scene, runs: RunList) -> None:
        with pytest.raises(JsonRpcException, match="There is no run") as caught:
            await runs.runs(RunsParams(run=run))
        assert caught.value.code == -32803

    in_scene(tmp_path, story)


def test_of_a_damaged_journal_the_reason_is_said(tmp_path: Path) -> None:
    journal = journalled(tmp_path / "solve.cpp", OLD)
    with journal.path.open("ab") as file:
        file.write(b"nothing\n")

    async def story(_: Scene, runs: RunList) -> None:
        with pytest.raises(JsonRpcException, match="cannot be read"):
            await runs.runs(RunsParams(run=OLD))

    in_scene(tmp_path, story)


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (1, 1), (-5, 0), (10**9, 3)])
def test_the_list_has_an_end(tmp_path: Path, limit: int, count: int) -> None:
    journalled(tmp_path / "solve.cpp", OLD)

    async def story(scene: Scene, runs: RunList) -> Any:
        scene.begin()
        scene.begin()
        return await runs.runs(RunsParams(limit=limit))

    assert len(read(in_scene(tmp_path, story))) == count


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "nonsense", "", "file:///nowhere/at%20all.cpp"])
def test_of_what_is_no_file_there_are_none(tmp_path: Path, uri: str) -> None:
    async def story(scene: Scene, runs: RunList) -> Any:
        scene.begin()
        return await runs.runs(RunsParams(uri=uri))

    assert read(in_scene(tmp_path, story)) == []


def test_any_version_can_be_seen(tmp_path: Path) -> None:
    async def story(scene: Scene, runs: RunList) -> list[CandidateText]:
        run = scene.begin()
        scene.tell(run, PREPARED, evaluated(1, best=True), evaluated(2), improved())
        return [await runs.candidate(CandidateParams(run.id, one)) for one in (None, f"{1:012x}", f"{2:012x}")]

    original, first, second = in_scene(tmp_path, story)
    assert original.text == PROGRAM
    assert CHANGED in first.text
    assert CHANGED in second.text
    assert first.text != second.text
    assert {one.language_id for one in (original, first, second)} == {"cpp"}


def test_also_of_a_run_that_only_the_journal_knows(tmp_path: Path) -> None:
    journalled(tmp_path / "solve.cpp", OLD)

    async def story(_: Scene, runs: RunList) -> list[CandidateText]:
        return [await runs.candidate(CandidateParams(OLD, one)) for one in (None, f"{1:012x}")]

    original, first = in_scene(tmp_path, story)
    assert original.text == PROGRAM
    assert CHANGED in first.text


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    async def story(scene: Scene, runs: RunList) -> CandidateText:
        run = scene.begin("\ufeff" + PROGRAM)
        return await runs.candidate(CandidateParams(run.id))

    assert in_scene(tmp_path, story).text == PROGRAM


@pytest.mark.parametrize(
    ("run", "candidate", "said"),
    [
        (RUN.format(1), "ffffffffffff", "no version"),
        (OLD, "ffffffffffff", "ffffffffffff"),
        ("20010101-000000-000000", None, "There is no run"),
        ("../../etc/passwd", None, "There is no run"),
        ("", None, "There is no run"),
    ],
)
def test_what_is_not_there_is_said(tmp_path: Path, run: str, candidate: str | None, said: str) -> None:
    journalled(tmp_path / "solve.cpp", OLD)

    async def story(scene: Scene, runs: RunList) -> None:
        scene.begin()
        with pytest.raises(JsonRpcException, match=said) as caught:
            await runs.candidate(CandidateParams(run, candidate))
        assert caught.value.code == -32803

    in_scene(tmp_path, story)


def changes(scene: Scene) -> list[RunInfo]:
    return [msgspec.convert(params, RunInfo) for params in scene.far.all("maxcode/runChanged")]


def test_changes_are_told_at_begin_and_end_and_seldom_between(tmp_path: Path) -> None:
    async def story(scene: Scene, _: RunList) -> tuple[list[RunInfo], float]:
        loop = asyncio.get_running_loop()
        run = scene.begin()
        assert len(changes(scene)) == 1
        for done in range(64):
            scene.tell(run, searching(done))
            await asyncio.sleep(0.02)
        took_s = loop.time()
        scene.tell(run, RESULT)
        told = changes(scene)
        run.applied = None
        scene.session.tell_run(run)
        assert len(changes(scene)) == len(told) + 1
        return told, took_s

    told, took_s = in_scene(tmp_path, story)
    assert told[0].status == "running"
    assert told[-1].status == "improved"
    assert told[-1].ci95 == (2.24, 2.39)
    assert len(told) - 2 <= took_s * 4
    assert {one.generation for one in told} == {1}


def test_nobody_who_did_not_ask_is_told(tmp_path: Path) -> None:
    async def story(scene: Scene, _: RunList) -> list[RunInfo]:
        scene.session.wants_runs = False
        scene.tell(scene.begin(), replace(RESULT, status=RunStatus.CANCELLED))
        return changes(scene)

    assert in_scene(tmp_path, story) == []
