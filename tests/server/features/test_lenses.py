from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from msgspec.structs import replace

from maxcode_lsp.engine.events import Judgement
from maxcode_lsp.records import Outcome, RunStatus, Verdict
from maxcode_lsp.server.features.lenses import Lenses
from maxcode_lsp.server.runs.runs import Applied, Run
from maxcode_lsp.server.workspace.documents import Document
from tests.server.journalled import journalled
from tests.server.scene import MAIN, PREPARED, PROGRAM, RESULT, Scene, evaluated, improved, searching
from tests.server.skipping import skipping

Shown = list[tuple[str, str]]
NO_IMPROVEMENT = replace(RESULT, status=RunStatus.NO_IMPROVEMENT, speedup=None, ci95=None)
FASTER = Judgement(Outcome.CORRECT, Verdict.FASTER, 2.27, (2.2, 2.34), "Faster.", 24)


class Row:
    """A scene with its lenses."""

    def __init__(self, folder: Path, text: str = PROGRAM) -> None:
        self.scene = Scene(folder, text=text)
        self.lenses = Lenses(self.scene.session)
        self.scene.having(self.lenses)

    async def shown(self) -> Shown:
        """Titles and commands, in their order."""
        params = types.CodeLensParams(types.TextDocumentIdentifier(self.scene.uri))
        found = await self.lenses.lenses(params)
        assert len({repr(lens.range) for lens in found}) <= 1
        commands = [lens.command for lens in found if lens.command is not None]
        return [(command.title, command.command) for command in commands]


def told(folder: Path, story: Callable[[Row], Awaitable[Any]], text: str = PROGRAM) -> Shown:
    async def whole() -> Shown:
        row = Row(folder, text)
        await story(row)
        return await row.shown()

    return skipping(whole())


async def opened(row: Row) -> Document:
    document = row.scene.open()
    await asyncio.sleep(1)
    return document


async def ended(row: Row, result: Any) -> Run:
    await opened(row)
    run = row.scene.begin()
    row.scene.tell(run, PREPARED, evaluated(1, best=True), searching(14), result)
    return run


def test_a_program_can_be_optimised(tmp_path: Path) -> None:
    assert told(tmp_path, opened) == [("MaxCode: Optimize", "maxcode.start")]


def test_its_share_is_named_once_it_is_known(tmp_path: Path) -> None:
    async def story(row: Row) -> None:
        await opened(row)
        run = row.scene.criticised()
        row.scene.tell(run, replace(RESULT, status=RunStatus.CANCELLED, speedup=None))

    assert told(tmp_path, story) == [("MaxCode: 30 % of run time · Optimize", "maxcode.start")]


def test_it_stands_above_main_and_names_the_document(tmp_path: Path) -> None:
    async def story() -> list[types.CodeLens]:
        row = Row(tmp_path)
        await opened(row)
        return await row.lenses.lenses(types.CodeLensParams(types.TextDocumentIdentifier(row.scene.uri)))

    (lens,) = skipping(story())
    assert lens.range.start.line == MAIN - 1
    assert lens.command is not None
    assert lens.command.arguments == [{"uri": (tmp_path / "solve.cpp").as_uri()}]


def test_while_it_runs_it_says_how_far_and_can_be_stopped(tmp_path: Path) -> None:
    async def story(row: Row) -> None:
        await opened(row)
        run = row.scene.begin()
        row.scene.tell(run, PREPARED, evaluated(1, best=True), searching(14))

    assert told(tmp_path, story) == [("MaxCode: searching, best 1.9×, 14 of 64 · Stop", "maxcode.stop")]


@pytest.mark.parametrize(
    ("phase", "title"),
    [
        ("preparing", "MaxCode: checking the original · Stop"),
        ("confirming", "MaxCode: confirming the best · Stop"),
        ("waiting for another maxcode", "MaxCode: waiting for another maxcode · Stop"),
    ],
)
def test_other_phases_have_words(tmp_path: Path, phase: str, title: str) -> None:
    async def story(row: Row) -> None:
        await opened(row)
        row.scene.tell(row.scene.begin(), replace(searching(0), phase=phase))

    assert told(tmp_path, story) == [(title, "maxcode.stop")]


def test_a_result_can_be_applied_and_compared(tmp_path: Path) -> None:
    async def story(row: Row) -> None:
        await ended(row, improved())

    ready = [("MaxCode: 2.31× ready · Apply", "maxcode.apply"), ("Compare", "maxcode.compare")]
    assert told(tmp_path, story) == ready

    async def edited_elsewhere(row: Row) -> None:
        await story(row)
        row.scene.edit(0, 0, "// new\n")

    assert told(tmp_path, edited_elsewhere) == ready


def test_a_result_whose_text_is_gone_is_said_to_be(tmp_path: Path) -> None:
    async def story(row: Row) -> None:
        await ended(row, improved())
        row.scene.edit(3, 20, "x")

    assert told(tmp_path, story) == [
        ("MaxCode: 2.31× found, but the code changed since · Optimize again", "maxcode.start"),
        ("Compare", "maxcode.compare"),
    ]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (RunStatus.NO_IMPROVEMENT, "no measurable difference"),
        (RunStatus.UNMEASURED, "not measured"),
        (RunStatus.REFUSED, "refused"),
        (RunStatus.FAILED, "failed"),
    ],
)
def test_without_a_result_it_says_why(tmp_path: Path, status: RunStatus, words: str) -> None:
    async def story(row: Row) -> None:
        await ended(row, replace(NO_IMPROVEMENT, status=status))

    again = ("Optimize again", "maxcode.start")
    assert told(tmp_path, story) == [(f"MaxCode: {words} · Why", "maxcode.explain"), again]


@pytest.mark.parametrize(
    ("applied", "shown"),
    [
        (Applied(""), ("MaxCode: applied, being checked on this file", "")),
        (Applied("", FASTER), ("MaxCode: applied, 2.27× confirmed on this file", "")),
        (
            Applied("", replace(FASTER, verdict=Verdict.NO_DIFFERENCE)),
            ("MaxCode: applied, but not confirmed on this file · Why", "maxcode.explain"),
        ),
        (
            Applied("", trouble="No."),
            ("MaxCode: applied, could not be checked on this file · Why", "maxcode.explain"),
        ),
    ],
)
def test_what_was_applied_is_checked(tmp_path: Path, applied: Applied, shown: tuple[str, str]) -> None:
    async def story(row: Row) -> Run:
        result = improved()
        run = await ended(row, result)
        assert result.edited is not None
        row.scene.replace(result.edited.decode())
        document = row.scene.documents.get(row.scene.uri)
        assert document is not None
        run.applied = replace(applied, sha256=document.source.sha256)
        row.scene.session.tell_run(run)
        return run

    assert told(tmp_path, story) == [shown]

    async def undone(row: Row) -> None:
        await story(row)
        row.scene.replace(PROGRAM)

    assert told(tmp_path, undone)[0] == ("MaxCode: 2.31× ready · Apply", "maxcode.apply")

    async def edited(row: Row) -> None:
        await story(row)
        row.scene.edit(3, 20, "x")

    assert told(tmp_path, edited) == [("MaxCode: Optimize", "maxcode.start")]


def test_an_interrupted_run_can_go_on(tmp_path: Path) -> None:
    file = tmp_path / "solve.cpp"
    run = "20291231-235959-abcdef"
    journalled(file, run)

    async def story() -> tuple[Shown, Any, int]:
        row = Row(tmp_path)
        await opened(row)
        await asyncio.sleep(5)
        params = types.CodeLensParams(types.TextDocumentIdentifier(row.scene.uri))
        first = (await row.lenses.lenses(params))[0].command
        assert first is not None
        refreshed = len(row.scene.far.all(types.WORKSPACE_CODE_LENS_REFRESH))
        return await row.shown(), first.arguments, refreshed

    shown, arguments, refreshed = skipping(story())
    assert shown[0] == ("MaxCode: interrupted, best 1.9× so far · Continue", "maxcode.start")
    assert arguments == [{"uri": file.as_uri(), "resume": run}]
    assert refreshed == 1


def test_a_run_of_another_window_is_not_interrupted(tmp_path: Path) -> None:
    journal = journalled(tmp_path / "solve.cpp", "20291231-235959-abcdef", live=True)
    assert told(tmp_path, opened) == [("MaxCode: Optimize", "maxcode.start")]
    journal.close()


@pytest.mark.parametrize("text", ["int helper() { return 1; }\n", ""])
def test_a_file_without_main_has_none(tmp_path: Path, text: str) -> None:
    async def story(row: Row) -> None:
        row.scene.open(text)

    assert told(tmp_path, story, text) == []


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    (tmp_path / "maxcode.toml").write_text("[editor]\nlens = false\n")
    assert told(tmp_path, opened) == []


def test_there_is_none_where_code_may_not_be_run_or_nothing_is_open(tmp_path: Path) -> None:
    async def untrusted(row: Row) -> None:
        row.scene.session.folders.open([tmp_path], {"trusted": False})
        await opened(row)

    async def nothing(_: Row) -> None:
        await asyncio.sleep(0)

    assert told(tmp_path, untrusted) == []
    assert told(tmp_path, nothing) == []


def test_the_editor_is_asked_to_look_again_seldom_and_at_the_end(tmp_path: Path) -> None:
    async def story() -> tuple[int, int, Shown]:
        row = Row(tmp_path)
        row.scene.far.answers[types.WORKSPACE_CODE_LENS_REFRESH] = lambda _: None
        await opened(row)
        run = row.scene.begin()
        row.scene.tell(run, PREPARED)
        for done in range(64):
            row.scene.tell(run, evaluated(done + 1), searching(done))
            await asyncio.sleep(0.5)
        await asyncio.sleep(5)
        before = len(row.scene.far.all(types.WORKSPACE_CODE_LENS_REFRESH))
        row.scene.tell(run, NO_IMPROVEMENT)
        await asyncio.sleep(5)
        return before, len(row.scene.far.all(types.WORKSPACE_CODE_LENS_REFRESH)), await row.shown()

    before, after, shown = skipping(story())
    assert 8 <= before <= 12
    assert after == before + 1
    assert shown[0][0] == "MaxCode: no measurable difference · Why"
