from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.engine.events import Critiqued
from maxcode_lsp.records import Critique
from maxcode_lsp.server.connection.editor import Abilities
from maxcode_lsp.server.features.diagnostics import Diagnostics
from maxcode_lsp.server.runs.runs import Applied
from tests.server.scene import COPY, CRITIQUE, MAIN, PROGRAM, READ, STEP, Scene, evaluated, finding, improved
from tests.server.skipping import skipping


def places(params: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Code to first and last line (from 0) of what was published."""
    return {one["code"]: (one["range"]["start"]["line"], one["range"]["end"]["line"]) for one in params["diagnostics"]}


def scene(folder: Path, can: Abilities | None = None) -> Scene:
    made = Scene(folder) if can is None else Scene(folder, can)
    made.having(Diagnostics(made.session))
    return made


def test_each_finding_becomes_one_quiet_diagnostic(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        return made

    (params,) = skipping(story()).published()
    assert params["version"] == 1
    shown = params["diagnostics"]
    assert [one["code"] for one in shown] == [
        "copy-by-value",
        "hot-function",
        "hot-function",
        "stream-input",
        "slow-arithmetic",
    ]
    assert [one["severity"] for one in shown] == [3, 3, 3, 3, 4]
    assert {one["source"] for one in shown} == {"maxcode"}
    assert shown[0]["message"] == "A vector is copied in each call."
    assert shown[0]["codeDescription"]["href"].endswith("/findings/copy-by-value.md")
    # A whole function is shown on its first line; indentation is left out.
    assert shown[1]["range"]["start"] == {"line": 3, "character": 0}
    assert shown[1]["range"]["end"] == {"line": 3, "character": len(PROGRAM.splitlines()[3])}
    assert shown[4]["range"]["start"] == {"line": STEP - 1, "character": 8}


def test_a_client_without_links_and_versions_gets_none(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path, Abilities())
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        return made

    (params,) = skipping(story()).published()
    assert "codeDescription" not in params["diagnostics"][0]
    assert params.get("version") is None


def test_at_most_one_of_a_kind_in_a_function_and_twelve_in_a_file(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        many = [finding(f"kind-{number}", STEP, share=number / 100) for number in range(20)]
        twice = [finding("hot-lines", 5, share=0.3), finding("hot-lines", 7, share=0.9), finding("hot-lines", 19)]
        made.criticised(Critique((*many, *twice)))
        await asyncio.sleep(5)
        return made

    (params,) = skipping(story()).published()
    codes = [one["code"] for one in params["diagnostics"]]
    assert len(codes) == 12
    assert codes[:2] == ["hot-lines", "hot-lines"]
    assert [one["range"]["start"]["line"] for one in params["diagnostics"][:2]] == [6, 18]
    assert codes[-1] == "kind-10"


def test_findings_move_with_their_text_and_are_dropped_with_it(tmp_path: Path) -> None:
    async def story() -> list[dict[str, tuple[int, int]]]:
        made = scene(tmp_path)
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        made.edit(2, 0, "// above\n\n")
        await asyncio.sleep(5)
        made.edit(STEP + 1, 12, "x")
        await asyncio.sleep(5)
        made.edit(0, 0, "", erased=0)
        await asyncio.sleep(5)
        assert [params["version"] for params in made.published()] == [1, 2, 3]
        return [places(params) for params in made.published()]

    first, moved, dropped = skipping(story())
    assert first["copy-by-value"] == (COPY - 1, COPY - 1)
    assert moved == {code: (start + 2, end + 2) for code, (start, end) in first.items()}
    # The line and the function around it are no longer what was measured.
    assert set(dropped) == {"copy-by-value", "hot-function", "stream-input"}
    assert dropped["hot-function"] == (MAIN + 1, MAIN + 1)


def test_a_burst_of_keystrokes_is_published_once(tmp_path: Path) -> None:
    async def story() -> int:
        made = scene(tmp_path)
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        for _ in range(100):
            made.edit(2, 0, "\n")
            await asyncio.sleep(0.001)
        await asyncio.sleep(5)
        return len(made.published())

    assert skipping(story()) == 2


def test_edits_that_move_nothing_publish_nothing(tmp_path: Path) -> None:
    async def story() -> int:
        made = scene(tmp_path)
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        made.edit(25, 0, "// below\n")
        await asyncio.sleep(5)
        return len(made.published())

    assert skipping(story()) == 1


def test_what_an_older_run_says_is_dropped(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        older = made.criticised()
        made.begin()
        await asyncio.sleep(5)
        made.tell(older, Critiqued(None, Critique((finding("hot-lines", STEP),))))
        await asyncio.sleep(5)
        return made

    published = skipping(story()).published()
    assert len(published) == 1
    assert "hot-lines" not in places(published[0])


def test_a_newer_critique_replaces_the_older(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        made.criticised(Critique())
        await asyncio.sleep(5)
        return made

    assert [len(params["diagnostics"]) for params in skipping(story()).published()] == [5, 0]


def test_a_critique_of_a_candidate_says_nothing_about_the_document(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        run = made.begin()
        made.tell(run, Critiqued("000000000001", CRITIQUE))
        await asyncio.sleep(5)
        return made

    assert skipping(story()).published() == []


def test_a_text_edited_during_the_critique_gets_only_what_stands_in_unchanged_lines(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        run = made.begin()
        made.edit(0, 0, "// new\n")
        made.edit(STEP, 8, "x")
        made.tell(run, Critiqued(None, CRITIQUE))
        made.edit(0, 0, "// newer\n")
        await asyncio.sleep(5)
        return made

    (params,) = skipping(story()).published()
    shown = places(params)
    assert set(shown) == {"copy-by-value", "hot-function", "stream-input"}
    assert shown["copy-by-value"] == (COPY + 1, COPY + 1)
    assert shown["stream-input"] == (READ + 1, READ + 1)


def test_closing_takes_all_back_and_nothing_comes_later(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        run = made.criticised()
        await asyncio.sleep(5)
        made.edit(2, 0, "\n")
        made.close()
        made.tell(run, Critiqued(None, CRITIQUE), evaluated(1), improved())
        await asyncio.sleep(5)
        return made

    published = skipping(story()).published()
    assert [len(params["diagnostics"]) for params in published] == [5, 0]


@pytest.mark.parametrize(("text", "shown"), [(PROGRAM, 5), (PROGRAM.replace("step * 7", "step * 9"), 3), ("", 0)])
def test_opened_again_it_shows_what_still_holds(tmp_path: Path, text: str, shown: int) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        made.close()
        made.open(text)
        await asyncio.sleep(5)
        return made

    published = skipping(story()).published()
    assert [len(params["diagnostics"]) for params in published] == [5, 0, shown][: 2 + bool(shown)]


def test_after_a_result_was_applied_nothing_of_it_is_shown(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        run = made.criticised()
        result = improved()
        made.tell(run, result)
        await asyncio.sleep(5)
        assert result.edited is not None
        run.applied = Applied("")
        made.replace(result.edited.decode())
        made.session.tell_run(run)
        await asyncio.sleep(5)
        made.close()
        made.open(result.edited.decode())
        await asyncio.sleep(5)
        run.applied = None
        made.replace(PROGRAM)
        made.session.tell_run(run)
        await asyncio.sleep(5)
        return made

    published = skipping(story()).published()
    assert [len(params["diagnostics"]) for params in published] == [5, 0, 5]


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    (tmp_path / "maxcode.toml").write_text("[editor]\ndiagnostics = false\n")

    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        made.criticised()
        await asyncio.sleep(5)
        return made

    assert skipping(story()).published() == []


def test_a_message_has_no_control_codes_and_an_end(tmp_path: Path) -> None:
    async def story() -> Scene:
        made = scene(tmp_path)
        made.open()
        made.criticised(Critique((finding("hot-lines", STEP, said="a\x1b[31mb" + "c" * 5000),)))
        await asyncio.sleep(5)
        return made

    (params,) = skipping(story()).published()
    message = params["diagnostics"][0]["message"]
    assert message.startswith("a?[31mb")
    assert len(message) == 500


TYPED = st.sampled_from(["", "x", "\n", "{", "\r\n", "é"])
EDITS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 40), TYPED, st.integers(0, 9)), max_size=12)


@settings(deadline=None, max_examples=40)
@given(EDITS)
def test_what_is_shown_is_always_the_text_that_was_criticised(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int, str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("scene")

    async def story() -> tuple[Scene, tuple[bytes, ...]]:
        made = scene(folder)
        document = made.open()
        made.criticised()
        for edit in edits:
            made.edit(*edit)
        await asyncio.sleep(5)
        return made, document.source.lines

    made, now = skipping(story())
    criticised = PROGRAM.splitlines()
    first_lines = {one.message: criticised[one.span.first - 1].strip() for one in CRITIQUE.findings}
    shown: list[dict[str, Any]] = made.published()[-1]["diagnostics"] if made.published() else []
    for one in shown:
        line: int = one["range"]["start"]["line"]
        assert first_lines[one["message"]] in now[line].decode()
