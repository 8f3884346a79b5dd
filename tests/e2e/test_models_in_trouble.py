"""Models that cannot be asked: the run comes to its end all the same and says why, in editor and terminal."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.records import RunStatus
from tests.e2e.conftest import Launch
from tests.e2e.gains import KEY, all_said, begun, leaks, result_of, told
from tests.e2e.models_in_trouble import LIMITS, TOLD, missing, models_in_trouble
from tests.e2e.processes import started_with
from tests.e2e.programs import SLOW, TIGHT
from tests.e2e.terminal import optimize
from tests.e2e.test_story import finished

SETTINGS = {"budget": 4, "seconds": 240, "flags": "-O2"}
OPTIONS = {"trusted": True, "buttons": True, "secrets": {"OPENAI_API_KEY": KEY}}


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


async def test_in_an_editor_the_rules_go_on(launch: Launch, workspace: Path, tmp_path: Path) -> None:
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    with models_in_trouble() as models:
        settings = {**SETTINGS, "models": models, "llm": LIMITS}
        editor = await launch(options=OPTIONS, settings=settings)
        buffer = editor.open(file)
        result = await result_of(editor, await begun(editor, buffer), tmp_path / "home")
    assert result.status is RunStatus.IMPROVED, told(result)
    assert len(result.unasked) == len(TOLD)
    hover = await editor.hover(buffer, "main")
    assert not missing(hover), hover
    assert "Traceback" not in all_said(editor)
    assert KEY not in all_said(editor)
    assert not leaks(tmp_path)


async def test_in_an_editor_a_missing_key_is_told_at_once(launch: Launch, workspace: Path) -> None:
    file = workspace / "slow.cpp"
    file.write_text(SLOW)
    editor = await launch(settings={"model": "openai/gpt-5-mini", **SETTINGS})
    run = await begun(editor, editor.open(file))
    await finished(editor, run)
    await editor.until(lambda: editor.said("openai/gpt-5-mini needs a key and none was found"), "the reason")
    assert editor.said("looked for: OPENAI_API_KEY. Set it in the environment or in your editor's secrets.")


async def test_where_nothing_is_gained_the_end_says_that_the_model_was_not_asked(
    launch: Launch, workspace: Path
) -> None:
    file = workspace / "tight.cpp"
    file.write_text(TIGHT)
    with models_in_trouble() as models:
        one = next(model for model in models if model["name"] == "openai/locked")
        settings = {**SETTINGS, "model": one["name"], "api_base": one["api_base"], "llm": LIMITS}
        editor = await launch(options=OPTIONS, settings=settings)
        run = await begun(editor, editor.open(file))
        await finished(editor, run)
    await editor.until(lambda: editor.said("No measurable difference."), "the end")
    assert editor.said("refused the key for openai/locked."), editor.client.messages
    before = len(editor.client.messages)
    await editor.execute("maxcode.explain", {"run": run})
    await editor.until(lambda: len(editor.client.messages) > before, "why")
    assert "refused the key for openai/locked." in editor.client.messages[-1].message


async def test_in_a_terminal_the_rules_go_on(tmp_path: Path) -> None:
    file = tmp_path / "slow.cpp"
    file.write_text(SLOW)
    own = tmp_path / "config" / "maxcode" / "maxcode.toml"
    own.parent.mkdir(parents=True)
    with models_in_trouble() as models:
        own.write_text(_toml(models))
        ended = await asyncio.to_thread(
            optimize, tmp_path, str(file), "--json", "--budget", "4", "--seconds", "240", OPENAI_API_KEY=KEY
        )
    assert ended.returncode == 0, ended
    said = json.loads(ended.stdout)
    assert said["status"] == "improved", said
    assert len(said["unasked"]) == len(TOLD)
    assert not missing(" ".join(said["unasked"])), said
    assert (said["spent"]["calls"], said["replies"]) == (0, {})
    assert "Traceback" not in ended.stderr
    assert KEY not in ended.stdout + ended.stderr
    assert not leaks(tmp_path)
    assert not started_with(str(tmp_path)), "something of it still runs"


def _toml(models: list[dict[str, Any]]) -> str:
    """A user's own file with these models."""
    entries = "".join(f'[[models]]\nname = "{one["name"]}"\napi_base = "{one["api_base"]}"\n' for one in models)
    limits = "".join(f"{key} = {json.dumps(value)}\n" for key, value in LIMITS.items())
    return f"{entries}[llm]\n{limits}"


async def test_in_a_terminal_a_missing_key_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "slow.cpp"
    file.write_text(SLOW)
    ended = await asyncio.to_thread(optimize, tmp_path, str(file), "--model", "openai/gpt-5-mini", "--json")
    assert ended.returncode == 1
    said = json.loads(ended.stdout)
    assert said["status"] == "refused"
    assert "needs a key and none was found; looked for: OPENAI_API_KEY." in said["reason"]
    assert "--model none" in said["reason"]
    assert "Traceback" not in ended.stderr
