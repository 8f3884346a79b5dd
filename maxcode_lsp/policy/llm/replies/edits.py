"""Edits in a reply: search-and-replace hunks, and unified diffs, which are read as such."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from enum import Enum

from msgspec import Struct

from maxcode_lsp.messages import replies as complaints
from maxcode_lsp.policy.llm.replies.blocks import is_fence, without_lead

MOST_EDITS = 200
"""Ours: whoever changes more places had better send the whole program."""
_MOST_DIVIDERS = 8

_SEARCH = re.compile(
    r"<{5,9}([ ]?(search|original|head|before|old|current)\b[^<>=]{0,80})?|-{5,9}[ ]search", re.IGNORECASE
)
_DIVIDER = re.compile(r"={5,9}([ ]?(replace|with))?", re.IGNORECASE)
_REPLACE = re.compile(r">{5,9}([ ]?(replace|updated|after|new)\b[^<>=]{0,80})?|[+]{5,9}[ ]replace", re.IGNORECASE)
_SECTION = re.compile(r"@@.*")
_FILES = ("diff --git ", "index ", "new file mode ", "old mode ", "new mode ")


class Edit(Struct, frozen=True):
    """Lines to find, and those to put in their place. A line that divides may stand in what is sought: then there are
    several ways to read it.
    """

    number: int
    """From 1, as a model would count."""
    ways: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    """Each: the lines to find, the lines to put there."""
    anchored: bool = True
    """False: a diff that adds lines without any around it."""


class Edits(Struct, frozen=True):
    """All edits of a reply."""

    edits: tuple[Edit, ...] = ()
    complaint: str = ""
    """What is wrong with how they are written; then none counts."""
    cut: bool = False
    """The last is not ended."""
    lines: tuple[tuple[int, int], ...] = ()
    """Where they stand, as lines ``[first, last)`` of the reply."""

    def __bool__(self) -> bool:
        return bool(self.edits or self.complaint)


class _Mark(Enum):
    SEARCH = "<<<<<<< SEARCH"
    DIVIDER = "======="
    REPLACE = ">>>>>>> REPLACE"


def begins_hunk(line: str) -> bool:
    """Whether a line is one with which a hunk begins."""
    return _mark(line) is _Mark.SEARCH


def is_mark(line: str) -> bool:
    """Whether a line is a mark of a hunk, or of a fence."""
    return _mark(line) is not None or is_fence(line)


def search_and_replace(lines: Sequence[str]) -> Edits:
    """All hunks that stand in lines, whatever is between them."""
    edits: list[Edit] = []
    places: list[tuple[int, int]] = []
    first: int | None = None
    dividers: list[int] = []
    for at, line in enumerate(lines):
        mark = _mark(line)
        if mark is None or (first is None and mark is not _Mark.SEARCH):
            continue
        number = len(edits) + 1
        if first is None:
            first, dividers = at, []
        elif mark is _Mark.DIVIDER:
            dividers.append(at)
        elif not dividers or mark is _Mark.SEARCH:
            missing = _Mark.REPLACE if dividers else _Mark.DIVIDER
            return Edits(complaint=complaints.hunk_without(number, missing.value), lines=((first, at),))
        else:
            edits.append(Edit(number, tuple(_ways(lines, first, dividers[:_MOST_DIVIDERS], at))))
            places.append((first, at + 1))
            first = None
            if len(edits) > MOST_EDITS:
                return Edits(complaint=complaints.too_many_hunks(MOST_EDITS))
    if first is not None:
        missing = _Mark.REPLACE if dividers else _Mark.DIVIDER
        return Edits(
            complaint=complaints.hunk_without(len(edits) + 1, missing.value), cut=True, lines=((first, len(lines)),)
        )
    return Edits(tuple(edits), lines=tuple(places))


def pairs(old_and_new: Sequence[tuple[str, str]]) -> Edits:
    """Edits of pairs of texts."""
    if len(old_and_new) > MOST_EDITS:
        return Edits(complaint=complaints.too_many_hunks(MOST_EDITS))
    found = enumerate(old_and_new, 1)
    return Edits(tuple(Edit(number, ((_lines(old), _lines(new)),)) for number, (old, new) in found))


def looks_like_diff(code: str, info: str) -> bool:
    """Whether lines say what is removed and added, and what stays."""
    lines = code.split("\n")
    if any(re.match(r"@@ .*@@|@@ -\d|@@$", line) for line in lines):
        return True
    return info in {"diff", "patch"} and any(line.startswith(("+", "-")) for line in lines)


def marks_changes(code: str, shown: Collection[str]) -> bool:
    """Whether code that is no diff otherwise marks lines as removed. ``shown``: the program's lines, stripped."""
    return any(
        line.startswith("-") and len(line.strip()) > 3 and line[1:].strip() in shown for line in code.split("\n")
    )


def with_changes_made(code: str) -> str:
    """The code without the lines that are marked as removed, and without the marks of the others."""
    lines = code.split("\n")
    marked = all(not line or line[0] in " +-" for line in lines)
    kept = (line for line in lines if not line.startswith("-"))
    return "\n".join(line[1:] if line.startswith("+") or marked else line for line in kept)


def unified_diff(lines: Sequence[str], first_number: int = 1) -> list[Edit]:
    """The edits of a unified diff. Its line numbers are not believed: models cannot count lines."""
    found: list[Edit] = []
    for section in _sections(lines):
        while section and not section[-1].strip():
            section.pop()
        if not any(line.startswith(("+", "-")) for line in section):
            continue
        old = tuple(_unmarked(line) for line in section if not line.startswith("+"))
        new = tuple(_unmarked(line) for line in section if not line.startswith("-"))
        found.append(Edit(first_number + len(found), ((old, new),), anchored=bool(old)))
        if len(found) > MOST_EDITS:
            break
    return found


def _sections(lines: Sequence[str]) -> Iterator[list[str]]:
    section: list[str] = []
    for at, line in enumerate(lines):
        behind = [*lines[at + 1 : at + 3], "", ""]
        if line.startswith("--- ") and behind[0].startswith("+++ ") and (not section or behind[1].startswith("@@")):
            yield section
            section = []
        elif line.startswith("+++ ") and at and lines[at - 1].startswith("--- ") and not section:
            continue
        elif _SECTION.match(line) or line.strip() == "..." or line.startswith(_FILES):
            yield section
            section = []
        elif not line.startswith("\\ No newline"):
            section.append(line)
    yield section


def _unmarked(line: str) -> str:
    return line[1:] if line[:1] in {" ", "+", "-"} else line


def _mark(line: str) -> _Mark | None:
    stripped = line.strip()
    if stripped[:1] not in {"<", "=", ">", "-", "+"} or len(stripped) > 120:
        return None
    for mark, pattern in ((_Mark.SEARCH, _SEARCH), (_Mark.DIVIDER, _DIVIDER), (_Mark.REPLACE, _REPLACE)):
        if pattern.fullmatch(stripped):
            return mark
    return None


def _ways(
    lines: Sequence[str], first: int, dividers: Sequence[int], last: int
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    inside = without_lead(lines[first + 1 : last], lines[first])
    for divider in dividers:
        old, new = (_unfenced(half) for half in (inside[: divider - first - 1], inside[divider - first :]))
        yield old, new


def _unfenced(lines: Sequence[str]) -> tuple[str, ...]:
    """Without the fence that a model put around half a hunk."""
    full = [at for at, line in enumerate(lines) if line.strip()]
    if len(full) >= 2 and is_fence(lines[full[0]]) and is_fence(lines[full[-1]]):
        return tuple(lines[full[0] + 1 : full[-1]])
    return tuple(lines)


def _lines(text: str) -> tuple[str, ...]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    return tuple(text.split("\n")) if text else ()
