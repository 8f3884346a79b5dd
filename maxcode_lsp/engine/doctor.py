"""What this machine offers: examined by trying, because an installed tool may still not work here."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from maxcode_lsp.engine.health import Check, Health, State
from maxcode_lsp.engine.model_check import model_checks
from maxcode_lsp.errors import InfrastructureError, Refused
from maxcode_lsp.executor.tool import ask
from maxcode_lsp.settings import Settings

if TYPE_CHECKING:  # heavy, and only needed where it is examined
    from maxcode_lsp.executor.sandbox import Level

TRIAL_S = 30.0
"""Limit of each trial."""
ENOUGH_DISK_BYTES = 2 << 30
QUIET_PCT = 3.0
"""Noise above this hides speedups that people care about."""
_HELLO = b"#include <vector>\nint main() { std::vector<int> v(3); return static_cast<int>(v.size()) - 3; }\n"


async def examine(report: Callable[[Check], None] | None = None, settings: Settings | None = None) -> Health:
    """Look at everything; each line is reported as soon as it is known. ``settings``: whose models are asked, with one
    small question each; None: no model is.
    """
    checks: list[Check] = []

    def add(check: Check) -> None:
        checks.append(check)
        if report is not None:
            report(check)

    add(_machine())
    with tempfile.TemporaryDirectory(prefix="maxcode-doctor-") as scratch:
        for trial in (_compiler, _sanitizers, _clang_tidy, _clang_format, _perf, _valgrind):
            add(await trial(Path(scratch)))
    level, check = await _sandbox()
    add(check)
    add(await asyncio.to_thread(_cache))
    add(await asyncio.to_thread(_own_settings))
    if (rates := await asyncio.to_thread(_hit_rates)) is not None:
        add(rates)
    noise_pct, check = await _noise()
    add(check)
    async for check in model_checks(settings or Settings()):
        add(check)
    ok = not any(check.needed and check.state is State.MISSING for check in checks)
    return Health(ok=ok, checks=tuple(checks), sandbox=level, noise_pct=noise_pct)


async def _try(argv: Sequence[str], stdin: bytes = b"") -> tuple[bool, str]:
    """Run a trusted tool; whether it ended well, and what it said in one line (the one with a version, if any)."""
    try:
        answer = await ask(*argv, limit_s=TRIAL_S, stdin=stdin)
    except TimeoutError:
        return False, f"no answer within {TRIAL_S:.0f} s"
    lines = [line.strip() for line in answer.text.splitlines()] or [""]
    return answer.ok, next((line for line in lines if "version" in line), lines[0])


def _machine() -> Check:
    cores = len(os.sched_getaffinity(0))
    detail = f"{cores} core{'s' if cores > 1 else ''}"
    if cores > 1:
        return Check("cores", State.OK, detail)
    return Check("cores", State.LIMITED, f"{detail}: building waits while something is measured")


async def _compiler(_scratch: Path) -> Check:
    install = "Debian: apt install g++"
    if shutil.which("g++") is None:
        return Check("compiler", State.MISSING, "g++ is not on PATH", install, needed=True)
    works, said = await _try(["g++", "-x", "c++", "-", "-fsyntax-only"], _HELLO)
    if not works:
        return Check("compiler", State.MISSING, f"g++ cannot compile a small program: {said}", install, needed=True)
    _, version = await _try(["g++", "--version"])
    return Check("compiler", State.OK, version, needed=True)


async def _sanitizers(scratch: Path) -> Check:
    argv = ["g++", "-fsanitize=address,undefined", "-x", "c++", "-", "-o", str(scratch / "sanitized")]
    works, said = await _try(argv, _HELLO)
    if works:
        return Check("sanitizers", State.OK, "address and undefined behaviour")
    lost = "without them, undefined behaviour in a winner is found only by its output"
    return Check(
        "sanitizers", State.LIMITED, f"{said} ({lost})", "Debian: they come with g++; apt install libstdc++-12-dev"
    )


async def _clang_tidy(_scratch: Path) -> Check:
    from maxcode_lsp.policy.rewrites.clang_tidy import find_clang_tidy

    tool = find_clang_tidy()
    works, said = (False, "not installed") if tool is None else await _try([tool.host_path, "--version"])
    if works:
        return Check("clang-tidy", State.OK, said)
    return Check("clang-tidy", State.LIMITED, f"{said}: its fixes are not proposed", "pip install clang-tidy")


async def _clang_format(_scratch: Path) -> Check:
    from maxcode_lsp.executor.wheel import find_wheel_tool

    tool = find_wheel_tool("clang-format")
    works, said = (False, "not installed") if tool is None else await _try([tool.host_path, "--version"])
    if works:
        return Check("clang-format", State.OK, said)
    lost = "edits are not brought into a project's style"
    return Check("clang-format", State.LIMITED, f"{said}: {lost}", "pip install clang-format")


async def _perf(scratch: Path) -> Check:
    lost = "hot lines are then found by valgrind, as shares of instructions"
    if shutil.which("perf") is None:
        return Check("perf", State.LIMITED, f"not installed: {lost}", "Debian: apt install linux-perf")
    works, said = await _try(
        [
            "perf",
            "--buildid-dir",
            str(scratch / "buildids"),
            "record",
            "-q",
            "-e",
            "cpu-clock",
            "-o",
            str(scratch / "perf.data"),
            "--",
            "true",
        ]
    )
    if works:
        return Check("perf", State.OK, "samples by cpu-clock")
    remedy = "as root: sysctl kernel.perf_event_paranoid=1"
    return Check("perf", State.LIMITED, f"may not record here ({said}): {lost}", remedy)


async def _valgrind(_scratch: Path) -> Check:
    works, said = await _try(["valgrind", "--version"])
    if works:
        return Check("valgrind", State.OK, said)
    return Check(
        "valgrind", State.LIMITED, f"{said}: no profile where perf does not work", "Debian: apt install valgrind"
    )


async def _sandbox() -> tuple[str | None, Check]:
    from maxcode_lsp.executor.sandbox import Level, forced, probe

    remedy = "Debian: apt install bubblewrap"
    if shutil.which("bwrap") is not None:
        remedy = "bubblewrap needs user namespaces; as root: sysctl kernel.unprivileged_userns_clone=1"
    try:
        if (chosen := forced()) is not None:
            return await _chosen_sandbox(chosen)
        support = await probe()
    except InfrastructureError as error:
        return None, Check("sandbox", State.MISSING, str(error), needed=True)
    reasons = " ".join(support.reasons.values())
    if support.level is None:
        return None, Check("sandbox", State.MISSING, f"No level holds here. {reasons}", remedy, needed=True)
    level = support.level.value
    if support.level is Level.BUBBLEWRAP:
        return level, Check("sandbox", State.OK, f"{level}. {support.cgroup}", needed=True)
    return level, Check("sandbox", State.LIMITED, f"{level}. {reasons} {support.cgroup}", remedy, needed=True)


async def _chosen_sandbox(level: Level) -> tuple[str | None, Check]:
    """What holds where the user chose the level."""
    from maxcode_lsp.executor.sandbox import Level, try_level

    remedy = "Unset MAXCODE_SANDBOX, and the strongest level that works is used."
    chosen = f"{level.value}, chosen with MAXCODE_SANDBOX"
    if level is Level.UNCONFINED:
        return level.value, Check("sandbox", State.LIMITED, f"{chosen}: only --unsafe allows it", remedy, needed=True)
    try:
        await try_level(level)
    except InfrastructureError as error:
        return None, Check("sandbox", State.MISSING, f"{chosen}, does not work here: {error}", remedy, needed=True)
    return level.value, Check("sandbox", State.OK, chosen, needed=True)


def _cache() -> Check:
    from maxcode_lsp.settings import cache_folder

    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as error:
        lost = "every build is made anew"
        return Check(
            "cache", State.LIMITED, f"{folder} cannot be used ({error.strerror}): {lost}", "Set XDG_CACHE_HOME."
        )
    detail = f"{folder}, {free / 1e9:.1f} GB free"
    if free < ENOUGH_DISK_BYTES:
        return Check("cache", State.LIMITED, detail, "Free some space: builds and proofs need about 2 GB.")
    return Check("cache", State.OK, detail)


def _own_settings() -> Check:
    from maxcode_lsp.settings import load, own_file

    file = own_file()
    if not file.exists():
        return Check("settings", State.OK, f"your own would be in {file}; there are none")
    _, problems = load(None, own=file)
    if not problems:
        return Check("settings", State.OK, f"your own: {file}")
    first = f"{problems[0].message} (line {problems[0].line})" if problems[0].line else problems[0].message
    return Check("settings", State.LIMITED, f"your own: {file}. {first}", "See docs/settings.md.")


def _hit_rates() -> Check | None:
    from maxcode_lsp.engine.hits import hits_file, known

    rates = sorted(known(hits_file()).items(), key=lambda item: (-item[1][1], item[0]))
    said = ", ".join(f"{kind} {faster} of {acted}" for kind, (acted, faster) in rates[:6] if acted)
    return Check("findings", State.OK, f"acted on with gain, over all runs: {said}") if said else None


async def _noise() -> tuple[float | None, Check]:
    from maxcode_lsp.engine.places import builds_folder
    from maxcode_lsp.executor.measure import Failure
    from maxcode_lsp.executor.noise import noise_floor

    try:
        floor_pct = 100 * await noise_floor(builds_folder())
    except (InfrastructureError, Refused, Failure) as error:
        return None, Check("timing", State.LIMITED, f"the noise could not be measured: {error}")
    detail = f"a program compared with itself: ±{floor_pct:.1f} %"
    if floor_pct <= QUIET_PCT:
        return floor_pct, Check("timing", State.OK, detail)
    return floor_pct, Check(
        "timing", State.LIMITED, detail, "Close what else is running; comparisons take longer meanwhile."
    )
