"""The journals on disk, read in a thread and within a time: earlier runs, also those of other windows."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Prepared
from maxcode_lsp.engine.journal.listing import summaries, summary
from maxcode_lsp.engine.journal.places import journal_file, runs_folder
from maxcode_lsp.engine.journal.reader import Recorded, read
from maxcode_lsp.engine.journal.records import Summary
from maxcode_lsp.server.runs.runs import Run

LIMIT_S = 10.0
LOOKED_AT = 200
"""Of so many newest journals, that of one file is looked for."""

_log = logging.getLogger(__name__)
_Made = TypeVar("_Made")


async def listed(limit: int | None = None) -> list[Summary]:
    """All runs, newest first; none where they cannot be read in time."""
    return await _within(lambda: summaries(runs_folder(), limit)) or []


async def of_file(file: Path) -> list[Summary]:
    """The runs of one program, newest first."""
    return [summary for summary in await listed() if summary.file == str(file)]


async def newest_of(file: Path) -> Summary | None:
    """The newest run of a program; None: there is none among the newest of all."""
    return next((run for run in await listed(LOOKED_AT) if Path(run.file) == file), None)


async def about(run: str) -> tuple[Summary, Recorded] | None:
    """One run in a line, and all about it; else as :func:`recorded`."""

    def found() -> tuple[Summary, Recorded] | None:
        file = journal_file(runs_folder(), run)
        return (summary(file), read(file)) if os.path.lexists(file) else None

    return await _within(found)


async def recorded(run: str) -> Recorded | None:
    """All about one run; None where there is no such journal, or it cannot be read in time.

    Raises JournalError where it is damaged, or another version's.
    """

    def found() -> Recorded | None:
        file = journal_file(runs_folder(), run)
        return read(file) if os.path.lexists(file) else None

    return await _within(found)


def retell(run: Run, recorded: Recorded) -> None:
    """What a journal says happens in a run once more, but for what only interests while it happens."""
    for line in recorded.lines:
        if isinstance(line.record, Prepared | Critiqued | Evaluated | Decided):
            run.happened(line.record)
    # It may have been stopped before, and gone on: only its last end counts.
    if recorded.result is not None:
        run.happened(recorded.result)


async def _within(read_it: Callable[[], _Made]) -> _Made | None:
    try:
        async with asyncio.timeout(LIMIT_S):
            return await asyncio.to_thread(read_it)
    except (OSError, ValueError, TimeoutError) as trouble:
        _log.info("journals: %s", trouble)
        return None
