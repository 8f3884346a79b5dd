"""Hunks: apply them, check them, find them between two texts, and show them as a unified diff."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence

from maxcode_lsp.records import Hunk

MOST_DIFFERENCES = 1500
"""Texts with more changed lines than this are told apart by one hunk: a finer diff would be slow
and say nothing."""
CONTEXT = 3
"""Unchanged lines around a change in a unified diff."""


def check(hunks: Sequence[Hunk], size: int | None = None) -> None:
    """Raise ValueError unless the hunks ascend, do not overlap, lie in a text of ``size`` bytes, and
    their replacements have LF line ends only. Two insertions at one place overlap.
    """
    at, inserted = 0, False
    for hunk in hunks:
        if hunk.start < at or hunk.end < hunk.start or (inserted and hunk.start == at):
            raise ValueError(f"hunk {hunk.start}..{hunk.end} overlaps the one before or ends before it starts")
        if b"\r" in hunk.replacement:
            raise ValueError(f"hunk {hunk.start}..{hunk.end} has a carriage return")
        at, inserted = hunk.end, hunk.start == hunk.end
    if size is not None and at > size:
        raise ValueError(f"hunks reach to {at} in a text of {size} bytes")


def apply(data: bytes, hunks: Sequence[Hunk]) -> bytes:
    """The text after the hunks. Raises ValueError as :func:`check` does."""
    check(hunks, len(data))
    pieces: list[bytes] = []
    at = 0
    for hunk in hunks:
        pieces += (data[at : hunk.start], hunk.replacement)
        at = hunk.end
    return b"".join((*pieces, data[at:]))


def diff(old: bytes, new: bytes) -> tuple[Hunk, ...]:
    """Hunks of whole lines that make ``new`` of ``old``: as few changed lines as possible.

    Changes with nothing between them but blank lines and punctuation (a lone brace) are one hunk:
    what stands between would tell a reader nothing.
    """
    before, behind = _differing(old, new)
    a, b = split_lines(old[before : len(old) - behind]), split_lines(new[before : len(new) - behind])
    hunks: list[Hunk] = []
    offsets = _offsets(a, before)
    for first, last, start, end in _joined(a, _changes(a, b)):
        hunks.append(Hunk(offsets[first], offsets[last], b"".join(b[start:end])))
    return tuple(hunks)


def difference(old: bytes, new: bytes) -> Hunk:
    """One hunk, from the first byte that differs to the last; empty for equal texts. Quick for large texts."""
    limit = min(len(old), len(new))
    head = _agreeing(limit, lambda low, high: old[low:high] == new[low:high])
    a, b = len(old), len(new)
    tail = _agreeing(limit - head, lambda low, high: old[a - high : a - low] == new[b - high : b - low])
    return Hunk(head, len(old) - tail, new[head : len(new) - tail])


def unified(old: bytes, new: bytes, path: str) -> str:
    """A unified diff with ``CONTEXT`` lines around each change, as ``patch`` and ``git apply`` take it.

    Empty for equal texts. Bytes that are not UTF-8 are shown as U+FFFD.
    """
    a, b = split_lines(old), split_lines(new)
    groups: list[list[tuple[int, int, int, int]]] = []
    for change in _changes(a, b):
        if groups and change[0] - groups[-1][-1][1] <= 2 * CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    if not groups:
        return ""
    shown = [f"--- {_named('a/', path)}\n+++ {_named('b/', path)}\n".encode()]
    for group in groups:
        shown += _section(a, b, group)
    return b"".join(shown).decode(errors="replace")


def split_lines(data: bytes) -> list[bytes]:
    """Lines with their LF; the last may have none."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def _agreeing(limit: int, agree: Callable[[int, int], bool]) -> int:
    """How many of the first ``limit`` places agree, told by halving from ranges that do."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if agree(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _section(a: list[bytes], b: list[bytes], group: list[tuple[int, int, int, int]]) -> list[bytes]:
    before = min(CONTEXT, group[0][0])
    after = min(CONTEXT, len(a) - group[-1][1])
    old_range = _range(group[0][0] - before, group[-1][1] + after)
    new_range = _range(group[0][2] - before, group[-1][3] + after)
    shown = [f"@@ -{old_range} +{new_range} @@\n".encode()]
    at = group[0][0] - before
    for first, last, start, end in group:
        shown += [_row(b" ", line) for line in a[at:first]]
        shown += [_row(b"-", line) for line in a[first:last]]
        shown += [_row(b"+", line) for line in b[start:end]]
        at = last
    return shown + [_row(b" ", line) for line in a[at : at + after]]


def _range(first: int, last: int) -> str:
    """Line numbers as unified diffs write them: of the first line, or of the one before an empty range."""
    return f"{first + (last > first)}" + ("" if last - first == 1 else f",{last - first}")


def _row(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"


def _named(prefix: str, path: str) -> str:
    """A file name as git writes it: quoted where it has control codes, tab behind it where it has spaces."""
    if any(c in '"\\' or not c.isprintable() for c in path):
        return (
            '"' + "".join(f"\\{c}" if c in '"\\' else c if c.isprintable() else _octal(c) for c in prefix + path) + '"'
        )
    return prefix + path + ("\t" if " " in path else "")


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode(errors="replace"))


def _differing(old: bytes, new: bytes) -> tuple[int, int]:
    """How many bytes of whole lines agree at the start, and how many of the others at the end."""
    found = difference(old, new)
    if found.start == found.end == len(old) and not found.replacement:
        return len(old), 0
    before = old.rfind(b"\n", 0, found.start) + 1
    # What was told apart by bytes may start inside a line, in one of the texts or in both.
    starts = {old[before : found.end][-1:], new[before : len(new) - len(old) + found.end][-1:]} <= {b"", b"\n"}
    at = found.end if starts else old.find(b"\n", found.end) + 1 or len(old)
    return before, len(old) - at


def _offsets(lines: list[bytes], start: int) -> list[int]:
    offsets = [start]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    return offsets


def _joined(a: list[bytes], changes: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    joined: list[tuple[int, int, int, int]] = []
    for first, last, start, end in changes:
        if joined and not any(re.search(rb"\w", line) for line in a[joined[-1][1] : first]):
            joined[-1] = (joined[-1][0], last, joined[-1][2], end)
        else:
            joined.append((first, last, start, end))
    return joined


def _changes(a: list[bytes], b: list[bytes]) -> list[tuple[int, int, int, int]]:
    """Changed line ranges ``a[first:last] -> b[start:end]``, ascending, with unchanged lines between."""
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    if not middle_a and not middle_b:
        return []
    kept = _common(middle_a, middle_b)
    changes: list[tuple[int, int, int, int]] = []
    i = j = 0
    for x, y in [*kept, (len(middle_a), len(middle_b))]:
        if x > i or y > j:
            changes.append((head + i, head + x, head + j, head + y))
        i, j = x + 1, y + 1
    return changes


def _common(a: list[bytes], b: list[bytes]) -> list[tuple[int, int]]:
    """Index pairs of a longest common subsequence (Myers, O(ND)); none where too much differs."""
    limit = min(len(a) + len(b), MOST_DIFFERENCES)
    numbers: dict[bytes, int] = {}
    x_of, y_of = ([numbers.setdefault(line, len(numbers)) for line in side] for side in (a, b))
    furthest: dict[int, int] = {1: 0}
    trace: list[array[int]] = []
    for distance in range(limit + 1):
        row = array("l", [0]) * (distance + 1)
        for slot, k in enumerate(range(-distance, distance + 1, 2)):
            down = k == -distance or (k != distance and furthest[k - 1] < furthest[k + 1])
            x = furthest[k + 1] if down else furthest[k - 1] + 1
            while x < len(a) and x - k < len(b) and x - k >= 0 and x_of[x] == y_of[x - k]:
                x += 1
            furthest[k] = row[slot] = x
            if x >= len(a) and x - k >= len(b):
                trace.append(row)
                return _walk_back(trace, len(a), len(b))
        trace.append(row)
    return []


def _walk_back(trace: list[array[int]], x: int, y: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for distance in range(len(trace) - 1, 0, -1):
        k, before = x - y, trace[distance - 1]
        # Row ``distance - 1`` holds diagonal ``d`` at ``(d + distance - 1) // 2``.
        left = (k + distance) // 2 - 1
        down = k == -distance or (k != distance and before[left] < before[left + 1])
        previous_k = k + 1 if down else k - 1
        previous_x = before[left + 1] if down else before[left]
        turn_x = previous_x if down else previous_x + 1
        while x > turn_x:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = previous_x, previous_x - previous_k
    while x > 0 and y > 0:
        x, y = x - 1, y - 1
        pairs.append((x, y))
    return pairs[::-1]
