from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from msgspec.structs import replace
from pygls.exceptions import JsonRpcInvalidParams

from maxcode_lsp.engine.events import Critiqued, Judgement
from maxcode_lsp.records import Critique, Outcome, RunStatus, Verdict
from maxcode_lsp.server.custom import ExplainArguments
from maxcode_lsp.server.features.explaining import Explaining
from maxcode_lsp.server.runs.runs import Applied, Run
from tests.server.journalled import journalled
from tests.server.scene import PREPARED, RESULT, Scene, evaluated, finding, improved
from tests.server.skipping import skipping

OLD = "20291231-235959-abcdef"
READING = Critique((finding("stream-input", 16, share=0.72, said="Reading takes 72 % of the time."),))
NONE = replace(
    RESULT,
    status=RunStatus.NO_IMPROVEMENT,
    speedup=None,
    ci95=None,
    reason="No measurable difference. 2 versions of “solve.cpp” were tried.",
    critique=READING,
)


def explained(folder: Path, story: Callable[[Scene], Run | str | ExplainArguments]) -> dict[str, Any]:
    async def whole() -> dict[str, Any]:
        scene = Scene(folder)
        explaining = Explaining(scene.session)
        scene.having(explaining)
        scene.open()
        about = story(scene)
        if not isinstance(about, ExplainArguments):
            about = ExplainArguments(about if isinstance(about, str) else about.id)
        await explaining.explain(about)
        (shown,) = scene.far.all(types.WINDOW_SHOW_MESSAGE)
        return shown

    return skipping(whole())


def test_the_reason_what_was_tried_where_the_time_goes_and_what_to_allow(tmp_path: Path) -> None:
    def story(scene: Scene) -> Run:
        run = scene.begin()
        scene.tell(run, PREPARED, Critiqued(None, READING), evaluated(1), evaluated(2), NONE)
        return run

    shown = explained(tmp_path, story)
    assert shown["type"] == 3
    assert shown["message"] == (
        "No measurable difference. 2 versions of “solve.cpp” were tried. Of what was tried: 2 no difference. "
        "Reading takes 72 % of the time. A faster input reader changes how errors in the input behave, so it was not "
        'proposed. Allow it with rewrites.input = "fast" in maxcode.toml.'
    )


def test_a_refusal_is_its_reason_alone(tmp_path: Path) -> None:
    def story(scene: Scene) -> Run:
        run = scene.begin()
        scene.tell(run, replace(NONE, status=RunStatus.REFUSED, reason="No inputs for “solve.cpp”."))
        return run

    assert explained(tmp_path, story)["message"] == "No inputs for “solve.cpp”."


def test_trouble_is_a_warning(tmp_path: Path) -> None:
    def story(scene: Scene) -> Run:
        run = scene.begin()
        scene.tell(run, replace(NONE, status=RunStatus.FAILED, reason="The disk is full; solve.cpp was not built."))
        return run

    assert explained(tmp_path, story)["type"] == 2


def test_a_run_that_goes_on_has_no_reason_yet(tmp_path: Path) -> None:
    assert "still being optimised" in explained(tmp_path, lambda scene: scene.begin())["message"]


def test_what_became_of_an_applied_result(tmp_path: Path) -> None:
    def story(scene: Scene) -> Run:
        run = scene.begin()
        scene.tell(run, PREPARED, evaluated(1, best=True), improved())
        judged = Judgement(Outcome.CORRECT, Verdict.NO_DIFFERENCE, 1.01, (0.98, 1.04), "It is not faster here.", 24)
        run.applied = Applied("", judged)
        return run

    said = explained(tmp_path, story)["message"]
    assert said == "no difference (1.01×, 95 % CI 0.98–1.04, 24 pairs): It is not faster here."


def test_an_earlier_session_is_explained_from_its_journal(tmp_path: Path) -> None:
    def story(scene: Scene) -> str:
        journalled(scene.file, OLD, NONE)
        return OLD

    assert explained(tmp_path, story)["message"].startswith("No measurable difference. 2 versions")


def test_an_unknown_run_is_said_to_be(tmp_path: Path) -> None:
    assert "There is no run" in explained(tmp_path, lambda _: "nonsense")["message"]


def test_a_document_that_cannot_be_optimised(tmp_path: Path) -> None:
    def story(scene: Scene) -> ExplainArguments:
        scene.open("int f() { return 0; }\n")
        return ExplainArguments(uri=scene.uri)

    assert "has no main function" in explained(tmp_path, story)["message"]


def test_a_document_that_can_be_or_is_not_open(tmp_path: Path) -> None:
    assert explained(tmp_path, lambda scene: ExplainArguments(uri=scene.uri))["message"].startswith("Ready")
    assert "is not open here" in explained(tmp_path, lambda _: ExplainArguments(uri="file:///x.cpp"))["message"]


def test_nothing_to_explain_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JsonRpcInvalidParams, match="the id of a run, or the uri"):
        explained(tmp_path, lambda _: ExplainArguments())
