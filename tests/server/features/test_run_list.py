from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from pygls.exceptions import JsonRpcException

from maxcode_lsp.engine.events import Decided, Event, RunResult
from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.custom import CandidateParams, CandidateText, RunInfo, RunsParams
from maxcode_lsp.server.features.run_list import RunList
from tests.server.journalled import journalled
from tests.server.scene import PREPARED, PROGRAM, RESULT, RUN, Scene, evaluated, improved, searching
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
