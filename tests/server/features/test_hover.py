from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from markdown_it import MarkdownIt
from msgspec.structs import replace

from maxcode_lsp.engine.events import Decided, Judgement, Prepared
from maxcode_lsp.records import Critique, Finding, Outcome, RunStatus, Verdict
from maxcode_lsp.server.connection.editor import Abilities
from maxcode_lsp.server.features.hover import Hover
from maxcode_lsp.server.runs.runs import Applied
from tests.server.scene import (
    CAN,
    COPY,
    MAIN,
    PREPARED,
    PROGRAM,
    READ,
    RESULT,
    SCORE,
    STEP,
    Scene,
    evaluated,
    finding,
    improved,
    searching,
)
from tests.server.skipping import skipping

ON_MAIN = types.Position(MAIN - 1, 5)
ON_SCORE = types.Position(SCORE - 1, 14)
PLAIN = replace(CAN, markdown=False)


def hovered(
    folder: Path, at: types.Position, story: Callable[[Scene], Any], can: Abilities = CAN, text: str = PROGRAM
) -> types.Hover | None:
    async def whole() -> types.Hover | None:
        scene = Scene(folder, can, text)
        hover = Hover(scene.session)
        scene.having(hover)
        scene.open(text)
        story(scene)
        await asyncio.sleep(1)
        return await hover.hover(types.HoverParams(types.TextDocumentIdentifier(scene.uri), at))

    return skipping(whole())


def said(hover: types.Hover | None) -> str:
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    return hover.contents.value


def rendered(markdown: str) -> str:
    """As an editor does it, which follows links to files."""
    renderer = MarkdownIt("commonmark")
    renderer.validateLink = lambda url: True
    return renderer.render(markdown)


def running(scene: Scene) -> None:
    run = scene.criticised()
    scene.tell(run, evaluated(1), evaluated(2, best=True), searching(14))


def test_on_main_everything_about_the_run(tmp_path: Path) -> None:
    assert said(hovered(tmp_path, ON_MAIN, running, PLAIN)).split("\n") == [
        "solve.cpp — 184 ms per run (±1.6 %)",
        "Bound by copy-by-value: A vector is copied in each call. (perf, line 4)",
        "stream-input: Reading takes 20 %. (perf, line 16)",
        "slow-arithmetic: A division in a loop. (perf, line 7)",
        "Now: best 1.9× · 14 of 64 · building 2, measuring 1",
        "Best so far: 1.90× (95 % CI 1.85–1.95), candidate 2 of 64: pass-by-reference",
        "Search: greedy, effort high, 64 candidates",
        "Tried: 1 no difference, 1 faster",
        "Measured on Example 3000, 4 cores; g++ 12.2.0",
    ]


WHY = "At 1.90× it is the best so far, so the search goes on from it."
BECAUSE = "A vector is copied in each call."


def deeper(scene: Scene) -> None:
    """The search went on from its first improvement, and found another there."""
    run = scene.criticised()
    first, then = replace(evaluated(1, best=True), because=BECAUSE), evaluated(2, best=True, speedup=2.5)
    assert first.candidate is not None and then.candidate is not None
    then = replace(
        then, candidate=replace(then.candidate, parent=first.candidate.id), depth=2, because="<b> takes 20 %."
    )
    scene.tell(run, first, Decided("went_on", first.candidate.id, WHY), then)
    scene.tell(run, replace(searching(14), depth=1, u=2.5, parent=WHY))


def test_while_it_searches_where_it_is_and_why_and_the_critique_behind_the_best(tmp_path: Path) -> None:
    lines = said(hovered(tmp_path, ON_MAIN, deeper, PLAIN)).split("\n")
    at = lines.index("Now: best 2.5× · 14 of 64 · depth 1 · building 2, measuring 1")
    assert lines[at + 1 : at + 4] == [
        "Best so far: 2.50× (95 % CI 2.45–2.55), candidate 2 of 64: pass-by-reference",
        "It acts on: <b> takes 20 %.",
        f"Search: greedy, effort high, 64 candidates; depth 1, u 2.50×. {WHY}",
    ]


def test_at_the_end_the_critique_behind_each_improvement(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        deeper(scene)
        (run,) = scene.session.runs
        scene.tell(run, improved())

    lines = said(hovered(tmp_path, ON_MAIN, story, PLAIN)).split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("Confirmed:"))
    assert lines[at + 1 : at + 4] == [
        "Search: greedy, effort high, 64 candidates",
        f"#1 1.90× pass-by-reference, depth 1. It acts on: {BECAUSE}",
        f"#2 2.50× pass-by-reference, depth 2. It acts on: <b> takes 20 %. Why the search was there: {WHY}",
    ]
    assert "<b>" not in rendered(said(hovered(tmp_path, ON_MAIN, story)))


def bound_by(folder: Path, *findings: Finding) -> list[str]:
    """The lines between the heading and how the run stands."""

    def story(scene: Scene) -> None:
        scene.criticised(Critique(findings))

    return said(hovered(folder, ON_MAIN, story, PLAIN)).partition("\nNow:")[0].split("\n")[1:]


def test_it_is_bound_by_the_most_costly_cause(tmp_path: Path) -> None:
    """Not by a place that says where the time goes but not why, nor by what is slow in general."""
    lines = bound_by(
        tmp_path,
        finding("hot-lines", STEP, share=0.97),
        finding("clang-tidy", COPY, share=0.97),
        finding("copy-by-value", COPY, share=0.9),
        finding("allocation", READ, share=0.8),
        finding("stream-input", READ, share=0.1),
    )
    assert lines == [
        "Bound by copy-by-value: copy-by-value is seen. (perf, line 4)",
        "hot-lines: hot-lines is seen. (perf, line 7)",
        "clang-tidy: clang-tidy is seen. (perf, line 4)",
        "allocation: allocation is seen. (perf, line 16)",
    ]
    only = bound_by(tmp_path, finding("hot-lines", STEP, share=0.97), finding("clang-tidy", COPY, share=None))
    assert [line.partition(":")[0] for line in only] == ["hot-lines", "clang-tidy"]


def test_how_it_is_known_is_short(tmp_path: Path) -> None:
    long = replace(
        finding("copy-by-value", COPY), evidence="seen in the text; perf cpu-clock, 812 samples: 60 %; seen in the text"
    )
    assert bound_by(tmp_path, long) == [
        "Bound by copy-by-value: copy-by-value is seen. (seen in the text, perf cpu-clock, line 4)"
    ]


def test_in_markdown_it_has_weight_and_links(tmp_path: Path) -> None:
    hover = hovered(tmp_path, ON_MAIN, running)
    text = said(hover)
    assert hover is not None
    assert hover.range == types.Range(types.Position(MAIN - 1, 4), types.Position(MAIN - 1, 8))
    html = rendered(text)
    assert "<strong>1.90×</strong>" in html
    page = Path(__file__).parents[3] / "docs" / "findings" / "copy-by-value.md"
    assert f'<a href="{page.as_uri()}">copy-by-value</a>' in html


def test_at_the_end_the_confirmed_result_and_what_came_before(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        before = scene.begin()
        scene.tell(before, PREPARED, replace(RESULT, status=RunStatus.NO_IMPROVEMENT, speedup=None, ci95=None))
        run = scene.begin()
        scene.tell(run, PREPARED, evaluated(1, best=True), improved())

    lines = said(hovered(tmp_path, ON_MAIN, story, PLAIN)).split("\n")
    assert "Confirmed: 2.31× faster (95 % CI 2.24–2.39, 24 pairs): pass-by-reference" in lines
    assert lines[-1] == "Earlier: no measurable difference"
    assert not any(line.startswith(("Now:", "Best so far:")) for line in lines)


def test_without_an_improvement_the_reason(tmp_path: Path) -> None:
    reason = "No measurable difference. 64 versions were tried."

    def story(scene: Scene) -> None:
        run = scene.begin()
        scene.tell(run, PREPARED, replace(RESULT, status=RunStatus.NO_IMPROVEMENT, speedup=None, reason=reason))

    assert reason in said(hovered(tmp_path, ON_MAIN, story, PLAIN))


def test_on_a_function_its_share_and_its_findings_only(tmp_path: Path) -> None:
    assert said(hovered(tmp_path, ON_SCORE, running, PLAIN)).split("\n") == [
        "score — 41 % of the run",
        "copy-by-value: A vector is copied in each call. (perf, line 4)",
        "slow-arithmetic: A division in a loop. (perf, line 7)",
    ]


def test_on_a_line_with_a_finding_what_it_rests_on(tmp_path: Path) -> None:
    hover = hovered(tmp_path, types.Position(STEP - 1, 20), running, PLAIN)
    assert said(hover) == "slow-arithmetic: A division in a loop. (perf, slow-arithmetic)"
    assert hover is not None
    assert hover.range is not None
    assert hover.range.start == types.Position(STEP - 1, 8)


def nothing(_: Scene) -> None:
    """No run."""


def begun(scene: Scene) -> None:
    scene.begin()


@pytest.mark.parametrize(
    ("at", "story"),
    [
        (ON_MAIN, nothing),
        (ON_SCORE, begun),
        (types.Position(5, 4), running),
        (types.Position(9999, 9999), running),
    ],
)
def test_elsewhere_nothing(tmp_path: Path, at: types.Position, story: Callable[[Scene], Any]) -> None:
    assert hovered(tmp_path, at, story) is None


def test_what_died_is_not_said(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        running(scene)
        scene.edit(STEP - 1, 20, "x")

    assert hovered(tmp_path, types.Position(STEP - 1, 12), story) is None
    assert said(hovered(tmp_path, ON_SCORE, story, PLAIN)).startswith("score\ncopy-by-value: A vector is copied")


def test_a_closed_document_has_none(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        running(scene)
        scene.close()

    assert hovered(tmp_path, ON_MAIN, story) is None


def test_nothing_from_the_program_becomes_markup(tmp_path: Path) -> None:
    nasty = "[x](https://example.org) ![y](z.png) <img src=a> `c` https://example.org"

    def story(scene: Scene) -> None:
        run = scene.criticised(Critique((replace(finding("hot-lines", STEP, said=nasty), evidence=nasty),)))
        scene.tell(run, replace(PREPARED, target=nasty), replace(RESULT, status=RunStatus.REFUSED, reason=nasty))

    html = rendered(said(hovered(tmp_path, ON_MAIN, story)))
    assert html.count("<a ") == html.count('<a href="file:///') > 0
    assert "<img" not in html
    assert "<code>`c`</code>" in html


@pytest.mark.parametrize(
    ("ns", "shown"),
    [(1_840_000, "1.84 ms"), (18_400_000, "18.4 ms"), (184_000_000, "184 ms"), (2_310_000_000, "2.31 s")],
)
def test_times_have_three_figures(tmp_path: Path, ns: int, shown: str) -> None:
    def story(scene: Scene) -> None:
        prepared: Prepared = replace(PREPARED, run_ns=ns)
        scene.tell(scene.begin(), prepared)

    assert said(hovered(tmp_path, ON_MAIN, story, PLAIN)).startswith(f"solve.cpp — {shown} per run\n")


@pytest.mark.parametrize(
    ("applied", "first"),
    [
        (Applied(""), "Applied, being checked"),
        (Applied("", trouble="No space."), "Applied, not checked: No space."),
        (
            Applied("", Judgement(Outcome.CORRECT, Verdict.FASTER, 71.1, (70.0, 72.0), "It is.", 20)),
            "Applied: 71.1× faster, confirmed on this file (was 184 ms per run)",
        ),
        (
            Applied("", Judgement(Outcome.CORRECT, Verdict.NO_DIFFERENCE, 1.0, (0.9, 1.1), "No difference.", 20)),
            "Applied, not confirmed on this file: No difference.",
        ),
    ],
)
def test_an_applied_result_is_what_the_program_is_now(tmp_path: Path, applied: Applied, first: str) -> None:
    def story(scene: Scene) -> None:
        run = scene.criticised()
        scene.tell(run, evaluated(1, best=True), improved())
        run.applied = applied
        scene.session.tell_run(run)

    lines = said(hovered(tmp_path, ON_MAIN, story, PLAIN)).split("\n")
    assert lines[0] == first
    assert not any("Bound by" in line or "stream-input" in line for line in lines)


@pytest.mark.parametrize("column", [0, 2, 8, 11])
def test_beside_main_it_answers_as_on_main(tmp_path: Path, column: int) -> None:
    hover = hovered(tmp_path, types.Position(MAIN - 1, column), running, PLAIN)
    assert said(hover) == said(hovered(tmp_path, ON_MAIN, running, PLAIN))
    assert hover is not None and hover.range == types.Range(types.Position(MAIN - 1, 0), types.Position(MAIN - 1, 12))
