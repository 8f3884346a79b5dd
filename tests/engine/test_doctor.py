from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.engine import doctor
from maxcode_lsp.engine.doctor import examine
from maxcode_lsp.engine.health import Check, Health, State
from maxcode_lsp.errors import SandboxLost
from maxcode_lsp.executor import noise, sandbox
from maxcode_lsp.executor.sandbox import Level, Support


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Quiet, with bubblewrap, and a cache folder of its own: the rest is this machine's."""

    async def noise_floor(_cache_folder: Path) -> float:
        return 0.011

    async def probe() -> Support:
        return Support(Level.BUBBLEWRAP, {}, "Control groups bound memory.")

    monkeypatch.setattr(noise, "noise_floor", noise_floor)
    monkeypatch.setattr(sandbox, "probe", probe)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def by_name(health: Health) -> dict[str, Check]:
    return {check.name: check for check in health.checks}


async def test_a_machine_with_a_compiler_and_a_sandbox_is_enough() -> None:
    told: list[Check] = []
    health = await examine(told.append)
    assert tuple(told) == health.checks
    assert health.ok
    assert health.sandbox == "bubblewrap"
    assert health.noise_pct == pytest.approx(1.1)
    assert by_name(health)["compiler"].state is State.OK
    assert "g++" in by_name(health)["compiler"].detail
    assert by_name(health)["timing"].detail == "a program compared with itself: ±1.1 %"


async def test_what_is_missing_is_said_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    health = await examine()
    assert not health.ok
    found = by_name(health)
    assert found["compiler"].state is State.MISSING
    for name in ("compiler", "perf", "valgrind"):
        assert found[name].state is not State.OK
        assert "apt install" in found[name].remedy


async def test_a_compiler_that_does_not_compile_is_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "g++"
    broken.write_text("#!/bin/sh\necho 'fatal error: vector: No such file' >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    check = await doctor._compiler(tmp_path)
    assert (check.state, check.needed) == (State.MISSING, True)
    assert "fatal error: vector" in check.detail


async def test_a_tool_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hanging = tmp_path / "valgrind"
    hanging.write_text("#!/bin/sh\nexec sleep 60\n")
    hanging.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(doctor, "TRIAL_S", 0.5)
    check = await doctor._valgrind(tmp_path)
    assert check.state is State.LIMITED
    assert "no answer" in check.detail


async def test_without_a_sandbox_nothing_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def probe() -> Support:
        return Support(None, {Level.BUBBLEWRAP: "No namespaces.", Level.LANDLOCK: "No landlock."}, "")

    monkeypatch.setattr(sandbox, "probe", probe)
    level, check = await doctor._sandbox()
    assert level is None
    assert (check.state, check.needed) == (State.MISSING, True)
    assert "No namespaces. No landlock." in check.detail


async def test_a_weaker_sandbox_is_enough_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    async def probe() -> Support:
        return Support(Level.LANDLOCK, {Level.BUBBLEWRAP: "No namespaces."}, "")

    monkeypatch.setattr(sandbox, "probe", probe)
    level, check = await doctor._sandbox()
    assert level == "landlock"
    assert check.state is State.LIMITED
    assert "No namespaces." in check.detail


@pytest.mark.parametrize(
    ("chosen", "state", "said"),
    [
        ("landlock", State.OK, "landlock, chosen with MAXCODE_SANDBOX"),
        ("unconfined", State.LIMITED, "only --unsafe allows it"),
        ("chroot", State.MISSING, "MAXCODE_SANDBOX=chroot names no sandbox level. Use one of bubblewrap, landlock"),
        (" bubblewrap", State.MISSING, "names no sandbox level"),
    ],
)
async def test_the_sandbox_that_was_chosen_is_examined(
    monkeypatch: pytest.MonkeyPatch, chosen: str, state: State, said: str
) -> None:
    monkeypatch.setenv("MAXCODE_SANDBOX", chosen)
    level, check = await doctor._sandbox()
    if chosen == "landlock" and check.state is State.MISSING:
        pytest.skip(check.detail)
    assert check.state is state
    assert said in check.detail
    assert level == (None if state is State.MISSING else chosen)


async def test_a_chosen_sandbox_that_does_not_hold_is_objected_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MAXCODE_SANDBOX", "bubblewrap")
    monkeypatch.setattr("maxcode_lsp.executor.sandbox.levels.find_bubblewrap", lambda: None)
    level, check = await doctor._sandbox()
    assert (level, check.state, check.needed) == (None, State.MISSING, True)
    assert check.detail.startswith("bubblewrap, chosen with MAXCODE_SANDBOX, does not work here: ")
    assert "Unset MAXCODE_SANDBOX" in check.remedy


async def test_a_lost_measurement_is_a_limit_not_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    async def noise_floor(_cache_folder: Path) -> float:
        raise SandboxLost("The sandbox died.")

    monkeypatch.setattr(noise, "noise_floor", noise_floor)
    noise_pct, check = await doctor._noise()
    assert noise_pct is None
    assert check.state is State.LIMITED
    assert "The sandbox died." in check.detail


def test_a_cache_that_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert doctor._cache().state is State.LIMITED


def test_the_place_of_the_users_own_settings_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "maxcode" / "maxcode.toml"
    check = doctor._own_settings()
    assert check.state is State.OK and check.detail == f"your own would be in {file}; there are none"
    file.parent.mkdir()
    file.write_text("llm.max_cost_usd = 2\n")
    assert doctor._own_settings().detail == f"your own: {file}"
    file.write_text("llm.max_cost_usd = 2\nbudget = 0\n")
    check = doctor._own_settings()
    assert check.state is State.LIMITED
    assert f"{file}. budget should be" in check.detail and "(line 2)" in check.detail
