"""Writing into the journal of a run that has ended that its result is not wanted."""

from __future__ import annotations

from pathlib import Path

from maxcode_lsp.engine.events import Decided
from maxcode_lsp.engine.journal.places import journal_file
from maxcode_lsp.engine.journal.reader import DISCARDED, read
from maxcode_lsp.engine.journal.writer import Journal


def discard(folder: Path, run: str) -> bool:
    """Blocks. False: a live run has it, it has no result, or it says so already. Raises JournalError, StorageFull."""
    journal = Journal.go_on(folder, run)
    if journal is None:
        return False
    try:
        recorded = read(journal_file(folder, run))
        if recorded.result is None or recorded.discarded:
            return False
        journal.cut(recorded.end)
        journal.append(recorded.lines[-1].at_s, Decided(DISCARDED, recorded.result.winner, ""))
    finally:
        journal.close()
    return True
