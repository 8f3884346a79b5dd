from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.engine.journal.places import new_id, runs_folder
from maxcode_lsp.engine.journal.records import VERSION, Opened, Record, Resumed
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.errors import EngineLost
from maxcode_lsp.records import Critique, RunStatus
from maxcode_lsp.settings import Settings
from maxcode_lsp.text.source import SourceText
from tests.server.model_editor import FASTER, ModelEditor, begun, ended, improved, opened
from tests.server.scene import PREPARED, PROGRAM, evaluated, finding

ERROR, WARNING = 1, 2
TRUST = {"trusted": None}


async def test_a_run_begins_with_what_the_editor_has(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.type(uri, PROGRAM + "// not saved\n")
        run = await begun(editor, uri)
        (request,) = editor.engine.started
        assert (request.run, request.file) == (run, str(folder / "solve.cpp"))
        assert request.text == (PROGRAM + "// not saved\n").encode()
        assert not request.resume and not request.allow_unsafe
        editor.type(uri, PROGRAM)
        assert editor.run.base.raw == request.text


async def test_a_file_that_is_not_open_is_read_from_disk(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.close(uri)
        raw = PROGRAM.replace("\n", "\r\n").encode()
        (folder / "solve.cpp").write_bytes(raw)
        await begun(editor, uri)
        assert [request.text for request in editor.engine.started] == [raw]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.cpp", "int f() { return 1; }\n", "has no main function"),
        ("a.cpp", " \n", "is empty"),
        ("a.txt", PROGRAM, "is not a C or C++ source file"),
        ("gone.cpp", None, "cannot be read"),
        ("folder.cpp", "", "cannot be read: Is a directory"),
        ("kernel.cu", PROGRAM, "CUDA"),
    ],
)
async def test_what_is_no_program_is_told_once(folder: Path, name: str, text: str | None, said: str) -> None:
    async with opened(folder) as (editor, _):
        file = folder / name
        if name == "folder.cpp":
            file.mkdir()
        elif text is not None:
            file.write_text(text)
        answer = await editor.command("maxcode.start", uri=file.as_uri())
        assert answer["run"] is None and said in answer["reason"]
        await editor.settled()
        assert editor.said == [(WARNING, answer["reason"])]
        assert editor.engine.started == []


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "https://x/a.cpp", "", "file:", "\0"])
async def test_what_is_no_file_is_told(folder: Path, uri: str) -> None:
    async with opened(folder) as (editor, _):
        answer = await editor.command("maxcode.start", uri=uri)
        assert answer["run"] is None and answer["reason"]
        assert editor.engine.started == []


async def test_open_documents_that_are_not_served_are_not_started(folder: Path) -> None:
    async with opened(folder) as (editor, _):
        kernel = editor.open(folder / "k.cu", PROGRAM, "cuda")
        answer = await editor.command("maxcode.start", uri=kernel)
        assert answer["run"] is None and "CUDA" in answer["reason"]


async def test_nothing_is_run_before_somebody_trusts_the_folder(folder: Path) -> None:
    async with opened(folder, options=TRUST) as (editor, uri):
        editor.engine.finds = Critique((finding("copy-by-value", 4),))
        run = await begun(editor, uri)
        assert len(editor.asked) == 1 and editor.engine.started == []
        assert [request.text for request in editor.engine.inspected] == [PROGRAM.encode()]
        told = editor.serving.session.runs.get(run)
        assert told is not None and told.status is RunStatus.REFUSED
        assert told.board.critique == editor.engine.finds
        assert editor.said == [
            (WARNING, "Nothing was run: this folder is not trusted. 1 finding applies without running it.")
        ]


async def test_trust_is_asked_for_once(folder: Path) -> None:
    async with opened(folder, options=TRUST) as (editor, uri):
        editor.answers["Trust the folder"] = "Trust this folder"
        await begun(editor, uri)
        await begun(editor, uri)
        assert len(editor.asked) == 1 and len(editor.engine.started) == 2
    async with opened(folder, options=TRUST) as (editor, uri):
        await begun(editor, uri)
        assert editor.asked == [] and len(editor.engine.started) == 1


async def test_arguments_are_over_all_other_settings(folder: Path) -> None:
    (folder / "maxcode.toml").write_text('budget = 7\nseconds = 9\n[output]\nignore = ["x"]\nfloat_tolerance = 0.5\n')
    async with opened(folder) as (editor, uri):
        await begun(editor, uri, settings={"budget": 3, "output": {"float_tolerance": 0.25}, "searhc": "greedy"})
        (request,) = editor.engine.started
        assert (request.settings.budget, request.settings.seconds) == (3, 9)
        assert (request.settings.output.float_tolerance, request.settings.output.ignore) == (0.25, ("x",))
        ((kind, sentence),) = editor.said
        assert kind == WARNING and "searhc" in sentence and "search" in sentence


async def test_a_newer_run_replaces_the_older_quietly(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        first = await begun(editor, uri)
        second = await begun(editor, uri)
        assert editor.engine.cancelled == [first]
        runs = editor.serving.session.runs
        assert [(run.id, run.status) for run in runs.of(uri)] == [
            (first, RunStatus.CANCELLED),
            (second, RunStatus.RUNNING),
        ]
        editor.engine.tell(first, improved(PROGRAM, FASTER))
        await editor.settled()
        assert editor.said == editor.asked == []


async def test_a_result_is_offered_and_applied(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.answers["“solve.cpp” is 2.31× faster"] = "Apply"
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        await editor.settled()
        assert editor.asked[0] == ("“solve.cpp” is 2.31× faster (95 % CI 2.24–2.39).", ["Apply", "Compare"])
        assert editor.texts[uri].text == FASTER


async def test_a_result_is_offered_and_compared(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.answers["“solve.cpp” is 2.31× faster"] = "Compare"
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        await editor.settled()
        (shown,) = editor.shown
        assert shown.endswith("/solve.maxcode.cpp")
        assert editor.texts[uri].text == PROGRAM


async def test_a_result_that_was_seen_is_not_told_again(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.run.seen = True
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        await editor.settled()
        assert editor.said == editor.asked == []


async def test_an_engine_that_cannot_be_started_ends_the_run(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.engine.trouble = EngineLost("The engine cannot be started: no memory. Close something.")
        await begun(editor, uri)
        assert editor.run.status is RunStatus.FAILED
        await editor.settled()
        assert editor.said == [(ERROR, "The engine cannot be started: no memory. Close something.")]


async def test_a_run_that_is_only_beginning_can_be_stopped(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.engine.hold.clear()
        run = await begun(editor, uri)
        await editor.until(lambda: editor.engine.started)
        await editor.command("maxcode.stop", run=run)
        assert editor.run.status is RunStatus.CANCELLED
        assert editor.engine.cancelled == [run]
        editor.engine.hold.set()
        await editor.settled()
        assert editor.said == []
        assert [entry["title"] for entry in await editor.actions(uri)] == ["Optimize “solve.cpp” with MaxCode"]


async def test_a_run_that_was_stopped_at_once_never_begins(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        starting = asyncio.ensure_future(editor.command("maxcode.start", uri=uri))
        await editor.until(lambda: list(editor.serving.session.runs))
        editor.notify("workspace/didDeleteFiles", {"files": [{"uri": uri}]})
        await starting
        await editor.settled()
        assert editor.run.status is RunStatus.CANCELLED
        for request in editor.engine.started:
            assert request.run in editor.engine.cancelled


async def test_a_run_that_was_stopped_can_go_on(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, evaluated(1, best=True))
        await editor.command("maxcode.stop", run=run)
        await editor.settled()
        titles = [entry["title"] for entry in await editor.actions(uri)]
        assert titles == [
            "Continue optimising “solve.cpp” with MaxCode (best 1.9×, 1 of 64 tried)",
            "Optimize “solve.cpp” with MaxCode",
        ]


def left_behind(file: Path, *events: Record, source: str = PROGRAM, budget: int = 64) -> str:
    """The journal of a run that was interrupted."""
    run = new_id()
    opened = Opened(
        version=VERSION,
        run=run,
        created="2030-01-01T00:00:00Z",
        maxcode="0",
        file=str(file),
        target=file.name,
        source=source.encode(),
        source_sha256=SourceText(source.encode()).sha256,
        settings=Settings(budget=budget),
        search="greedy",
        policies=(),
        seed=1,
    )
    journal = Journal.begin(runs_folder(), opened)
    for event in events:
        journal.append(1.0, event)
    journal.close()
    return run


async def test_an_interrupted_run_can_go_on(folder: Path) -> None:
    left_behind(folder / "other.cpp")
    run = left_behind(folder / "solve.cpp", evaluated(1, best=True), source=PROGRAM + "// then\n", budget=40)
    left_behind(folder / "else.cpp")
    async with opened(folder) as (editor, uri):
        await editor.settled()
        go_on, anew = await editor.actions(uri)
        assert go_on["title"] == "Continue optimising “solve.cpp” with MaxCode (best 1.9×, 1 of 40 tried)"
        assert anew["title"] == "Optimize “solve.cpp” with MaxCode"
        assert (await editor.choose(go_on))["run"] == run
        await editor.settled()
        (request,) = editor.engine.started
        assert (request.run, request.resume, request.settings.budget) == (run, True, 40)
        assert request.text == (PROGRAM + "// then\n").encode()
        assert (await editor.actions(uri))[0]["title"].startswith("Stop MaxCode")


@pytest.mark.parametrize("status", [RunStatus.NO_IMPROVEMENT, RunStatus.CANCELLED])
async def test_only_what_was_interrupted_is_offered(folder: Path, status: RunStatus) -> None:
    left_behind(folder / "solve.cpp", ended(status))
    async with opened(folder) as (editor, uri):
        await editor.settled()
        assert [entry["title"] for entry in await editor.actions(uri)] == ["Optimize “solve.cpp” with MaxCode"]


@pytest.mark.parametrize("before", [(), (ended(RunStatus.CANCELLED), Resumed("2030-01-01T01:00:00Z", 1.0))])
async def test_a_result_of_an_earlier_session_is_there_again(folder: Path, before: tuple[Record, ...]) -> None:
    """Also of a run that was stopped first, and went on."""
    left_behind(folder / "solve.cpp", PREPARED, evaluated(1, best=True), *before, improved(PROGRAM, FASTER))
    async with opened(folder) as (editor, uri):
        await editor.settled()
        assert editor.said == editor.asked == []
        titles = [entry["title"] for entry in await editor.actions(uri)]
        assert titles[0] == "Apply MaxCode: “solve.cpp” 2.31× faster (95 % CI 2.24–2.39)"
        await editor.choose((await editor.actions(uri))[0])
        assert editor.texts[uri].text == FASTER


@pytest.mark.parametrize("options", [{"trusted": False}, {}])
async def test_nothing_of_it_is_there_where_nobody_trusts(folder: Path, options: dict[str, bool]) -> None:
    left_behind(folder / "solve.cpp", improved(PROGRAM, FASTER))
    async with opened(folder, options=options) as (editor, uri):
        await editor.settled()
        assert not any("Apply" in entry["title"] for entry in await editor.actions(uri))


async def test_a_result_for_another_text_stays_away(folder: Path) -> None:
    left_behind(folder / "solve.cpp", improved(PROGRAM + "\n", FASTER), source=PROGRAM + "\n")
    async with opened(folder) as (editor, uri):
        await editor.settled()
        assert [entry["title"] for entry in await editor.actions(uri)] == ["Optimize “solve.cpp” with MaxCode"]


async def test_a_run_goes_on_for_its_own_file_only(folder: Path) -> None:
    run = left_behind(folder / "other.cpp")
    async with opened(folder) as (editor, uri):
        answer = await editor.command("maxcode.start", uri=uri, resume=run)
        assert answer == {"run": None, "reason": "That run is about another file than “solve.cpp”. Start a new one."}


async def test_cancelling_its_progress_stops_a_run(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        for token in ("maxcode-", "other", f"maxcode-{run}x", 7):
            editor.notify("window/workDoneProgress/cancel", {"token": token})
        assert editor.engine.cancelled == []
        editor.notify("window/workDoneProgress/cancel", {"token": f"maxcode-{run}"})
        assert editor.engine.cancelled == [run]


async def test_stopping_what_is_over_or_unknown_does_nothing(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.engine.tell(run, ended(RunStatus.NO_IMPROVEMENT))
        for one in (run, "20300101-000000-000000", "../../etc"):
            assert await editor.command("maxcode.stop", run=one) is None
        assert editor.engine.cancelled == []


def rename(editor: ModelEditor, old: str, new: str) -> None:
    editor.notify("workspace/didRenameFiles", {"files": [{"oldUri": old, "newUri": new}]})


async def test_a_run_follows_its_file(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        renamed = uri.replace("solve.cpp", "new%20name.cpp")
        rename(editor, uri, renamed)
        assert (editor.run.uri, editor.run.file) == (renamed, folder / "new name.cpp")
        editor.close(uri)
        editor.open(folder / "new name.cpp", PROGRAM)
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        apply = (await editor.actions(renamed))[0]
        assert apply["title"].startswith("Apply MaxCode: “new name.cpp”")
        await editor.choose(apply)
        assert editor.texts[renamed].text == FASTER
        rename(editor, folder.as_uri(), folder.parent.as_uri() + "/other")
        assert editor.run.file == folder.parent / "other" / "new name.cpp"
        rename(editor, folder.parent.as_uri() + "/oth", folder.as_uri())
        assert editor.run.file == folder.parent / "other" / "new name.cpp"


async def test_deleting_the_file_stops_its_run_and_closing_does_not(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        editor.close(uri)
        editor.notify("workspace/didDeleteFiles", {"files": [{"uri": uri + "x"}]})
        assert editor.engine.cancelled == []
        editor.notify("workspace/didDeleteFiles", {"files": [{"uri": folder.as_uri()}]})
        assert editor.engine.cancelled == [run]


async def test_a_run_that_nobody_knows_cannot_go_on(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        for run in (new_id(), "../../../etc/passwd"):
            answer = await editor.command("maxcode.start", uri=uri, resume=run)
            assert answer["run"] is None and "There is no run" in answer["reason"]


async def test_starting_twice_at_once_leaves_one_run(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        answers: list[Any] = await asyncio.gather(
            *(editor.command("maxcode.start", uri=uri) for _ in range(4)),
        )
        await editor.settled()
        going = [run.id for run in editor.serving.session.runs if run.running]
        assert going == [editor.run.id] and going[0] in [answer["run"] for answer in answers]


@pytest.mark.parametrize(("old", "new"), [(b'"version":%d' % VERSION, b'"version":99'), (b'"source":', b'"sauce":')])
async def test_a_journal_that_cannot_be_used_says_why(folder: Path, old: bytes, new: bytes) -> None:
    async with opened(folder) as (editor, uri):
        run = left_behind(folder / "solve.cpp")
        journal = runs_folder() / f"{run}.jsonl"
        journal.write_bytes(journal.read_bytes().replace(old, new))
        answer = await editor.command("maxcode.start", uri=uri, resume=run)
        assert answer["run"] is None
        assert run in answer["reason"]
        assert "swept" not in answer["reason"]
