"""Attacks on the evaluator (``cheats.toml``): none is ever called faster, at any sandbox level.

A naive evaluator (one check on the given input, then the time of the process it waits for) falls for
most of them. Admission is switched off wherever a later gate must hold by itself.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from maxcode_lsp.engine.events import Judgement
from maxcode_lsp.engine.judge import judge
from maxcode_lsp.errors import SandboxUnavailable
from maxcode_lsp.executor.sandbox import Level, open_sandbox
from maxcode_lsp.records import Outcome, Verdict
from maxcode_lsp.settings import Settings, WorkloadSettings

HERE = Path(__file__).parent
SETTINGS = Settings(workload=WorkloadSettings(seconds=0.03))


class Cheat(Struct, frozen=True):
    """One attack, in ``attacks/NAME.cpp``."""

    name: str
    original: str
    tries: str
    fails: str
    gate: str
    outcomes: tuple[Outcome, ...]


class Honest(Struct, frozen=True):
    """One honest version, in ``honest/NAME.cpp``, which shows that the checks can tell."""

    name: str
    original: str
    verdict: Verdict


class Listed(Struct, frozen=True):
    """The whole list."""

    cheat: tuple[Cheat, ...]
    honest: tuple[Honest, ...]


LISTED = msgspec.toml.decode((HERE / "cheats.toml").read_bytes(), type=Listed)


def named(entry: Cheat | Honest) -> str:
    return entry.name


@pytest.fixture(params=list(Level), ids=lambda level: level.value)
async def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Level:
    chosen: Level = request.param
    try:
        await (await open_sandbox([], level=chosen, allow_unconfined=True, memory_bytes=1 << 30)).close()
    except SandboxUnavailable as problem:
        pytest.skip(str(problem))
    monkeypatch.setenv("MAXCODE_SANDBOX", chosen.value)
    return chosen


@pytest.fixture(autouse=True)
def builds(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build cache of this test run alone, shared by its workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cheats-builds"
    monkeypatch.setattr("maxcode_lsp.engine.judge.builds_folder", lambda: folder)
    return folder


def without_admission(monkeypatch: pytest.MonkeyPatch) -> None:
    def admit(*_: object) -> None:
        return None

    monkeypatch.setattr("maxcode_lsp.executor.judging.refuse", admit)


async def claim(original: str, version: Path, *, unsafe: bool) -> Judgement:
    """What a run comes to: what looks faster is confirmed, and only a confirmation is a claim."""
    source = HERE / "originals" / original / f"{original}.cpp"
    first = await judge(source, version, settings=SETTINGS, allow_unsafe=unsafe, quick=True)
    if first.verdict is not Verdict.FASTER:
        return first
    return await judge(source, version, settings=SETTINGS, allow_unsafe=unsafe, quick=False)


def is_refused(cheat: Cheat, said: Judgement) -> None:
    assert said.verdict is not Verdict.FASTER, f"{cheat.tries} And it won: {said.reason}"
    assert said.outcome in cheat.outcomes, said.reason


@pytest.mark.parametrize("cheat", [c for c in LISTED.cheat if c.gate == "execution"], ids=named)
async def test_execution_stops(cheat: Cheat, level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    without_admission(monkeypatch)
    unsafe = level is Level.UNCONFINED
    is_refused(cheat, await claim(cheat.original, HERE / "attacks" / f"{cheat.name}.cpp", unsafe=unsafe))


@pytest.mark.parametrize("cheat", [c for c in LISTED.cheat if c.gate == "build"], ids=named)
async def test_the_build_stops(cheat: Cheat, level: Level, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_admission(monkeypatch)
    # What was built at another level would say nothing about this one.
    monkeypatch.setattr("maxcode_lsp.engine.judge.builds_folder", lambda: tmp_path / "builds")
    unsafe = level is Level.UNCONFINED
    is_refused(cheat, await claim(cheat.original, HERE / "attacks" / f"{cheat.name}.cpp", unsafe=unsafe))


@pytest.mark.parametrize("cheat", [c for c in LISTED.cheat if c.gate == "admission"], ids=named)
async def test_admission_stops(cheat: Cheat) -> None:
    is_refused(cheat, await claim(cheat.original, HERE / "attacks" / f"{cheat.name}.cpp", unsafe=False))


@pytest.mark.parametrize("version", LISTED.honest, ids=named)
async def test_honest_versions_pass(version: Honest, level: Level) -> None:
    said = await claim(version.original, HERE / "honest" / f"{version.name}.cpp", unsafe=level is Level.UNCONFINED)
    assert (said.outcome, said.verdict) == (Outcome.CORRECT, version.verdict), said.reason


def test_every_attack_is_listed() -> None:
    assert sorted(path.stem for path in (HERE / "attacks").iterdir()) == sorted(c.name for c in LISTED.cheat)
    assert len(LISTED.cheat) >= 28
