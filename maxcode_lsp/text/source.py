"""A source file: its raw bytes, and the normalised text that everything else works on.

Normalised means: no byte order mark, every line end is LF. Nothing else is touched: form feeds stay,
bytes that are not UTF-8 stay. Offsets and lines of all records are those of the normalised text;
``render`` brings a change back to the raw bytes.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.edits import check

BOM = b"\xef\xbb\xbf"
LINE_END = re.compile(rb"\r\n?|\n")


def normalise(raw: bytes) -> bytes:
    """The text without its byte order mark and with LF line ends."""
    return with_lf(raw.removeprefix(BOM))


def with_lf(piece: bytes) -> bytes:
    """The same with LF for every line end."""
    return piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in piece else piece


class Splice(Struct, frozen=True):
    """Replace the bytes ``[start, end)`` of a raw text."""

    start: int
    end: int
    text: bytes


class SourceText:
    """One version of a source file. Immutable."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        """The file's exact bytes."""
        self.data = normalise(raw)
        """The normalised text."""

    @cached_property
    def sha256(self) -> str:
        """Of the normalised text, in hex."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def lines(self) -> tuple[bytes, ...]:
        """Lines of the normalised text without their ends; ``lines[n - 1]`` is line ``n``."""
        return tuple(self.data.split(b"\n"))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(b"\n", self.data))]

    def line_at(self, offset: int) -> int:
        """Line (from 1) of a normalised offset."""
        return bisect_right(self._starts, offset)

    def line_start(self, line: int) -> int:
        """Normalised offset where a line (from 1) starts; the end of the text for lines past it."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.data)

    def render(self, hunks: Sequence[Hunk]) -> bytes:
        """The raw bytes after the hunks (against ``data``); see :meth:`splices`."""
        pieces: list[bytes] = []
        at = 0
        for splice in self.splices(hunks):
            pieces += (self.raw[at : splice.start], splice.text)
            at = splice.end
        return b"".join((*pieces, self.raw[at:]))

    def splices(self, hunks: Sequence[Hunk]) -> tuple[Splice, ...]:
        """The hunks (against ``data``) as replacements in the raw bytes.

        Bytes outside the hunks stay exactly as they are. New text takes the line end of the line it
        stands on (without one: of the line before). One exception: where a deletion would bring a
        lone CR and a LF together, which would then read as one line end, the LF becomes CRLF.
        Raises ValueError as :func:`~maxcode_lsp.text.edits.check` does.
        """
        check(hunks, len(self.data))
        found: list[Splice] = []
        last, at = b"", 0
        nexts = [*(self._raw_offset(hunk.start) for hunk in hunks[1:]), len(self.raw)]
        for hunk, next_start in zip(hunks, nexts, strict=False):  # without hunks there is one "next" too many
            start, end = self._raw_offset(hunk.start), self._raw_offset(hunk.end)
            last = self.raw[start - 1 : start] if start > at else last
            text = hunk.replacement.replace(b"\n", self._line_end(hunk.start))
            text = _apart(last, text) + text
            last = text[-1:] or last
            text += _apart(last, self.raw[end : min(end + 1, next_start)])
            found.append(Splice(start, end, text))
            last, at = text[-1:] or last, end
        return tuple(found)

    @cached_property
    def _wide_ends(self) -> list[int]:
        """Normalised offsets of the line ends that are CRLF in the raw bytes, ascending."""
        skipped = len(self.raw) - len(self.raw.removeprefix(BOM))
        found = re.finditer(b"\r\n", self.raw)
        return [match.start() - skipped - before for before, match in enumerate(found)]

    def _raw_offset(self, offset: int) -> int:
        """Where a normalised offset is in the raw bytes; never between CR and LF."""
        if offset == 0:
            return len(self.raw) - len(self.raw.removeprefix(BOM))
        return self._raw_offset(0) + offset + bisect_left(self._wide_ends, offset)

    def _line_end(self, offset: int) -> bytes:
        """The line end of the line with a normalised offset, else of the line before, else LF."""
        at = self.data.find(b"\n", offset)
        at = at if at >= 0 else self.data.rfind(b"\n", 0, offset)
        if at < 0:
            return b"\n"
        found = LINE_END.match(self.raw, self._raw_offset(at))
        return found.group() if found else b"\n"


def _apart(left: bytes, right: bytes) -> bytes:
    """What keeps a lone CR at the end of ``left`` and a LF at the start of ``right`` two line ends."""
    return b"\r" if left.endswith(b"\r") and right.startswith(b"\n") else b""
