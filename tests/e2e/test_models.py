"""A language model through the real server, with settings and secrets as editors give them."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from lsprotocol import types

from maxcode_lsp.engine.events import Replied
from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.runs.findings import docs_page
from maxcode_lsp.testing.model_replies import Reply, Said, rate_limited
from maxcode_lsp.testing.model_server import Call, ModelServer
from tests.e2e.conftest import Launch
from tests.e2e.gains import (
    GAINS,
    KEY,
    LINEAR,
    UNBUILT,
    WRONG,
    all_said,
    begun,
    in_turn,
    leaks,
    opened,
    result_of,
    told,
    version,
)
from tests.e2e.processes import below, gone
from tests.e2e.test_faults import engine_of, journals, offered, records
from tests.e2e.test_story import built_and_run, finished, idle

OPINION = {"first": 10, "last": 13, "message": "All pairs of days are summed up anew.", "evidence": ["E1"]}
MANY = "2\n3 1 -2 3\n" + f"6000 {' '.join(str((7 * day) % 2001 - 1000) for day in range(6000))}\n"
HUNK = "<<<<<<< SEARCH\n    for (auto day : all_days) {\n=======\n    for (auto day : days) {\n>>>>>>> REPLACE\n"


async def test_a_model_finds_what_no_rule_does(
    launch: Launch, workspace: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Over a proxy, as what is on this machine costs nothing."""

    def script(call: Call) -> Said:
        if "one JSON object" in call.prompt:
            return json.dumps({"findings": [OPINION]})
        return Reply(text=version(LINEAR), usage=(2000, 500), wait_s=1.5)

    with ModelServer(script) as server:
        asked = {"model": "openai/gpt-4o-mini", "api_base": "http://models.example/v1"}
        editor, buffer = await opened(
            launch, workspace, server, asked=asked, proxy=server.address, critic="", max_cost_usd=0.5
        )
        result = await result_of(editor, await begun(editor, buffer), tmp_path / "home")
        engine = engine_of(editor)
        questions = list(server.questions)
    assert engine is not None
    assert not await gone(below(engine))

    # It was asked with the key from the editor's secrets; what it said is counted, and what it cost.
    assert result.status is RunStatus.IMPROVED, told(result)
    assert {call.headers["authorization"] for call in questions} == {f"Bearer {KEY}"}
    assert all(call.path.startswith("http://models.example/") for call in questions)
    assert result.spent is not None
    assert result.spent.cost_usd
    assert result.spent.calls == sum(result.replies.values()) == len(questions)
    assert result.replies["findings"] >= 1 and result.replies["program"] >= 1
    assert not result.unasked
    messages = [report.message or "" for report in editor.progress()[0] if hasattr(report, "message")]
    assert any("asking" in message for message in messages), messages
    assert any("$" in message for message in messages), messages

    # What it thinks is a finding with a page; what it proposed is there to be applied.
    (opinion,) = [one for one in editor.client.diagnostics[buffer.uri] if one.code == "model-opinion"]
    assert str(OPINION["message"]) in opinion.message
    assert opinion.code_description is not None
    assert opinion.code_description.href == docs_page("model-opinion")
    hover = await editor.hover(buffer, "main")
    assert "llm:openai/gpt-4o-mini" in hover and "Models: " in hover, hover
    await editor.choose(buffer, buffer.range_of("main"), "Apply MaxCode")
    edited, original, stdin = tmp_path / "edited.cpp", tmp_path / "original.cpp", tmp_path / "many.in"
    edited.write_text(buffer.text)
    original.write_text(GAINS)
    stdin.write_text(MANY)
    before, slow_s = built_and_run(original, tmp_path, stdin)
    after, fast_s = built_and_run(edited, tmp_path, stdin)
    assert before == after
    assert slow_s / fast_s > 1.5

    # The key is nowhere.
    assert KEY not in all_said(editor)
    assert await editor.quit() == 0
    assert not leaks(tmp_path)
    assert KEY not in "".join(capfd.readouterr())


async def test_bad_replies_are_told_back_and_a_good_one_wins(launch: Launch, workspace: Path, tmp_path: Path) -> None:
    script = in_turn(
        rate_limited("1"),
        "The two loops are slow. Use one.",
        rate_limited(),
        Reply(text=version(LINEAR)[:400], finish="length"),
        version(UNBUILT),
        f"Another way.\n\n```\n{HUNK}```\n",
        version(WRONG),
        version(LINEAR),
    )
    with ModelServer(script) as server:
        editor, buffer = await opened(launch, workspace, server)
        result = await result_of(editor, await begun(editor, buffer), tmp_path / "home")
        prompts = [call.prompt for call in server.questions]
    assert result.status is RunStatus.IMPROVED, told(result)
    assert "(sum > 0 ? sum : 0)" in result.diff
    assert prompts[0] == prompts[1]
    assert "There was no code in your reply." in prompts[2]
    assert prompts[2] == prompts[3]
    assert "Your reply was cut off" in prompts[4]
    assert "gains" in prompts[5] and "does not compile" in prompts[5]
    assert "was not found in the program" in prompts[6]
    assert "wrong output" in prompts[7] and "expected" in prompts[7]
    counted = {"no_code": 1, "truncated": 1, "program": 3, "hunk_failed": 1}
    assert {end: result.replies[end] for end in counted} == counted
    assert (result.outcomes["compile_error"], result.outcomes["wrong_output"]) == (1, 1)
    hover = await editor.hover(buffer, "main")
    assert "3 to try (1 without code, 1 cut off, 1 with a hunk that did not fit" in hover, hover


@pytest.mark.parametrize(
    "never", [Reply(wait_s=600), Reply(text="for ever and ", endless=True, pause_s=0.02)], ids=["silent", "endless"]
)
async def test_stop_while_a_model_is_asked(never: Reply, launch: Launch, workspace: Path, tmp_path: Path) -> None:
    with ModelServer(in_turn(never, version(LINEAR))) as server:
        editor, buffer = await opened(launch, workspace, server)
        run = await begun(editor, buffer)
        await editor.until(lambda: bool(server.questions), "a question")
        engine = engine_of(editor)
        assert engine is not None
        family = below(engine)
        token = next(iter(editor.client.progress_reports))
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        await finished(editor, run)
        await editor.until(editor.ended, "the end of the progress")
        assert (await result_of(editor, run, tmp_path / "home")).status is RunStatus.CANCELLED
        await editor.until(lambda: server.questions[0].gone, "the end of the question")
        assert not await gone(family)
        await idle(editor)

        # The engine is as good as new.
        again = await result_of(editor, await begun(editor, buffer), tmp_path / "home")
        assert again.status is RunStatus.IMPROVED, told(again)
        assert engine_of(editor) == engine


@pytest.mark.parametrize("victim", ["engine", "server"])
async def test_a_kill_while_a_model_is_asked(victim: str, launch: Launch, workspace: Path, tmp_path: Path) -> None:
    """The run goes on, and what was answered is not asked again."""
    script = in_turn("No idea.", version(UNBUILT), Reply(wait_s=600), version(LINEAR))
    with ModelServer(script) as server:
        editor, buffer = await opened(launch, workspace, server)
        run = await begun(editor, buffer)
        await editor.until(lambda: len(server.questions) == 3, "the third question")
        engine = engine_of(editor)
        assert engine is not None
        killed = engine if victim == "engine" else editor.pid
        family = below(editor.pid if victim == "server" else engine) | {killed}
        os.kill(killed, signal.SIGKILL)
        assert not await gone(family)
        await editor.until(lambda: server.questions[2].gone, "the end of the question")
        if victim == "server":
            editor, buffer = await opened(launch, workspace, server)
            await offered(editor, buffer, "Continue")
            await editor.choose(buffer, buffer.range_of("main"), "Continue")
        result = await result_of(editor, run, tmp_path / "home")
        prompts = [call.prompt for call in server.questions]
    assert result.status is RunStatus.IMPROVED, told(result)
    assert prompts.count(prompts[0]) == prompts.count(prompts[1]) == 1
    assert prompts[3] == prompts[2], "only what was not answered is asked again"
    (journal,) = journals(tmp_path / "home")
    replied = [one for one in records(journal) if isinstance(one, Replied)]
    assert [one.cached for one in replied][:5] == [False, False, True, True, False]
    assert result.spent is not None
    assert result.spent.tokens_in == sum(one.tokens_in for one in replied)
