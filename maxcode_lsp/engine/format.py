"""The winning edit in the style of its project, before it is confirmed: what is offered is what was proven.

Only lines that the edit changed are formatted, by clang-format with the project's own ``.clang-format``, and only
white space between tokens may differ afterwards. Where anything is amiss, the edit stays as it was found.
"""

from __future__ import annotations

import asyncio
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.engine.events import HunkReport
from maxcode_lsp.engine.trim import Trimmed
from maxcode_lsp.errors import InfrastructureError
from maxcode_lsp.executor.build import lay_out
from maxcode_lsp.executor.closure import project_root
from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Mount, Sandbox, Scratch
from maxcode_lsp.executor.wheel import RunTool, WheelTool, find_wheel_tool
from maxcode_lsp.messages import endings, phrases, preparing
from maxcode_lsp.records import Hunk, candidate_id
from maxcode_lsp.settings.file import is_file
from maxcode_lsp.text.edits import apply, diff, split_lines
from maxcode_lsp.text.source import SourceText
from maxcode_lsp.text.tokens import Token, stay_apart, tokens

STYLES = (".clang-format", "_clang-format")
_IGNORED = ".clang-format-ignore"
STYLE_BYTES = 1 << 20
"""No style file is larger."""
LIMIT_S = 20.0
MEMORY_BYTES = 2 << 30
_REPLACEMENT = re.compile(rb"<replacement offset='(\d+)' length='(\d+)'>((?:[ \t]|&#10;|&#13;)*)</replacement>")
"""Those that put in white space; what else clang-format wants is not done."""
_ERROR = re.compile(r"(?:error|Error reading [^:\n]*): *([^\n]+?)\.?$", re.MULTILINE)
_DISABLED = re.compile(rb"^\s*DisableFormat\s*:\s*true\b", re.MULTILINE | re.IGNORECASE)


class Formatted(Struct, frozen=True):
    """The edit that is left, and why it is not formatted (one sentence each)."""

    trimmed: Trimmed
    notes: tuple[str, ...] = ()


class Formatter:
    """Formats edits of one file."""

    def __init__(self, file: Path, run_tool: RunTool) -> None:
        """``file``: where it is on the user's machine; its project's style is found from there."""
        self._file = Path(os.path.normpath(file.absolute()))
        self._run_tool = run_tool

    async def format(self, source: SourceText, trimmed: Trimmed) -> Formatted:
        """The edit of ``source`` in the style of its project. Never raises for what that style or the code is."""
        try:
            styles = await asyncio.to_thread(read_styles, self._file)
            if not styles:
                return Formatted(trimmed)
            return Formatted(await self._formatted(source, trimmed, styles))
        except KeptError as kept:
            return Formatted(trimmed, (endings.not_formatted(str(kept)),))

    async def _formatted(self, source: SourceText, trimmed: Trimmed, styles: dict[str, bytes]) -> Trimmed:
        edited = apply(source.data, trimmed.candidate.change.hunks)
        lines = changed_lines(diff(source.data, edited), source)
        wanted = await self._ask(edited, lines, styles) if lines else []
        if not wanted:
            return trimmed
        text = await asyncio.to_thread(with_white_space, edited, wanted)
        hunks = diff(source.data, text)
        if not hunks:
            return trimmed
        reports = tuple(map_reports(source, hunks, trimmed.reports))
        change = replace(trimmed.candidate.change, hunks=hunks)
        return replace(
            trimmed, candidate=replace(trimmed.candidate, id=candidate_id(text), change=change), reports=reports
        )

    async def _ask(self, text: bytes, lines: Sequence[range], styles: dict[str, bytes]) -> list[Hunk]:
        """The white space that clang-format wants in those lines (from 1)."""
        tool = find_wheel_tool("clang-format")
        if tool is None:
            raise KeptError("clang-format is not installed; get it with “pip install clang-format”")
        unit = self._file.relative_to(project_root(self._file.parent)).as_posix()
        try:
            with Scratch() as scratch:
                root = scratch.path / "src"
                await asyncio.to_thread(lay_out, root, {**styles, unit: text})
                mounts = (Mount(root, "/src"), *tool.mounts)
                ended = await self._run_tool(mounts, lambda sandbox: _command(sandbox, tool, unit, lines))
        except (InfrastructureError, OSError, ValueError) as trouble:
            raise KeptError(f"clang-format could not be run: {str(trouble).rstrip('.')}") from trouble
        return _answer(ended, styles)


class KeptError(Exception):
    """Why the edit stays as it was found; a clause."""


def read_styles(file: Path) -> dict[str, bytes]:
    """The style files that hold for ``file``, by their paths in its project; empty where it has none."""
    root = project_root(file.parent)
    folders = [folder for folder in (file.parent, *file.parents) if folder.is_relative_to(root)]
    # One may inherit from those above it, so all of them go along.
    found = {
        (folder / name).relative_to(root).as_posix(): _read(folder / name)
        for folder in folders
        for name in (*STYLES, _IGNORED)
        if is_file(folder / name)
    }
    return found if any(Path(path).name in STYLES for path in found) else {}


def _read(path: Path) -> bytes:
    try:
        # What is a file now may be a pipe when it is opened.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            data = file.read(STYLE_BYTES + 1)
    except OSError as error:
        raise KeptError(f"{path.name} cannot be read ({error.strerror})") from error
    if len(data) > STYLE_BYTES:
        raise KeptError(f"{path.name} is larger than 1 MB")
    return data


def _command(sandbox: Sandbox, tool: WheelTool, unit: str, lines: Sequence[range]) -> Command:
    root = sandbox.path("/src")
    argv = (
        tool.binary(sandbox),
        "--style=file",
        "--fallback-style=none",
        # The order of the user's includes may matter, and is theirs.
        "--sort-includes=false",
        "--output-replacements-xml",
        *(f"--lines={some.start}:{some.stop - 1}" for some in lines),
        f"{root}/{unit}",
    )
    return Command(argv, Conduct.TOOL, cwd=root, wall_s=LIMIT_S, cpu_s=LIMIT_S, memory_bytes=MEMORY_BYTES)


def _answer(ended: Exit, styles: dict[str, bytes]) -> list[Hunk]:
    if ended.timed_out or ended.overflowed:
        raise KeptError("clang-format reached its limits on this file")
    if not ended.ok:
        error = _ERROR.search(phrases.plain(ended.stderr))
        how = preparing.ended_with(ended.code, ended.signal)
        raise KeptError(
            f"clang-format does not take its settings ({error.group(1)[:200]})"
            if error
            else f"clang-format failed, {how}"
        )
    found = [
        Hunk(int(start), int(start) + int(length), put.replace(b"&#10;", b"\n").replace(b"&#13;", b""))
        for start, length, put in _REPLACEMENT.findall(ended.stdout)
    ]
    if not found and any(map(_DISABLED.search, styles.values())):
        raise KeptError("the project's settings of clang-format say DisableFormat")
    if b"incomplete_format='true'" in ended.stdout:
        raise KeptError("clang-format does not understand this code")
    return found


def changed_lines(hunks: Sequence[Hunk], source: SourceText) -> list[range]:
    """Lines (from 1) of the edited text that ``hunks`` of whole lines put in; ranges that touch are one."""
    lines: list[range] = []
    shift = 0
    for hunk in hunks:
        first = source.line_at(hunk.start) + shift
        count = len(split_lines(hunk.replacement))
        shift += count - len(split_lines(source.data[hunk.start : hunk.end]))
        if lines and lines[-1].stop == first:
            lines[-1] = range(lines[-1].start, first + count)
        elif count:
            lines.append(range(first, first + count))
    return lines


def with_white_space(text: bytes, wanted: Sequence[Hunk]) -> bytes:
    """The text with the wanted white space wherever it stands between two tokens and keeps them two.

    Raises where the tokens would be others after all.
    """
    known = tokens(text)
    if any(token.text == b"\\" for token in known):
        raise KeptError("the code has a backslash at a line's end outside of macros")
    ends = [token.end for token in known]
    fitting = [hunk for hunk in sorted(wanted) if _fits(text, known, bisect_right(ends, hunk.start), hunk)]
    try:
        formatted = apply(text, fitting)
    except ValueError as error:
        raise KeptError("clang-format gave an answer that does not fit") from error
    if [token.text for token in tokens(formatted)] != [token.text for token in known]:
        raise KeptError("clang-format would change more than white space")
    return formatted


def _fits(text: bytes, known: Sequence[Token], following: int, hunk: Hunk) -> bool:
    """Whether it lies before the token of that number, touches none, and nothing runs together or apart by it."""
    before = known[following - 1] if following else None
    after = known[following] if following < len(known) else None
    if hunk.end > (after.start if after is not None else len(text)):
        return False
    if before is None or after is None:
        return True
    left = text[before.end : hunk.start] + hunk.replacement + text[hunk.end : after.start]
    return bool(left) == (before.end < after.start) or stay_apart(before.text, after.text)


def map_reports(source: SourceText, hunks: Sequence[Hunk], reports: Sequence[HunkReport]) -> Iterator[HunkReport]:
    """What is known about ``hunks``, from the reports on the hunks that they were drawn from."""
    for hunk in hunks:
        distance = min((_distance(hunk, report.hunk) for report in reports), default=0)
        behind = [report for report in reports if _distance(hunk, report.hunk) == distance]
        best = max(behind, key=lambda report: report.worth or 0.0, default=None)
        whys = list(dict.fromkeys(report.why for report in behind))
        yield HunkReport(
            hunk=hunk,
            first_line=source.line_at(hunk.start),
            actions=tuple(dict.fromkeys(action for report in behind for action in report.actions)),
            # One report may have said already what another says.
            why=" ".join(why for why in whys if not any(why != other and why in other for other in whys)),
            worth=best.worth if best is not None else None,
            worth_ci95=best.worth_ci95 if best is not None else None,
        )


def _distance(one: Hunk, other: Hunk) -> int:
    """How many bytes of the original are between two hunks; -1: they share some, or insert at one place."""
    if one.start == other.start or (one.start < other.end and other.start < one.end):
        return -1
    return max(one.start - other.end, other.start - one.end, 0)
