"""clang-tidy's performance checks: what it says about a version of the target, with its fixes.

It costs seconds of CPU, so it is run once on the original and once on each new best. What it says is
used twice: the ``rewrites`` policy proposes the fixes, and critique shows the remarks.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import yaml
from msgspec import Struct

from maxcode_lsp.errors import InfrastructureError
from maxcode_lsp.executor.build import lay_out
from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Mount, Sandbox, Scratch
from maxcode_lsp.executor.wheel import RunTool, WheelTool, find_wheel_tool
from maxcode_lsp.records import Hunk

CHECKS = (
    "performance-*",
    # Ours are better placed: one rewrite a site, with the flush rules beside them.
    "-performance-avoid-endl",
    "-performance-enum-size",
    "modernize-use-emplace",
    "modernize-pass-by-value",
)
LIMIT_S = 60.0
_MISSING = "clang-tidy is not installed, so its checks were left out; get it with “pip install clang-tidy”."


class TidyRemark(Struct, frozen=True):
    """One diagnostic of clang-tidy in the unit itself."""

    check: str
    """Name of the check, for example ``performance-for-range-copy``."""
    line: int
    """From 1."""
    message: str
    hunks: tuple[Hunk, ...] = ()
    """Its fix against the text that was looked at; empty where it has none."""


class TidyReport(Struct, frozen=True):
    """All remarks in order of their lines, and why there are none (``notes``, one sentence each)."""

    remarks: tuple[TidyRemark, ...] = ()
    notes: tuple[str, ...] = ()


class ClangTidy:
    """clang-tidy for one target. Remembers its reports, so that policy and critique share a run."""

    def __init__(self, unit: str, files: Mapping[str, bytes], flags: Sequence[str], run_tool: RunTool) -> None:
        """``files``: the target's closure by path; ``unit``: the path in it that candidates change."""
        self._unit = unit
        self._files = dict(files)
        self._flags = tuple(flags)
        self._run_tool = run_tool
        self._reports: dict[str, asyncio.Task[TidyReport]] = {}

    async def report(self, text: bytes) -> TidyReport:
        """What clang-tidy says about this version of the unit. Never raises for odd code or a missing tool."""
        key = hashlib.sha256(text).hexdigest()
        task = self._reports.get(key)
        if task is None or task.cancelled():
            files = self._files | {self._unit: text}
            task = asyncio.create_task(tidy_report(self._unit, files, self._flags, self._run_tool))
            self._reports[key] = task
        # One asker that goes away does not take the run from the other.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End what is still running. Idempotent."""
        tasks = list(self._reports.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def tidy_report(unit: str, files: Mapping[str, bytes], flags: Sequence[str], run_tool: RunTool) -> TidyReport:
    """Run clang-tidy once, sandboxed, on ``files[unit]``."""
    tool = find_clang_tidy()
    if tool is None:
        return TidyReport(notes=(_MISSING,))
    try:
        with Scratch() as scratch:
            root = scratch.path / "src"
            lay_out(root, files)
            mounts = (Mount(root, "/src"), *tool.mounts)
            ended = await run_tool(mounts, lambda sandbox: _command(sandbox, tool, unit, flags))
    except InfrastructureError as trouble:
        return TidyReport(notes=(f"clang-tidy's checks were left out. {trouble}",))
    if ended.timed_out or ended.overflowed:
        return TidyReport(notes=("clang-tidy reached its limits on this file, so its checks were left out.",))
    remarks = parse_fixes(ended.stdout, unit, files[unit])
    if not remarks and ended.code != 0:
        return TidyReport(notes=(_why_failed(ended),))
    return TidyReport(remarks)


def find_clang_tidy() -> WheelTool | None:
    """The binary; None where there is none."""
    return find_wheel_tool("clang-tidy")


def _command(sandbox: Sandbox, tool: WheelTool, unit: str, flags: Sequence[str]) -> Command:
    root = sandbox.path("/src")
    argv = (
        tool.binary(sandbox),
        f"{root}/{unit}",
        f"--checks=-*,{','.join(CHECKS)}",
        "--export-fixes=-",
        "--quiet",
        "--",
        *clang_flags(flags),
    )
    return Command(argv, Conduct.TOOL, cwd=root, wall_s=LIMIT_S, cpu_s=LIMIT_S, memory_bytes=4 << 30)


_KEEP = re.compile(
    r"-std=.*|-[DUI].+|-f(no-)?(exceptions|rtti|openmp|openmp-simd|char8_t|signed-char|unsigned-char|permissive)"
    r"|-pthread|-(include|isystem|iquote|idirafter|imacros).+"
)
_KEEP_WITH_NEXT = ("-D", "-U", "-I", "-include", "-isystem", "-iquote", "-idirafter", "-imacros")


def clang_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Those build flags that change what the text means; GCC-only and code generation flags make clang-tidy fail."""
    kept: list[str] = ["-x", "c++", "-Wno-everything", "-ferror-limit=3"]
    words = iter(flags)
    for word in words:
        if word in _KEEP_WITH_NEXT:
            following = next(words, None)
            kept += (word, following) if following is not None else ()
        elif _KEEP.fullmatch(word):
            kept.append(word)
    return tuple(kept)


def parse_fixes(output: bytes, unit: str, text: bytes) -> tuple[TidyRemark, ...]:
    """The exported fixes at the end of clang-tidy's output that concern the unit, in order of their lines."""
    start = output.rfind(b"\n---\nMainSourceFile:")
    if start < 0 and not output.startswith(b"---\nMainSourceFile:"):
        return ()
    try:
        exported = yaml.load(output[start + 1 :].decode(errors="replace"), Loader=_LOADER)  # noqa: S506  (a safe one)
        entries = [_remark(entry, unit, text) for entry in exported["Diagnostics"] or ()]
    except (yaml.YAMLError, KeyError, TypeError):
        return ()
    found = {entry for entry in entries if entry is not None}
    return tuple(sorted(found, key=lambda remark: (remark.line, remark.check, remark.hunks)))


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _remark(entry: Any, unit: str, text: bytes) -> TidyRemark | None:
    said = entry["DiagnosticMessage"]
    check = str(entry["DiagnosticName"])
    offset = int(said["FileOffset"])
    if check.startswith("clang-diagnostic") or not _is_unit(said["FilePath"], unit) or not 0 <= offset <= len(text):
        return None
    hunks: list[Hunk] = []
    for part in said["Replacements"] or ():
        start, end = int(part["Offset"]), int(part["Offset"]) + int(part["Length"])
        replacement = str(part["ReplacementText"])
        if not _is_unit(part["FilePath"], unit) or not 0 <= start <= end <= len(text):
            hunks = []
            break
        if replacement.lstrip().startswith("#include"):
            if replacement.strip().encode() in text or b"bits/stdc++.h" in text:
                continue
            replacement = replacement.lstrip()
        hunks.append(Hunk(start, end, replacement.encode()))
    message = " ".join(str(said["Message"]).split())
    return TidyRemark(check, text.count(b"\n", 0, offset) + 1, message, tuple(sorted(hunks)))


def _is_unit(path: str, unit: str) -> bool:
    return PurePosixPath(path).parts[-len(PurePosixPath(unit).parts) :] == PurePosixPath(unit).parts


def _why_failed(ended: Exit) -> str:
    lines = (ended.stdout + b"\n" + ended.stderr).decode(errors="replace").splitlines()
    error = next((line.split("error:", 1)[1].strip() for line in lines if "error:" in line), "")
    what = f": {error[:200]}" if error else f" (exit status {ended.code}, signal {ended.signal})"
    return f"clang-tidy could not read this file{what}. Its checks were left out."
