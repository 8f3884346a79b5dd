from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from msgspec.structs import replace

from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.connection.editor import Abilities
from maxcode_lsp.server.features.progress import Progress
from tests.server.scene import CAN, PREPARED, RESULT, Scene, evaluated, searching
from tests.server.skipping import skipping


def scene(folder: Path, can: Abilities = CAN, *, answers: bool = True) -> Scene:
    made = Scene(folder, can)
    made.having(Progress(made.session))
    if answers:
        made.far.answers[types.WINDOW_WORK_DONE_PROGRESS_CREATE] = lambda _: None
    return made


def values(made: Scene) -> list[dict[str, Any]]:
    """What was said about the one run; every message has its token."""
    sent = made.far.all(types.PROGRESS)
    assert {params["token"] for params in sent} <= {f"maxcode-{run.id}" for run in made.session.runs}
    return [params["value"] for params in sent]


def kinds(told: Sequence[dict[str, Any]]) -> list[str]:
    return [value["kind"] for value in told]


def test_a_run_is_shown_from_begin_to_end(tmp_path: Path) -> None:
    async def story() -> list[dict[str, Any]]:
        made = scene(tmp_path)
        run = made.begin()
        await asyncio.sleep(1)
        made.tell(run, PREPARED, searching(13), evaluated(1, best=True), searching(14))
        await asyncio.sleep(1)
        made.tell(run, RESULT)
        await asyncio.sleep(1)
        return values(made)

    told = skipping(story())
    assert kinds(told) == ["begin", "report", "report", "report", "end"]
    assert told[0]["title"] == "MaxCode: solve.cpp"
    assert told[0]["cancellable"] is True
    assert told[2]["message"].startswith("13 of 64") or told[2]["message"].startswith("best 1.9×")
    assert told[-2]["message"].startswith("best 2.3× · 14 of 64")
    assert told[-2]["percentage"] == 21
    assert told[-1]["message"] == "2.31× faster (2.24–2.39)"


def test_how_deep_the_search_is_stands_between_how_far_and_what_is_busy(tmp_path: Path) -> None:
    async def story() -> list[dict[str, Any]]:
        made = scene(tmp_path)
        run = made.begin()
        made.tell(run, PREPARED, evaluated(1, best=True), replace(searching(14), depth=3, u=1.92, parent="It is."))
        await asyncio.sleep(1)
        return values(made)

    assert skipping(story())[-1]["message"] == "best 1.9× · 14 of 64 · depth 3 · building 2, measuring 1"


def test_at_most_four_reports_a_second_and_the_last_is_among_them(tmp_path: Path) -> None:
    async def story() -> tuple[list[dict[str, Any]], float]:
        made = scene(tmp_path)
        run = made.begin()
        for done in range(200):
            made.tell(run, searching(done, 400))
            await asyncio.sleep(0.01)
        took_s = asyncio.get_running_loop().time()
        await asyncio.sleep(1)
        return values(made), took_s

    told, took_s = skipping(story())
    assert kinds(told) == ["begin"] + ["report"] * (len(told) - 1)
    assert len(told) - 2 <= took_s * 4 + 1
    assert told[-1]["message"].startswith("199 of 400")


def test_the_percentage_never_falls_and_is_never_full_before_the_end(tmp_path: Path) -> None:
    async def story() -> list[dict[str, Any]]:
        made = scene(tmp_path)
        run = made.begin()
        for done, budget in [(10, 64), (9, 64), (64, 64), (70, 64), (0, 0), (5, 64)]:
            made.tell(run, searching(done, budget))
            await asyncio.sleep(1)
        return values(made)

    shares = [value["percentage"] for value in skipping(story())[1:]]
    assert shares == sorted(shares)
    assert max(shares) == 99


@pytest.mark.parametrize("status", [status for status in RunStatus if status is not RunStatus.RUNNING])
def test_every_end_ends_it_once(tmp_path: Path, status: RunStatus) -> None:
    async def story() -> list[str]:
        made = scene(tmp_path)
        run = made.begin()
        await asyncio.sleep(1)
        made.tell(run, replace(RESULT, status=status, speedup=None, ci95=None))
        made.tell(run, RESULT)
        made.session.tell_run(run)
        await asyncio.sleep(1)
        await made.session.close()
        return kinds(values(made))

    told = skipping(story())
    assert told.count("end") == 1
    assert told[-1] == "end"


def test_a_run_that_ends_before_the_client_answers_is_ended_too(tmp_path: Path) -> None:
    async def story() -> list[str]:
        made = scene(tmp_path, answers=False)
        run = made.begin()
        await asyncio.sleep(1)
        made.tell(run, RESULT)
        made.far.answers[types.WINDOW_WORK_DONE_PROGRESS_CREATE] = lambda _: None
        made.far.answer(next(m for m in made.far.sent if m["method"] == types.WINDOW_WORK_DONE_PROGRESS_CREATE))
        await asyncio.sleep(1)
        return kinds(values(made))

    assert skipping(story()) == ["begin", "end"]


def test_the_end_of_the_server_ends_it(tmp_path: Path) -> None:
    async def story() -> list[dict[str, Any]]:
        made = scene(tmp_path)
        made.begin()
        await asyncio.sleep(1)
        made.far.editor.closing = True
        await made.session.close()
        return values(made)

    told = skipping(story())
    assert kinds(told) == ["begin", "report", "end"]
    assert "can go on later" in told[-1]["message"]


def test_two_runs_have_one_each(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        first, second = made.begin(), made.begin()
        await asyncio.sleep(1)
        made.tell(first, replace(RESULT, status=RunStatus.CANCELLED, speedup=None))
        made.tell(second, RESULT)
        await asyncio.sleep(1)
        return made

    made = skipping(story())
    tokens = [params["token"] for params in made.far.all(types.PROGRESS) if params["value"]["kind"] == "end"]
    assert sorted(tokens) == sorted(f"maxcode-{run.id}" for run in made.session.runs)


@pytest.mark.parametrize("can", [Abilities(), CAN])
def test_a_client_that_cannot_or_does_not_answer_hears_nothing(tmp_path: Path, can: Abilities) -> None:
    async def story() -> Scene:
        made = scene(tmp_path, can, answers=False)
        run = made.begin()
        await asyncio.sleep(60)
        made.tell(run, searching(3), RESULT)
        await asyncio.sleep(1)
        return made

    made = skipping(story())
    assert made.far.all(types.PROGRESS) == []
    assert len(made.far.all(types.WINDOW_WORK_DONE_PROGRESS_CREATE)) == (1 if can.progress else 0)
