"""What the user sees of a real run: its events are those of the engine, and all features hear them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types

from maxcode_lsp.engine.events import Critiqued, Event
from maxcode_lsp.engine.run import optimize
from maxcode_lsp.server.custom import RunsParams
from maxcode_lsp.server.features.diagnostics import Diagnostics
from maxcode_lsp.server.features.hover import Hover
from maxcode_lsp.server.features.lenses import Lenses
from maxcode_lsp.server.features.progress import Progress
from maxcode_lsp.server.features.run_list import RunList
from maxcode_lsp.settings import Settings, WorkloadSettings
from tests.engine.programs import COPIES, project
from tests.server.scene import Scene
from tests.server.skipping import skipping


async def recorded(file: Path) -> list[Event]:
    """Everything that happened in a small run."""
    events: list[Event] = []
    await optimize(file, Settings(budget=1, seconds=300.0, workload=WorkloadSettings(seconds=0.05)), events.append)
    return events


def test_a_run_is_seen_from_begin_to_end(tmp_path: Path) -> None:
    events = asyncio.run(recorded(project(tmp_path / "recorded")))
    assert any(isinstance(event, Critiqued) and event.critique.findings for event in events), events[-1]

    async def story() -> dict[str, Any]:
        scene = Scene(tmp_path, text=COPIES)
        scene.session.wants_runs = True
        hover, lenses, runs = Hover(scene.session), Lenses(scene.session), RunList(scene.session)
        scene.having(Diagnostics(scene.session), Progress(scene.session), hover, lenses, runs)
        for method in (types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WORKSPACE_CODE_LENS_REFRESH):
            scene.far.answers[method] = lambda _: None
        document = scene.open(COPIES)
        run = scene.begin(COPIES)
        await asyncio.sleep(1)
        for event in events:
            scene.tell(run, event)
            await asyncio.sleep(0.1)
        await asyncio.sleep(5)
        named = types.TextDocumentIdentifier(scene.uri)
        main = document.main()
        assert main is not None
        shown = await hover.hover(types.HoverParams(named, document.position(main.name_start)))
        assert shown is not None and isinstance(shown.contents, types.MarkupContent)
        return {
            "published": scene.published(),
            "progress": [params["value"]["kind"] for params in scene.far.all(types.PROGRESS)],
            "hover": shown.contents.value,
            "lenses": [lens.command.title for lens in await lenses.lenses(types.CodeLensParams(named)) if lens.command],
            "runs": (await runs.runs(RunsParams(scene.uri)))["runs"],
            "changes": [params["status"] for params in scene.far.all("maxcode/runChanged")],
        }

    seen = skipping(story())
    diagnostics = seen["published"][-1]["diagnostics"]
    assert {"copy-by-value", "hot-function"} <= {one["code"] for one in diagnostics}
    lines = COPIES.splitlines()
    assert all(one["range"]["end"]["line"] < len(lines) for one in diagnostics)
    assert seen["progress"][0] == "begin"
    assert seen["progress"].count("end") == 1 and seen["progress"][-1] == "end"
    assert "per run" in seen["hover"] and "Measured on" in seen["hover"]
    assert len(seen["lenses"]) == 2
    assert seen["changes"][0] == "running"
    assert seen["changes"][-1] == seen["runs"][0]["status"] != "running"
    assert len(seen["runs"][0]["candidates"]) <= 1
