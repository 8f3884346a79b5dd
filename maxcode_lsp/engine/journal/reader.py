"""Reading a journal. It is not trusted input: bounded, and nothing but the records of ``records.py`` comes out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from maxcode_lsp.engine.events import Decided, Evaluated, RunResult
from maxcode_lsp.engine.journal.files import explained, open_to_read
from maxcode_lsp.engine.journal.lines import FILE_BYTES, LINE_BYTES, decode
from maxcode_lsp.engine.journal.records import VERSION, Line, Opened, Resumed
from maxcode_lsp.errors import JournalError
from maxcode_lsp.messages import troubles
from maxcode_lsp.text.source import SourceText

DISCARDED = "discarded"
"""What is decided about a run that has ended, where its result is not wanted."""


class Recorded(Struct, frozen=True):
    """All that a journal says."""

    opened: Opened
    lines: tuple[Line, ...]
    """All after the heading."""
    end: int
    """Bytes up to the end of the last whole line."""

    @property
    def result(self) -> RunResult | None:
        """The end of the run; None where it was interrupted, or goes on."""
        for line in reversed(self.lines):
            if isinstance(line.record, RunResult):
                return line.record
            if isinstance(line.record, Resumed):
                return None
        return None

    @property
    def discarded(self) -> bool:
        """The user does not want the result (see ``discarding``)."""
        last = self.lines[-1].record if self.lines else None
        return isinstance(last, Decided) and last.what == DISCARDED

    @property
    def evaluated(self) -> tuple[Evaluated, ...]:
        """Every judged candidate."""
        return tuple(line.record for line in self.lines if isinstance(line.record, Evaluated))

    @property
    def best(self) -> Evaluated | None:
        """The best that the search found."""
        return next((found for found in reversed(self.evaluated) if found.best), None)

    def text(self, candidate: str) -> bytes:
        """The whole file of a judged candidate or the winner, exact bytes. Raises JournalError where there is none."""
        end = self.result
        if end is not None and end.winner == candidate and end.edited is not None:
            return end.edited
        for found in self.evaluated:
            if found.candidate is not None and found.candidate.id == candidate:
                try:
                    return SourceText(self.opened.source).render(found.candidate.change.hunks)
                except ValueError as error:
                    raise JournalError(troubles.journal_damaged(self.opened.run, str(error))) from error
        raise JournalError(troubles.no_such_candidate(self.opened.run, candidate))


class _Form(Struct, frozen=True):
    """What every version of a heading has; the rest may be another one's."""

    version: int


class _FormLine(Struct, frozen=True):
    record: _Form


def read(path: Path) -> Recorded:
    """Read all of a journal; blocks. A piece of a line at the end is left out. Raises JournalError."""
    run = path.stem
    with explained(run), os.fdopen(open_to_read(path), "rb") as file:
        if os.fstat(file.fileno()).st_size > FILE_BYTES:
            raise JournalError(troubles.journal_damaged(run, "it is larger than any that we write"))
        return _read(run, file)


def heading(run: str, line: bytes) -> Opened:
    """The heading from the first line. Raises JournalError, for another version too."""
    try:
        version = decode(line, _FormLine).record.version
        if version != VERSION:
            raise JournalError(troubles.journal_of_other_version(run, version, VERSION))
        opened = decode(line, Line).record
    except (ValueError, RecursionError) as error:
        raise JournalError(troubles.journal_damaged(run, "its first line is no heading")) from error
    if not isinstance(opened, Opened):
        raise JournalError(troubles.journal_damaged(run, "its first line is no heading"))
    return opened


def _read(run: str, file: BinaryIO) -> Recorded:
    rows = _whole_lines(run, file)
    first = next(rows, None)
    if first is None:
        raise JournalError(troubles.journal_damaged(run, "it is empty"))
    opened, end = heading(run, first), len(first)
    lines: list[Line] = []
    for number, row in enumerate(rows, 2):
        try:
            line = decode(row, Line)
        except (ValueError, RecursionError) as error:
            raise JournalError(troubles.journal_damaged(run, f"line {number} cannot be read")) from error
        if isinstance(line.record, Opened):
            raise JournalError(troubles.journal_damaged(run, f"line {number} is a second heading"))
        lines.append(line)
        end += len(row)
    return Recorded(opened, tuple(lines), end)


def _whole_lines(run: str, file: BinaryIO) -> Iterator[bytes]:
    read_bytes = 0
    while row := file.readline(LINE_BYTES + 1):
        read_bytes += len(row)
        if len(row) > LINE_BYTES or read_bytes > FILE_BYTES:
            raise JournalError(troubles.journal_damaged(run, "it is larger than any that we write"))
        if row.endswith(b"\n"):
            yield row
