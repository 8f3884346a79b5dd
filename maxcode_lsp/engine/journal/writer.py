"""Writing a journal: one ``write`` a line, so that what was written survives whatever ends the process."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.engine.journal.files import FILE_MODE, FOLDER_MODE, try_lock
from maxcode_lsp.engine.journal.lines import FILE_BYTES, LINE_BYTES, encode_redacted
from maxcode_lsp.engine.journal.places import journal_file
from maxcode_lsp.engine.journal.records import Line, Opened, Record
from maxcode_lsp.errors import JournalError, StorageFull
from maxcode_lsp.messages import troubles


class Journal:
    """The journal of a live run. Nothing is synced to the disk: a power cut may cost the last lines."""

    def __init__(self, path: Path, handle: int) -> None:
        """An open file whose lock is held; see :meth:`begin` and :meth:`go_on`."""
        self.path = path
        self._handle = handle
        self._size = os.fstat(handle).st_size
        self._whole = True
        """Nothing was left out so far."""

    @staticmethod
    def begin(folder: Path, opened: Opened) -> Journal:
        """A new journal with its heading. Raises StorageFull where it cannot be kept."""
        path = journal_file(folder, opened.run)
        try:
            folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            handle = os.open(path, flags, FILE_MODE)
        except OSError as error:
            raise _full(folder, error) from error
        journal = Journal(path, handle)
        try:
            # Free but for the instant in which somebody lists it.
            fcntl.flock(handle, fcntl.LOCK_EX)
            journal.append(0.0, opened)
        except BaseException:
            journal.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        return journal

    @staticmethod
    def go_on(folder: Path, run: str) -> Journal | None:
        """The journal of an earlier process, to be read and then :meth:`cut`. None: a live run has it.

        Raises JournalError where there is none.
        """
        path = journal_file(folder, run)
        try:
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise JournalError(troubles.journal_missing(run)) from error
        if not try_lock(handle):
            os.close(handle)
            return None
        if os.fstat(handle).st_nlink == 0:
            os.close(handle)
            raise JournalError(troubles.journal_missing(run))
        return Journal(path, handle)

    def cut(self, size: int) -> None:
        """Forget all behind ``size`` bytes: the piece of a line at the end, or everything. Raises StorageFull."""
        try:
            os.ftruncate(self._handle, size)
        except OSError as error:
            raise _full(self.path.parent, error) from error
        self._size = size

    def append(self, at_s: float, record: Record) -> None:
        """Write a line. Raises StorageFull, and from then on keeps nothing but a result, where that can be written."""
        if not self._whole and not isinstance(record, RunResult):
            return
        line = encode_redacted(Line(round(at_s, 6), record))
        try:
            self._write(line)
        except OSError as error:
            told, self._whole = not self._whole, False
            if not told:
                raise _full(self.path.parent, error) from error

    def _write(self, line: bytes) -> None:
        if len(line) > LINE_BYTES or self._size + len(line) > FILE_BYTES:
            raise OSError(0, "it has become too large")
        left = memoryview(line)
        try:
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError:
            # Half a line in the middle would make all of it unreadable.
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self._size)
            raise
        self._size += len(line)

    def close(self) -> None:
        """Let go of the file. Idempotent."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _full(folder: Path, error: OSError) -> StorageFull:
    return StorageFull(troubles.journal_not_kept(str(folder), error.strerror or "it cannot be written"))
