"""The list of runs. Of each journal only the heading and its end are read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from maxcode_lsp.engine.journal.files import explained, is_live, journals, opened
from maxcode_lsp.engine.journal.lines import LINE_BYTES, decode
from maxcode_lsp.engine.journal.reader import DISCARDED, heading
from maxcode_lsp.engine.journal.records import Summary
from maxcode_lsp.errors import JournalError
from maxcode_lsp.records import RunStatus

INTERRUPTED = "interrupted"
PIECE_BYTES = 64 << 10
"""Read at first; most runs say all that is needed in so much of their end."""


class _Glance(Struct, frozen=True):
    """What a list needs of any record; the rest is passed over."""

    type: str
    number: int = 0
    best: bool | str | None = None
    """A flag in ``evaluated``, an id in ``observed``."""
    speedup: float | None = None
    status: str = ""
    evaluations: int = 0
    ci95: tuple[float, float] | None = None
    reason: str = ""
    what: str = ""


class _GlanceLine(Struct, frozen=True):
    record: _Glance


def summaries(folder: Path, limit: int | None = None) -> list[Summary]:
    """Runs of a folder, newest first, at most ``limit``; blocks. Journals that cannot be read are left out."""
    found: list[Summary] = []
    for path in journals(folder):
        if limit is not None and len(found) >= limit:
            break
        try:
            found.append(summary(path))
        except JournalError:
            continue
    return found


def summary(path: Path) -> Summary:
    """One run in a line; blocks. Raises JournalError."""
    run = path.stem
    with explained(run), opened(path) as handle:
        return _summary(run, handle)


def _summary(run: str, handle: int) -> Summary:
    first = _first_line(handle)
    about = heading(run, first)
    end: _Glance | None = None
    last: _Glance | None = None
    best: _Glance | None = None
    settled = discarded = False
    for number, seen in enumerate(_backwards(handle, len(first))):
        discarded = discarded or (number == 0 and seen.type == "decided" and seen.what == DISCARDED)
        if seen.type == "finished" and not settled:
            end = seen
        settled = settled or seen.type in {"finished", "resumed"}
        if seen.type == "evaluated":
            last = last or seen
            best = seen if seen.best is True else None
        if best is not None or (end is not None and end.speedup is not None):
            break
    live = is_live(handle)
    return Summary(
        run=run,
        created=about.created,
        file=about.file,
        target=about.target,
        status=end.status if end is not None else RunStatus.RUNNING.value if live else INTERRUPTED,
        evaluations=end.evaluations if end is not None else last.number if last is not None else 0,
        budget=about.settings.candidates,
        best=end.speedup if end is not None and end.speedup is not None else best.speedup if best is not None else None,
        ci95=end.ci95 if end is not None else None,
        reason=end.reason if end is not None else "",
        live=live,
        search=about.search,
        effort=about.settings.effort,
        seed=about.seed,
        discarded=discarded,
    )


def _first_line(handle: int) -> bytes:
    """The first line with its end; what there is of it where it has none."""
    data, size = b"", PIECE_BYTES
    while b"\n" not in data and len(data) <= LINE_BYTES:
        piece = os.pread(handle, size, len(data))
        if not piece:
            return data
        data += piece
        size = len(data)
    return data[: data.find(b"\n") + 1]


def _backwards(handle: int, start: int) -> Iterator[_Glance]:
    """Records from the last one to the one at ``start``. A piece of a line at the end is left out, and so is what
    cannot be read: who reads all of it will hear.
    """
    at, size, rest = os.fstat(handle).st_size, PIECE_BYTES, b""
    while at > start and len(rest) <= LINE_BYTES:
        size = min(size, at - start)
        at -= size
        rows = (os.pread(handle, size, at) + rest).split(b"\n")
        rest = rows.pop(0) if at > start else b""
        size *= 2
        for row in reversed(rows):
            try:
                yield decode(row, _GlanceLine).record
            except (ValueError, RecursionError):
                continue
