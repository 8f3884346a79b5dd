"""Between offsets in normalised text and positions (line, column) as an editor counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from itertools import accumulate

from msgspec import Struct

from maxcode_lsp.text.source import BOM

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Encoding(str, Enum):
    """What a column counts: LSP's ``PositionEncodingKind``."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(Struct, frozen=True, order=True):
    """A place in a text as a client counts: ``line`` and ``column`` from 0."""

    line: int
    column: int


def encoded(text: str) -> bytes:
    """The text in UTF-8. Half a surrogate pair becomes U+FFFD, as in a file that an editor saves.

    U+FFFD counts as many columns as the half did, in every encoding.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text).encode()


class Positions:
    """One version of a text as the editor has it. Immutable.

    Lines end at LF, CRLF or CR and nowhere else (form feeds, NEL and U+2028 are part of their line). A byte order
    mark counts as one character of the first line, if the editor sent one. Offsets are those of
    :class:`maxcode_lsp.text.source.SourceText`: UTF-8 bytes, LF, no BOM. All work is done when it is first needed.
    """

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.encoding = encoding
        self._whole: bytes | None = encoded(text)
        self._split: list[bytes] | None = None
        self._starts = [0]
        """Where lines start, as far as it is known, in bytes with LF line ends (a BOM counts here)."""

    def offset(self, position: Position) -> int:
        """The normalised offset. A column past its line's end is the line's end; a line past the last is the text's
        end; a column inside a character is the character's start.
        """
        line, column = self._place(position)
        return max(0, self._start(line) + column - self._bom)

    def position(self, offset: int) -> Position:
        """The position of a normalised offset; inside a character: of its start; past the end: the end."""
        place = max(0, offset) + self._bom
        if place >= self._starts[-1]:
            last = len(self._lines) - 1
            place = min(place, self._start(last) + len(self._lines[last]))
        line = bisect_right(self._starts, place) - 1
        content = self._content(line)
        return Position(line, self._units(content[: _character_start(content, place - self._starts[line])]))

    def index(self, position: Position) -> int:
        """The index into the ``str`` (code points of the text as the editor has it); clamped as in ``offset``."""
        line, column = self._place(position)
        return len(b"".join((*self._lines[:line], self._lines[line][:column])).decode())

    def written(self, first: int, last: int) -> tuple[Position, Position]:
        """The lines ``first``..``last`` (from 0, clamped) without the first's indentation and the last's end."""
        first, last = (min(max(line, 0), len(self._lines) - 1) for line in (first, max(first, last)))
        content = self._content(first)
        text = content.removeprefix(BOM) if first == 0 else content
        indented = content[: len(content) - len(text.lstrip())]
        return Position(first, self._units(indented)), Position(last, self._units(self._content(last)))

    @property
    def _lines(self) -> list[bytes]:
        """UTF-8 with line ends as they are; the last has none, and may be empty."""
        if self._split is None:
            self._split = split(self._raw)
        return self._split

    @property
    def _raw(self) -> bytes:
        if self._whole is None:
            self._whole = b"".join(self._split or ())
        return self._whole

    @property
    def _bom(self) -> int:
        """Bytes of the byte order mark."""
        return len(BOM) if self._lines[0].startswith(BOM) else 0

    def _start(self, line: int) -> int:
        known = len(self._starts) - 1
        if line > known:
            lines = self._lines[known:line]
            wide = b"\r" in self._raw
            sizes = (len(text) - text.endswith(b"\r\n") for text in lines) if wide else map(len, lines)
            self._starts[known:] = accumulate(sizes, initial=self._starts[known])
        return self._starts[line]

    def _content(self, line: int) -> bytes:
        return self._lines[line].rstrip(b"\r\n")

    def _place(self, position: Position) -> tuple[int, int]:
        """Line and byte in it, clamped; never between CR and LF."""
        if position.line < 0:
            return 0, 0
        if position.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        content, column = self._content(position.line), max(0, position.column)
        if self.encoding is Encoding.UTF8 or content.isascii():
            return position.line, _character_start(content, column)
        before = content.decode()[:column]
        if self.encoding is Encoding.UTF16:
            # Half a pair at the end is left out.
            before = before.encode("utf-16-le")[: 2 * column].decode("utf-16-le", "ignore")
        return position.line, len(before.encode())

    def _units(self, content: bytes) -> int:
        """Columns that the bytes, whole characters, take."""
        if self.encoding is Encoding.UTF8 or content.isascii():
            return len(content)
        text = content.decode()
        return len(text) if self.encoding is Encoding.UTF32 else len(text.encode("utf-16-le")) // 2


def split(raw: bytes) -> list[bytes]:
    """Lines with their ends. The last has none: it is empty where the text ends with a line end."""
    lines = raw.splitlines(keepends=True)
    if not lines or raw.endswith((b"\n", b"\r")):
        lines.append(b"")
    return lines


def _character_start(content: bytes, at: int) -> int:
    """Where the character at (or around) a byte starts; the end, past it."""
    at = min(at, len(content))
    while 0 < at < len(content) and content[at] & 0xC0 == 0x80:
        at -= 1
    return at
