from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.engine.events import Critiqued
from maxcode_lsp.records import Critique, RunStatus
from tests.server.clients import CLIENTS
from tests.server.model_editor import FASTER, Refusal, begun, ended, improved, opened
from tests.server.scene import MAIN, PROGRAM, SCORE, STEP, evaluated, finding

INVOKED, AUTOMATIC = 1, 2


def titles(actions: list[dict[str, Any]]) -> list[str]:
    return [
        action["title"] + (f" [{action['disabled']['reason']}]" if "disabled" in action else "") for action in actions
    ]


async def test_the_story_in_titles(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        assert titles(await editor.actions(uri)) == ["Optimize “solve.cpp” with MaxCode"]
        run = await begun(editor, uri)
        assert titles(await editor.actions(uri)) == ["Stop MaxCode on “solve.cpp”"]
        editor.engine.tell(run, evaluated(1, best=True))
        assert titles(await editor.actions(uri)) == ["Stop MaxCode on “solve.cpp” (best 1.9× so far)"]
        editor.engine.tell(run, improved(PROGRAM, FASTER))
        await editor.settled()
        listed = await editor.actions(uri)
        assert titles(listed) == [
            "Apply MaxCode: “solve.cpp” 2.31× faster (95 % CI 2.24–2.39)",
            "Compare “solve.cpp” with MaxCode’s version",
            "Optimize “solve.cpp” again with MaxCode",
        ]
        assert {action["kind"] for action in listed} == {"refactor.rewrite.maxcode"}
        await editor.choose(listed[0])
        assert editor.texts[uri].text == FASTER
        assert titles(await editor.actions(uri)) == [
            "Compare “solve.cpp” with MaxCode’s version",
            "Optimize “solve.cpp” again with MaxCode",
        ]


async def test_stopping_leaves_things_as_they_were(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)
        (stop,) = await editor.actions(uri)
        assert await editor.choose(stop) is None
        assert editor.engine.cancelled == [run]
        assert titles(await editor.actions(uri)) == ["Optimize “solve.cpp” with MaxCode"]
        await editor.settled()
        assert editor.said == editor.asked == []


@pytest.mark.parametrize(
    ("status", "title"),
    [
        (RunStatus.NO_IMPROVEMENT, "Why no improvement for “solve.cpp”?"),
        (RunStatus.REFUSED, "Why was “solve.cpp” not optimised?"),
        (RunStatus.UNMEASURED, "Why was “solve.cpp” not optimised?"),
    ],
)
async def test_what_ended_without_a_result_can_be_explained(folder: Path, status: RunStatus, title: str) -> None:
    async with opened(folder) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), ended(status))
        listed = await editor.actions(uri)
        assert titles(listed) == [title, "Optimize “solve.cpp” again with MaxCode"]
        await editor.settled()
        editor.said.clear()
        await editor.choose(listed[0])
        assert len(editor.said) == 1 and "That is why." in editor.said[0][1]


@pytest.mark.parametrize(
    ("only", "wanted"),
    [
        (None, True),
        ([], False),
        ([""], True),
        (["refactor"], True),
        (["refactor.rewrite"], True),
        (["quickfix", "refactor.rewrite.maxcode"], True),
        (["refactor.rewrite.max"], False),
        (["refactor.rewrite.maxcode.more"], False),
        (["refactor.rew"], False),
        (["source"], False),
    ],
)
async def test_only_wanted_kinds_are_listed(folder: Path, only: list[str] | None, wanted: bool) -> None:
    async with opened(folder) as (editor, uri):
        assert bool(await editor.actions(uri, only=only)) is wanted


async def test_at_a_finding_the_first_action_is_its_quick_fix(folder: Path) -> None:
    place = {"start": {"line": STEP - 1, "character": 4}, "end": {"line": STEP - 1, "character": 9}}
    ours = {"range": place, "message": "slow", "source": "maxcode", "code": "slow-arithmetic"}
    other = {**ours, "source": "clangd"}
    async with opened(folder) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        await editor.settled()
        listed = await editor.actions(uri, STEP, at=[other, ours])
        assert [one["kind"] for one in listed] == ["quickfix", *["refactor.rewrite.maxcode"] * 2]
        assert listed[0]["title"].startswith("Apply") and listed[0]["diagnostics"] == [ours]
        (fix,) = await editor.actions(uri, STEP, at=[ours], only=["quickfix"])
        assert fix["title"] == listed[0]["title"]
        assert await editor.choose(fix) is None and editor.texts[uri].text == FASTER
        assert await editor.actions(uri, STEP, at=[other], only=["quickfix"]) == []
        kinds = {one["kind"] for one in await editor.actions(uri, STEP, at=[ours], only=["refactor"])}
        assert kinds == {"refactor.rewrite.maxcode"}


async def test_nobody_asked_so_only_lines_of_ours_show_a_lightbulb(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        run = await begun(editor, uri)

        async def lines(trigger: int | None) -> list[int]:
            count = PROGRAM.count("\n") + 1
            return [n + 1 for n in range(count) if await editor.actions(uri, n, trigger=trigger)]

        assert await lines(AUTOMATIC) == [MAIN]
        editor.engine.tell(run, Critiqued(None, Critique((finding("slow-arithmetic", STEP),))))
        assert await lines(AUTOMATIC) == [SCORE, STEP, MAIN]
        everywhere = list(range(1, PROGRAM.count("\n") + 2))
        assert await lines(INVOKED) == await lines(None) == everywhere


async def test_positions_that_are_not_there_are_taken_as_near_ones(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        assert await editor.actions(uri, 100_000)
        assert await editor.actions("file:///not/open.cpp") == []


async def test_where_nothing_can_be_done_the_reason_is_there_for_those_who_ask(folder: Path) -> None:
    for kind in CLIENTS:
        async with opened(folder, kind, text="int f() { return 0; }\n") as (editor, uri):
            *others, found = await editor.actions(uri)
            if kind == "VS Code":  # its lightbulb shows nothing that is disabled
                (disabled,) = others
                assert "has no main function" in disabled["disabled"]["reason"]
                assert "command" not in disabled
            else:
                assert others == [] == await editor.actions(uri, trigger=None)
            assert found["title"] == "Why can MaxCode not optimise “solve.cpp”?"
            await editor.choose(found)
            ((_, said),) = editor.said
            assert "has no main function" in said
            assert await editor.actions(uri, trigger=AUTOMATIC) == []
            assert await editor.actions(uri, only=["quickfix"]) == []


async def test_main_behind_a_macro_may_be_one(folder: Path) -> None:
    async with opened(folder, text="#define START int main()\nSTART { return 0; }\n") as (editor, uri):
        assert titles(await editor.actions(uri)) == ["Optimize “solve.cpp” with MaxCode"]


async def test_what_is_not_served_says_why(folder: Path) -> None:
    async with opened(folder) as (editor, _):
        kernel = editor.open(folder / "solve.cu", "int main() {}\n", "cuda-cpp")
        entry, why = await editor.actions(kernel)
        assert "CUDA" in entry["disabled"]["reason"] and "disabled" not in why
    async with opened(folder, "Neovim") as (editor, _):
        kernel = editor.open(folder / "solve.cu", "int main() {}\n", "cuda-cpp")
        (entry,) = await editor.actions(kernel)
        assert entry["kind"] == "refactor.rewrite.maxcode"
        await editor.choose(entry)
        assert "CUDA" in editor.said[0][1]


async def test_where_nothing_may_be_run_reading_is_left(folder: Path) -> None:
    async with opened(folder, options={"trusted": False}) as (editor, uri):
        refused, look = await editor.actions(uri)
        assert refused["disabled"]["reason"] == "This folder is not trusted, so nothing of it is run"
        assert look["title"] == "Look for slow code in “solve.cpp” with MaxCode (runs nothing)"
        editor.engine.finds = Critique((finding("copy-by-value", 4), finding("slow-arithmetic", 7)))
        await editor.choose(look)
        await editor.settled()
        assert [request.text for request in editor.engine.inspected] == [PROGRAM.encode()]
        assert editor.engine.started == []
        assert [said for _, said in editor.said] == [
            "Nothing was run: this folder is not trusted. 2 findings apply without running it."
        ]


async def test_an_edit_elsewhere_moves_the_result(folder: Path) -> None:
    for kind in ("VS Code", "Neovim"):
        async with opened(folder, kind) as (editor, uri):
            editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
            editor.type(uri, "// é \U0001f600\n" + PROGRAM)
            apply = (await editor.actions(uri))[0]
            await editor.settled()
            assert titles(await editor.actions(uri))[0] == titles([apply])[0]
            await editor.choose(apply)
            assert editor.texts[uri].text == "// é \U0001f600\n" + FASTER


async def test_an_edit_of_what_was_measured_is_not_overwritten(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        await editor.settled()
        apply = (await editor.actions(uri))[0]
        changed = PROGRAM.replace("long best = 0;", "long best = 1;")
        editor.type(uri, changed)
        editor.asked.clear()
        editor.answers["“solve.cpp” was edited"] = "Run again"
        with pytest.raises(Refusal, match=r"so nothing was applied\. Choose “Optimize” again") as told:
            await editor.choose(apply)
        assert told.value.code == -32801
        await editor.settled()
        assert editor.texts[uri].text == changed
        assert editor.asked == [] and len(editor.engine.started) == 1


@pytest.mark.parametrize("waits", [False, True])
async def test_a_stale_result_is_not_listed_where_entries_cannot_be_disabled(folder: Path, waits: bool) -> None:
    """Known once the text stands still, or once it was chosen in vain."""
    async with opened(folder, "Neovim", {"trusted": True}) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        await editor.settled()
        apply = (await editor.actions(uri))[0]
        editor.type(uri, PROGRAM.replace("long best = 0;", "long best = 1;"))
        if waits:
            await editor.settled()
        else:
            with pytest.raises(Refusal, match="nothing was applied"):
                await editor.choose(apply)
        assert titles(await editor.actions(uri)) == [
            "Compare “solve.cpp” with MaxCode’s version",
            "Optimize “solve.cpp” again with MaxCode",
        ]


async def test_a_stale_result_is_listed_as_such(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        editor.type(uri, PROGRAM.replace("long best = 0;", "long best = 1;"))
        await editor.actions(uri)
        await editor.settled()
        assert titles(await editor.actions(uri)) == [
            "Apply MaxCode: “solve.cpp” 2.31× faster (95 % CI 2.24–2.39) [Changed since it was measured]",
            "Compare “solve.cpp” with MaxCode’s version",
            "Optimize “solve.cpp” again with MaxCode",
        ]
        editor.type(uri, PROGRAM)
        assert "disabled" not in (await editor.actions(uri))[0]


async def test_what_is_typed_while_an_edit_is_made_is_not_lost(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        apply = (await editor.actions(uri))[0]
        resolving = asyncio.ensure_future(editor.request("codeAction/resolve", apply))
        await asyncio.sleep(0)
        editor.type(uri, PROGRAM + "// more\n")
        resolved = await resolving
        assert editor.make(resolved["edit"])
        assert editor.texts[uri].text == FASTER + "// more\n"


async def test_entries_of_others_come_back_untouched(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        (start,) = await editor.actions(uri)
        strange: list[dict[str, Any]] = [
            start,
            {"title": "x", "data": None},
            {"title": "x", "data": {"run": 7, "version": "a", "sha256": []}},
            {"title": "x", "data": "other"},
        ]
        for action in strange:
            resolved = await editor.request("codeAction/resolve", action)
            assert {k: v for k, v in resolved.items() if v is not None} == {
                k: v for k, v in action.items() if v is not None
            }
        data = {"run": "20300101-000000-000000", "version": 1, "sha256": ""}
        with pytest.raises(Refusal, match="There is no run"):
            await editor.request("codeAction/resolve", {"title": "x", "data": data})


async def test_a_client_without_resolve_gets_a_command(folder: Path) -> None:
    async with opened(folder, "plain") as (editor, uri):
        listed = await editor.actions(uri)
        assert listed[0]["command"] == "maxcode.start" and "kind" not in listed[0]
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        apply = (await editor.actions(uri))[0]
        assert apply["command"] == "maxcode.apply"
        assert (await editor.choose(apply)) == {"applied": True, "reason": ""}
        assert editor.texts[uri].text == FASTER


async def test_data_holds_no_text_of_the_user(folder: Path) -> None:
    async with opened(folder) as (editor, uri):
        editor.engine.tell(await begun(editor, uri), improved(PROGRAM, FASTER))
        apply = (await editor.actions(uri))[0]
        assert set(apply["data"]) == {"run", "version", "sha256"}
