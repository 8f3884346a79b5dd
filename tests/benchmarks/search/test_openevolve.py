"""Searches of OpenEvolve: judged by us, ended with all that they started, and told as they were."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import venv
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.benchmarks.search.openevolve import Searched, episode, version_of
from maxcode_lsp.benchmarks.search.openevolve_judging import as_candidate
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.model.local.endpoint import Endpoint
from maxcode_lsp.records import Outcome, candidate_id
from maxcode_lsp.testing.model_server import Call, ModelServer
from maxcode_lsp.text.edits import apply
from maxcode_lsp.text.source import SourceText
from tests.executor.jobs import FAST_SUM, GENERATOR, SUM, job

NOWHERE = Endpoint("http://127.0.0.1:9/v1", "secret", "some-model", 8192)
LOADED = Loaded("a.cpp", SourceText(SUM), job(SUM, generator=GENERATOR), ())
WRONG = SUM.replace(b"* 31", b"* 37")
BROKEN = SUM.replace(b"<< total", b"<< totl")
TWIN = FAST_SUM + b"// the same again\n"
RESULT = """import dataclasses

@dataclasses.dataclass
class EvaluationResult:
    metrics: dict
    artifacts: dict
"""


@pytest.fixture
async def executor(tmp_path: Path) -> AsyncIterator[LocalExecutor]:
    made = LocalExecutor(tmp_path / "cache")
    yield made
    await made.close()


@pytest.fixture
async def base(executor: LocalExecutor) -> Baseline:
    return await executor.prepare(LOADED.job)


class StandIn:
    """An environment with a package that is called as OpenEvolve is."""

    def __init__(self, folder: Path, script: Sequence[dict[str, Any]]) -> None:
        venv.EnvBuilder(symlinks=True).create(folder)
        self.python = folder / "bin" / "python"
        packages = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
        self._package = packages / "openevolve"
        self._package.mkdir()
        (self._package / "__init__.py").touch()
        (self._package / "evaluation_result.py").write_text(RESULT)
        (self._package / "cli.py").write_bytes(Path(__file__).with_name("openevolve_stand_in.py").read_bytes())
        (self._package / "script.json").write_text(json.dumps(script))
        about = packages / "openevolve-0.0.7.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: openevolve\nVersion: 0.0.7\n")

    @property
    def seen(self) -> dict[str, Any]:
        """What it was given and told, once it has ended."""
        return json.loads((self._package / "seen.json").read_bytes())


def made(text: bytes, of: int = 0) -> dict[str, Any]:
    return {"make": text.decode(), "of": of}


async def search(
    python: Path,
    executor: LocalExecutor,
    base: Baseline,
    *,
    budget: int,
    endpoint: Endpoint = NOWHERE,
    seconds: float = 300,
    seed: int = 0,
) -> Searched:
    return await episode(
        python, endpoint, executor, base, LOADED, program="sum", seed=seed, budget=budget, seconds=seconds
    )


async def test_what_it_makes_is_judged_and_told(
    executor: LocalExecutor, base: Baseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-of-the-user")
    script = [
        made(FAST_SUM),
        {"error": "None of the 2 SEARCH block(s) matched the parent program"},
        made(WRONG, of=1),
        made(BROKEN, of=3),
        made(TWIN, of=1),
        made(FAST_SUM, of=5),
        {"error": "None of the 1 SEARCH block(s) matched the parent program"},
        made(SUM + b"// nothing new\n"),
        made(b"one too many"),
    ]
    peer = StandIn(tmp_path / "env", script)
    found = await search(peer.python, executor, base, budget=8, seed=2)
    known = {name: candidate_id(text) for name, text in (("fast", FAST_SUM), ("wrong", WRONG), ("twin", TWIN))}
    steps = found.episode.steps
    assert [step.outcome for step in steps] == [
        Outcome.CORRECT,
        Outcome.WRONG_OUTPUT,
        Outcome.COMPILE_ERROR,
        Outcome.IDENTICAL,
        Outcome.REJECTED,
        Outcome.IDENTICAL,
    ]
    assert [step.parent for step in steps] == [None, known["fast"], known["wrong"], known["fast"], known["twin"], None]
    assert [step.depth for step in steps] == [1, 2, 3, 2, 3, 1]
    assert [step.tokens for step in steps] == [101, 306, 410, 515, 621, 836]
    assert steps[0].faster and steps[0].speedup is not None and steps[0].speedup > 1.05
    assert all(step.speedup is None and step.u == steps[0].speedup for step in steps[1:])
    assert {step.value for step in steps} == {1.0}
    assert [step.at_s for step in steps] == sorted(step.at_s for step in steps)
    ended = found.episode
    assert (ended.program, ended.method, ended.seed, ended.budget) == ("sum", "openevolve", 2, 8)
    assert (ended.stop, ended.trouble, ended.tokens_in, ended.tokens_out) == ("peer", "", 800, 36)
    assert ended.replies == {"hunks": 6, "None of the N SEARCH block(s) matched the parent program": 2}
    assert ended.cpu_s > 0
    assert found.version == "0.0.7"
    assert found.texts[known["fast"]] == FAST_SUM
    assert set(found.texts) == {step.candidate for step in steps}
    assert apply(SUM, as_candidate(LOADED, WRONG).change.hunks) == WRONG

    seen = peer.seen
    scores = [metrics["combined_score"] for metrics, _ in seen["said"]]
    fast = pytest.approx(steps[0].speedup, abs=1e-4)
    assert scores == [1.0, fast, 0.0, 0.0, fast, fast, 1.0]
    artifacts = [artifacts for _, artifacts in seen["said"]]
    assert artifacts[0] == {}
    assert artifacts[1]["outcome"] == "correct" and "×" in artifacts[1]["message"]
    assert artifacts[2]["outcome"] == "wrong_output"
    assert "totl" in artifacts[3]["stderr"]
    assert seen["config"]["random_seed"] == 44
    assert seen["config"]["llm"]["api_base"] == NOWHERE.api_base
    assert set(seen["environment"]) <= {"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LC_CTYPE"}
    assert seen["isolated"] == 1
    assert not Path(seen["environment"]["HOME"]).exists()


async def test_one_that_ends_early_is_told(executor: LocalExecutor, base: Baseline, tmp_path: Path) -> None:
    found = (await search(StandIn(tmp_path / "env", [{"end": 3}]).python, executor, base, budget=2)).episode
    assert found.steps == ()
    assert found.trouble == ("OpenEvolve ended before its last iteration, with status 3: cannot go on with some-model")


@pytest.mark.parametrize(
    ("why", "trouble"),
    [
        ("LLM generation failed: Connection error.", "OpenEvolve got no answer from the model: "),
        ("LLM generation failed: Error code: 400 - too long", ""),
    ],
)
async def test_a_dead_model_is_trouble_and_a_question_too_long_is_not(
    executor: LocalExecutor, base: Baseline, tmp_path: Path, why: str, trouble: str
) -> None:
    peer = StandIn(tmp_path / "env", [{"error": why}])
    found = (await search(peer.python, executor, base, budget=1)).episode
    assert found.trouble == (trouble and trouble + why)
    assert found.replies == {"LLM generation failed": 1}


async def test_time_ends_it_with_what_it_started(executor: LocalExecutor, base: Baseline, tmp_path: Path) -> None:
    mark = 86398.5
    peer = StandIn(tmp_path / "env", [made(WRONG), {"wait": mark}])
    found = (await search(peer.python, executor, base, budget=2, seconds=10)).episode
    assert (found.stop, found.trouble) == ("time", "")
    assert [step.outcome for step in found.steps] == [Outcome.WRONG_OUTPUT]
    assert running(mark) == 0


async def test_cancelling_ends_it_with_what_it_started(executor: LocalExecutor, base: Baseline, tmp_path: Path) -> None:
    mark = 86398.25
    peer = StandIn(tmp_path / "env", [{"wait": mark}])
    task = asyncio.create_task(search(peer.python, executor, base, budget=1))
    async with asyncio.timeout(60):
        while not running(mark):  # noqa: ASYNC110 (there is no event for it)
            await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running(mark) == 0


async def test_a_judge_in_trouble_ends_it(
    executor: LocalExecutor, base: Baseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evaluate(*given: object) -> None:
        raise Refused("the judge cannot go on")

    monkeypatch.setattr(executor, "evaluate", evaluate)
    mark = 86398.75
    peer = StandIn(tmp_path / "env", [made(FAST_SUM), {"wait": mark}])
    with pytest.raises(Refused, match="the judge cannot go on"):
        await search(peer.python, executor, base, budget=2)
    assert running(mark) == 0


async def test_a_python_without_it_is_refused(tmp_path: Path) -> None:
    venv.EnvBuilder(symlinks=True).create(tmp_path / "env")
    for python, why in ((tmp_path / "env" / "bin" / "python", "No module named|No package"), (tmp_path / "no", "no")):
        with pytest.raises(Refused, match=rf"has no OpenEvolve that could be started \(.*({why}).*pip install"):
            await version_of(python)


def running(mark: float) -> int:
    count = 0
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            count += f"sleep\0{mark}".encode() in file.read_bytes()
        except OSError:
            continue
    return count


def block(before: bytes, after: bytes) -> str:
    return f"<<<<<<< SEARCH\n{before.decode()}\n=======\n{after.decode()}\n>>>>>>> REPLACE\n"


REPLIES = (
    block(b"    long count = 0;", b"    std::ios::sync_with_stdio(false);\n    long count = 0;"),
    "I would leave it as it is.",
    block(b"int main(void) {", b"int main(int, char**) {"),
    block(b"    return 0;", b"    return 0"),
    block(b"    long total = 0;", b"    long total = 1;"),
)


@pytest.mark.skipif(not os.environ.get("MAXCODE_OPENEVOLVE"), reason="MAXCODE_OPENEVOLVE names no Python that has it")
async def test_the_real_one(executor: LocalExecutor, base: Baseline) -> None:
    asked: list[Call] = []

    def script(call: Call) -> Any:
        asked.append(call)
        return REPLIES[min(len(asked), len(REPLIES)) - 1]

    with ModelServer(script, models=["some-model"], key="secret") as server:
        endpoint = Endpoint(server.api_base, "secret", "some-model", 8192)
        python = Path(os.environ["MAXCODE_OPENEVOLVE"])
        found = await search(python, executor, base, budget=5, endpoint=endpoint)
    assert found.episode.trouble == ""
    assert [step.outcome for step in found.episode.steps] == [
        Outcome.CORRECT,
        Outcome.COMPILE_ERROR,
        Outcome.WRONG_OUTPUT,
    ]
    assert found.texts[found.episode.steps[0].candidate] == FAST_SUM
    assert sum(found.episode.replies.values()) == 5
    assert found.episode.tokens_in > 0
    assert found.episode.tokens_out > 0
    assert all(b"```cpp" in call.body for call in asked)
    assert {call.asked["max_tokens"] for call in asked} == {4096}
