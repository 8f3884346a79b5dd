"""The main path with nothing in the place of anything: a real engine process, compiler and sandbox."""

from __future__ import annotations

import asyncio
from pathlib import Path

from maxcode_lsp.engine.client import EngineState
from maxcode_lsp.records import Outcome, RunStatus, Verdict
from tests.engine.programs import COPIES, project
from tests.server.model_editor import ModelEditor

LONG_S = 200.0


async def test_from_the_lightbulb_to_a_confirmed_edit(folder: Path) -> None:
    editor = ModelEditor("VS Code", folder)
    session = editor.serving.session
    session.engine = engine = editor.real_engine
    try:
        uri = editor.open(project(folder))
        (start,) = await editor.actions(uri)
        start["command"]["arguments"][0]["settings"] = {"budget": 8, "seconds": 60, "goal": 1.2}
        await editor.choose(start)
        run = editor.run
        await editor.until(lambda: not run.running, LONG_S)
        assert run.result is not None
        assert run.status is RunStatus.IMPROVED, run.result.reason
        editor.type(uri, "// typed meanwhile\n" + COPIES)
        apply = (await editor.actions(uri))[0]
        assert apply["title"].startswith("Apply MaxCode: “solve.cpp”")
        await editor.choose(apply)
        assert editor.texts[uri].text.startswith("// typed meanwhile\n")
        assert editor.texts[uri].text.encode() == b"// typed meanwhile\n" + (run.result.edited or b"")
        await editor.until(lambda: run.applied is not None and (run.applied.judgement or run.applied.trouble), LONG_S)
        assert run.applied is not None and run.applied.judgement is not None, run.applied
        assert run.applied.judgement.outcome is Outcome.CORRECT
        assert run.applied.judgement.verdict is Verdict.FASTER
        pid = engine.pid
        assert pid is not None
    finally:
        async with asyncio.timeout(10):
            await editor.end()
    assert engine.state is EngineState.CLOSED
    assert not Path(f"/proc/{pid}").exists()
