"""How the end of a run is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.records import RunStatus
from tests.server.model_editor import FASTER, begun, ended, improved, opened
from tests.server.scene import PROGRAM

ERROR, WARNING, INFO = 1, 2, 3


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (RunStatus.REFUSED, WARNING),
        (RunStatus.FAILED, ERROR),
        (RunStatus.NO_IMPROVEMENT, INFO),
        (RunStatus.UNMEASURED, INFO),
    ],
)
async def test_the_end_is_told_once_as_loud_as_it_is(folder: Path, status: RunStatus, kind: int) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, ended(status))
        editor.engine.tell(run, ended(RunStatus.FAILED, "too late"))
        await editor.settled()
        assert editor.said == [(kind, "That is why.")] and editor.asked == []


async def test_where_buttons_are_not_asked_for_nobody_is_interrupted(folder: Path) -> None:
    async with opened(folder, options={"trusted": True}) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        await editor.settled()
        assert editor.said == [(INFO, "“solve.cpp”: 2.31× faster, proven. Choose “Apply” to take it.")]
        assert editor.asked == []


@pytest.mark.parametrize(
    ("status", "kind", "short"),
    [
        (RunStatus.NO_IMPROVEMENT, INFO, "“solve.cpp”: no measurable difference. “Why …” says more."),
        (RunStatus.REFUSED, WARNING, None),
        (RunStatus.FAILED, ERROR, None),
    ],
)
async def test_what_a_message_line_cannot_show_is_said_in_short(
    folder: Path, status: RunStatus, kind: int, short: str | None
) -> None:
    long = "That is why, and it takes many words. " * 4
    for options, reason, said in (
        ({}, long, short or long),
        ({}, "That is why.", "That is why."),
        ({"buttons": True}, long, long),
    ):
        async with opened(folder, options={"trusted": True, **options}) as (editor, uri):
            editor.engine.tell(await begun(editor, uri), ended(status, reason))
            await editor.settled()
            assert editor.said == [(kind, said)] and editor.asked == []
