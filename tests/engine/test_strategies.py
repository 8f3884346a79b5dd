"""Whole runs of each strategy on a real program, with real trouble in the middle of the search."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.engine.events import Decided, Evaluated, Event, Metered, Progress, Replied, RunResult
from maxcode_lsp.engine.journal.places import journal_file, new_id
from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.run import optimize
from maxcode_lsp.errors import JournalError
from maxcode_lsp.executor import local
from maxcode_lsp.model.keys import Keys
from maxcode_lsp.records import Candidate, Evaluation, RunStatus
from maxcode_lsp.settings import LlmSettings, Settings, StrategySettings, WorkloadSettings
from maxcode_lsp.testing.model_replies import Reply, context_exceeded, server_error
from maxcode_lsp.testing.model_server import Call, ModelServer, Said
from tests.engine.programs import project

ROOT = Path(__file__).parents[2]
IN_ROUNDS = ("effi-learner", "cuda-llm", "beam")
KEY = "sk-strategies-planted-7c1f"
WORKLOAD = WorkloadSettings(seconds=0.05)
CODE = (
    "import asyncio, sys; from pathlib import Path; from maxcode_lsp.engine.run import optimize; "
    "from tests.engine.test_strategies import searching; "
    "asyncio.run(optimize(Path(sys.argv[1]), searching(sys.argv[4]), lambda e: None, run=sys.argv[2], "
    "runs=Path(sys.argv[3])))"
)


def searching(search: Any, **more: Any) -> Settings:
    strategy = StrategySettings(width=3, **more.pop("strategy", {}))
    return Settings(search=search, budget=7, seconds=300.0, workload=WORKLOAD, strategy=strategy, **more)


def judged_so_far(file: Path) -> int:
    try:
        return len(read(file).evaluated)
    except JournalError:
        return 0


@pytest.mark.parametrize("search", IN_ROUNDS)
async def test_it_finds_and_proves_and_tells_how(search: str, tmp_path: Path) -> None:
    events: list[Event] = []
    result = await optimize(project(tmp_path / "p"), searching(search), events.append, runs=tmp_path / "runs")
    assert result.status is RunStatus.IMPROVED, result.reason
    assert result.speedup is not None and result.speedup > 1.5
    assert result.reason.endswith("confirmed by fresh measurements on inputs made for it."), "a generator makes them"
    judged = [event for event in events if isinstance(event, Evaluated)]
    assert len(judged) <= 7
    assert [event.u for event in judged] == sorted(event.u for event in judged)
    went_on = [event for event in events if isinstance(event, Decided) and event.what == "went_on"]
    assert went_on and all("×" in event.why for event in went_on)
    assert any(event.because for event in judged if event.best), "the critique behind an improvement"
    searched = [event for event in events if isinstance(event, Progress) and event.phase == "searching"]
    assert max(event.u for event in searched) == pytest.approx(judged[-1].u)
    assert any(event.depth > 0 and event.parent for event in searched)


@pytest.mark.parametrize("search", IN_ROUNDS)
async def test_killed_in_the_middle_it_goes_on_and_judges_nothing_twice(
    search: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, runs, run = project(tmp_path / "p"), tmp_path / "runs", new_id()
    argv = [sys.executable, "-c", CODE, str(program), run, str(runs), search]
    process = subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.DEVNULL)  # noqa: ASYNC220 - nothing else goes on here
    try:
        while judged_so_far(journal_file(runs, run)) < 3:
            assert process.poll() is None
            time.sleep(0.02)  # noqa: ASYNC251 - nothing else goes on here
    finally:
        process.kill()
        process.wait(10)
    before = {each.candidate.id for each in read(journal_file(runs, run)).evaluated if each.candidate is not None}
    asked: list[str] = []
    judge = local.judge

    async def counting(original: Any, candidate: Candidate, *others: Any, **options: Any) -> Evaluation:
        if options.get("among_all", True):
            asked.append(candidate.id)
        return await judge(original, candidate, *others, **options)

    monkeypatch.setattr(local, "judge", counting)
    result = await optimize(program, Settings(), lambda _: None, run=run, runs=runs, resume=True)
    assert result.status is RunStatus.IMPROVED, result.reason
    assert before.isdisjoint(asked)
    after = [each.candidate.id for each in read(journal_file(runs, run)).evaluated if each.candidate is not None]
    assert len(after) == len(set(after)) <= 7


async def test_plain_effi_learner_is_metered_and_that_is_written_down(tmp_path: Path) -> None:
    events: list[Event] = []
    settings = searching("effi-learner", strategy={"plain": True})
    runs, run = tmp_path / "runs", new_id()
    result = await optimize(project(tmp_path / "p"), settings, events.append, run=run, runs=runs)
    assert result.status is RunStatus.IMPROVED, result.reason
    metered = [event for event in events if isinstance(event, Metered)]
    assert metered[0].candidate is None and len(metered) > 1
    assert [line.record for line in read(journal_file(runs, run)).lines if isinstance(line.record, Metered)] == metered


@pytest.mark.parametrize("search", IN_ROUNDS)
async def test_stopped_in_the_middle(search: str, tmp_path: Path) -> None:
    runs, run, seen = tmp_path / "runs", new_id(), asyncio.Event()

    def on_event(event: Event) -> None:
        if isinstance(event, Evaluated):
            seen.set()

    work = asyncio.ensure_future(optimize(project(tmp_path / "p"), searching(search), on_event, run=run, runs=runs))
    async with asyncio.timeout(120):
        await seen.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    end = read(journal_file(runs, run)).result
    assert end is not None and end.status is RunStatus.CANCELLED
    await asyncio.sleep(0)
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert all(task.done() for task in others)


class Versions:
    """The program of the prompt with the copy taken out, each time a little different."""

    def __init__(self, dies_after: int = 99) -> None:
        self._dies_after = dies_after
        self._number = 0

    def __call__(self, call: Call) -> Said:
        self._number += 1
        if self._number > self._dies_after:
            return server_error()
        program = re.search(r"#include <iostream>.*?\n    return 0;\n}\n", call.prompt, re.DOTALL)
        assert program is not None, call.prompt
        changed = program[0].replace(
            "(std::vector<int> values, int from)", "(const std::vector<int>& values, int from)"
        )
        changed = changed.replace("int best = 0;", f"int best = {self._number} - {self._number};")
        return Reply(text=f"```cpp\n{changed}```\nIt passes the vector by reference.\n", usage=(900, 300))


async def asked(
    search: str, script: Callable[[Call], Said], folder: Path, **llm: Any
) -> tuple[RunResult, list[Event], int]:
    """A run in which a model proposes beside the rules; also how often it was asked."""
    events: list[Event] = []
    with ModelServer(script) as server:
        limits = LlmSettings(critic="none", at_once=1, connect_s=5, read_s=20, cache=False, **llm)
        settings = searching(search, model="openai/any", api_base=server.api_base, llm=limits)
        result = await optimize(
            project(folder / "p"),
            settings,
            events.append,
            runs=folder / "runs",
            keys=Keys({}, {"OPENAI_API_KEY": KEY}),
        )
        return result, events, len(server.calls)


@pytest.mark.parametrize("search", IN_ROUNDS)
async def test_a_model_and_rules_share_the_candidates(search: str, tmp_path: Path) -> None:
    result, events, calls = await asked(search, Versions(), tmp_path)
    assert result.status is RunStatus.IMPROVED, result.reason
    judged = [event for event in events if isinstance(event, Evaluated)]
    policies = {event.candidate.origin.policy for event in judged if event.candidate is not None}
    assert "llm" in policies and len(policies) > 1, policies
    replies = [event for event in events if isinstance(event, Replied)]
    assert len(judged) <= 7 and calls == len(replies)


@pytest.mark.parametrize("search", ["effi-learner", "beam"])
async def test_a_model_that_does_not_answer_when_the_search_asks_it(search: str, tmp_path: Path) -> None:
    result, events, _ = await asked(search, Versions(dies_after=0), tmp_path)
    assert result.status is RunStatus.IMPROVED, result.reason
    assert len(result.unasked) == 1 and "openai/any" in result.unasked[0]
    assert len([event for event in events if isinstance(event, Evaluated)]) == 7, "the rules go on"


async def test_what_the_program_costs_a_model_too_much_to_read(tmp_path: Path) -> None:
    result, events, calls = await asked("cuda-llm", lambda _: context_exceeded(512), tmp_path)
    assert result.status is RunStatus.IMPROVED, result.reason
    assert result.unasked, "it is told that the model's context is too small"
    assert calls <= 4
    assert not [event for event in events if isinstance(event, Replied)]


async def test_no_question_beyond_the_cap(tmp_path: Path) -> None:
    result, _, calls = await asked("beam", Versions(), tmp_path, max_tokens=7000)
    assert result.status is RunStatus.IMPROVED, result.reason
    assert result.spent is not None and result.spent.tokens_in + result.spent.tokens_out <= 7000
    assert 1 <= calls <= 5
    assert any("7,000 tokens" in note or "7000 tokens" in note for note in result.unasked), result.unasked
