from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from maxcode_lsp.engine.events import Judgement
from maxcode_lsp.errors import EngineLost
from maxcode_lsp.records import Outcome, RunStatus, Verdict
from tests.server.model_editor import FASTER, ModelEditor, begun, ended, improved, opened
from tests.server.model_text import applied
from tests.server.scene import PROGRAM

ERROR, WARNING, INFO = 1, 2, 3
GOOD = Judgement(Outcome.CORRECT, Verdict.FASTER, 2.3, (2.2, 2.4), "It is 2.30× faster.", 20)
SLOW = Judgement(Outcome.CORRECT, Verdict.NO_DIFFERENCE, 1.0, (0.99, 1.01), "No measurable difference.", 20)
WRONG = Judgement(Outcome.WRONG_OUTPUT, None, None, None, "Different output on input 1: line 3.")
BROKEN = Judgement(Outcome.COMPILE_ERROR, None, None, None, "It does not compile: error.")


async def ready(editor: ModelEditor, uri: str, said: Judgement = GOOD) -> str:
    """A result is there; nobody has answered what to do with it."""
    editor.engine.says = said
    run = await begun(editor, uri)
    editor.engine.tell(run, improved(PROGRAM, FASTER))
    await editor.settled()
    editor.asked.clear()
    editor.said.clear()
    return run


@pytest.mark.parametrize("kind", ["VS Code", "Neovim", "plain"])
async def test_a_result_is_applied_and_checked(folder: Path, kind: str) -> None:
    async with opened(folder, kind) as (editor, uri):
        run = await ready(editor, uri)
        assert await editor.command("maxcode.apply", run=run) == {"applied": True, "reason": ""}
        assert editor.texts[uri].text == FASTER
        await editor.settled()
        assert editor.run.applied is not None and editor.run.applied.judgement == GOOD
        (request,) = editor.engine.verified
        assert (request.original, request.edited) == (PROGRAM.encode(), FASTER.encode())
        assert request.file == str(folder / "solve.cpp")
        assert editor.said == [(INFO, "“solve.cpp”: 2.30× confirmed as applied.")] and editor.asked == []


async def test_while_it_is_checked_it_counts_as_applied(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri)
        editor.engine.hold.clear()
        await editor.command("maxcode.apply", run=run)
        assert editor.run.applied is not None and editor.run.applied.judgement is None
        again = await editor.command("maxcode.apply", run=run)
        assert again == {"applied": False, "reason": "The faster version of “solve.cpp” is already in the document."}
        editor.engine.hold.set()
        await editor.settled()
        assert editor.run.applied.judgement == GOOD
        assert len(editor.engine.verified) == 1


async def test_line_ends_bom_and_the_rest_of_the_text_stay(folder: Path) -> None:
    text = "\ufeff// é \U0001f600\r\n" + PROGRAM.replace("\n", "\r\n")
    for kind in ("VS Code", "Neovim"):
        async with opened(folder, kind) as (editor, uri):
            run = await ready(editor, uri)
            editor.type(uri, text)
            await editor.command("maxcode.apply", run=run)
            assert editor.texts[uri].text == "\ufeff// é \U0001f600\r\n" + FASTER.replace("\n", "\r\n")
            await editor.settled()
            (request,) = editor.engine.verified
            assert request.original == text.encode()
            assert request.edited == editor.texts[uri].text.encode()


@pytest.mark.parametrize(
    ("judgement", "kind", "said"),
    [
        (WRONG, ERROR, "does not hold: Different output on input 1: line 3. Undo it?"),
        (BROKEN, ERROR, "does not hold: It does not compile: error. Undo it?"),
        (SLOW, WARNING, "is not faster here: No measurable difference. Undo it?"),
    ],
)
async def test_a_failure_is_told_at_once_and_can_be_undone(
    folder: Path, judgement: Judgement, kind: int, said: str
) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri, judgement)
        editor.answers["“solve.cpp” was"] = "Undo the edit"
        await editor.command("maxcode.apply", run=run)
        await editor.settled()
        ((question, choices),) = editor.asked
        assert question.endswith(said) and choices == ["Undo the edit", "Keep"]
        assert editor.texts[uri].text == PROGRAM
        titles = [entry["title"] for entry in await editor.actions(uri)]
        assert titles == ["Compare “solve.cpp” with MaxCode’s version", "Optimize “solve.cpp” again with MaxCode"]


async def test_what_failed_is_kept_where_nobody_answers(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri, WRONG)
        await editor.command("maxcode.apply", run=run)
        await editor.settled()
        assert len(editor.asked) == 1 and editor.texts[uri].text == FASTER


async def test_undoing_takes_back_what_was_typed_by_nobody_else(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri, WRONG)
        editor.engine.hold.clear()
        editor.answers["“solve.cpp” was"] = "Undo the edit"
        await editor.command("maxcode.apply", run=run)
        editor.type(uri, "// mine\n" + FASTER)
        editor.engine.hold.set()
        await editor.settled()
        assert editor.texts[uri].text == "// mine\n" + PROGRAM


async def test_an_undo_that_does_not_fit_is_left_to_the_editor(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri, WRONG)
        editor.engine.hold.clear()
        editor.answers["“solve.cpp” was"] = "Undo the edit"
        await editor.command("maxcode.apply", run=run)
        mine = FASTER.replace("long best = 0;", "long best = 7;")
        editor.type(uri, mine)
        editor.engine.hold.set()
        await editor.settled()
        assert editor.texts[uri].text == mine
        assert editor.said[-1] == (
            WARNING,
            "“solve.cpp” was edited after the change was applied, so it was not undone. Use your editor's undo.",
        )


async def test_what_could_not_be_checked_is_told(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri)
        editor.engine.says = EngineLost("The engine ended by itself.")
        await editor.command("maxcode.apply", run=run)
        await editor.settled()
        assert editor.run.applied is not None and editor.run.applied.trouble == "The engine ended by itself."
        assert editor.said == [
            (
                WARNING,
                "The change is in “solve.cpp”, but it could not be checked again there: The engine ended by itself.",
            )
        ]


async def test_a_check_that_was_lost_with_its_engine_is_made_again(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri)
        editor.said.clear()
        editor.engine.losses = [EngineLost("It was stopped by SIGKILL.")]
        await editor.command("maxcode.apply", run=run)
        await editor.settled()
        assert editor.run.applied is not None and editor.run.applied.judgement == GOOD
        first, second = editor.engine.verified
        assert first == second
        assert editor.said == [(INFO, "“solve.cpp”: 2.30× confirmed as applied.")]


async def test_undo_and_redo_in_the_editor_are_followed(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri)
        await editor.command("maxcode.apply", run=run)
        await editor.settled()
        editor.type(uri, PROGRAM)
        assert editor.run.applied is None
        assert (await editor.actions(uri))[0]["title"].startswith("Apply MaxCode")
        editor.type(uri, FASTER)
        assert editor.run.applied is not None and editor.run.applied.judgement == GOOD
        await editor.settled()
        assert len(editor.engine.verified) == 1


async def test_an_edit_that_was_looked_at_and_not_made_counts_for_nothing(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        await ready(editor, uri)
        apply = (await editor.actions(uri))[0]
        await editor.request("codeAction/resolve", apply)
        await editor.settled()
        assert editor.run.applied is None and editor.engine.verified == []


async def test_what_the_editor_refuses_is_told(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri)
        editor.refuse_edits = "the buffer is read-only"
        answer = await editor.command("maxcode.apply", run=run)
        assert not answer["applied"] and "the buffer is read-only" in answer["reason"]
        assert editor.said == [(WARNING, answer["reason"])]
        assert editor.run.applied is None


async def test_a_version_that_moved_on_is_refused_by_the_editor(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri)
        editor.texts[uri].version += 1  # typed, and not told yet
        answer = await editor.command("maxcode.apply", run=run)
        assert not answer["applied"] and editor.texts[uri].text == PROGRAM


async def test_a_result_that_is_stale_is_offered_again(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await ready(editor, uri)
        changed = PROGRAM.replace("long best = 0;", "long best = 1;")
        editor.type(uri, changed)
        editor.answers["“solve.cpp” was edited"] = "Run again"
        answer = await editor.command("maxcode.apply", run=run)
        sentence = "“solve.cpp” was edited where the result changes it, so nothing was applied."
        assert answer == {"applied": False, "reason": f"{sentence} Choose “Optimize” again."}
        await editor.settled()
        assert editor.asked == [(f"{sentence} Run again?", ["Run again"])] and editor.said == []
        assert editor.engine.started[-1].text == changed.encode()


async def test_where_buttons_are_not_asked_for_that_is_only_said(folder: Path) -> None:
    async with opened(folder, options={"trusted": True}) as (editor, uri):
        run = await ready(editor, uri)
        editor.type(uri, PROGRAM.replace("long best = 0;", "long best = 1;"))
        answer = await editor.command("maxcode.apply", run=run)
        await editor.settled()
        assert editor.said == [(WARNING, answer["reason"])] and editor.asked == []
        assert len(editor.engine.started) == 1


async def test_a_closed_document_is_edited_as_the_editor_will_open_it(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        raw = "\ufeff" + PROGRAM.replace("\n", "\r\n")
        (folder / "solve.cpp").write_bytes(raw.encode())
        editor.type(uri, raw.removeprefix("\ufeff"))
        run = await ready(editor, uri)
        editor.close(uri)
        made: list[str] = []

        def make(_: str, edits: list[types.TextEdit]) -> None:
            made.append(applied(raw.removeprefix("\ufeff"), edits, editor.encoding))

        editor.edit_closed = make
        assert (await editor.command("maxcode.apply", run=run))["applied"]
        assert made == [FASTER.replace("\n", "\r\n")]
        await editor.settled()
        assert editor.run.applied is not None and editor.run.applied.judgement == GOOD
        editor.open(folder / "solve.cpp", made[0])
        await editor.settled()
        assert len(editor.engine.verified) == 1


async def test_what_cannot_be_applied_says_why(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        unknown = await editor.command("maxcode.apply", run="20300101-000000-000000")
        assert "There is no run" in unknown["reason"]
        run = await begun(editor, uri)
        running = await editor.command("maxcode.apply", run=run)
        assert running["reason"] == "There is no faster version of “solve.cpp” to apply."
        editor.engine.tell(run, ended(RunStatus.NO_IMPROVEMENT))
        assert not (await editor.command("maxcode.apply", run=run))["applied"]
        editor.close(uri)
        (folder / "solve.cpp").unlink()
        await begun(editor, uri)
        assert len(editor.engine.started) == 1
