"""Between offsets in normalised text and positions (line, column) as an editor counts them."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Encoding(str, Enum):
    """What a column counts: LSP's ``PositionEncodingKind``."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(Struct, frozen=True, order=True):
    """A place in a text as a client counts: ``line`` and ``column`` from 0."""

    line: int
    column: int


class Positions:
    """One version of a text as the editor has it. Immutable.

    Lines end at LF, CRLF or CR and nowhere else (form feeds, NEL and U+2028 are part of their line). A byte order
    mark counts as one character of the first line, if the editor sent one. Offsets are those of
    :class:`maxcode_lsp.text.source.SourceText`: UTF-8 bytes, LF, no BOM.
    """

    def __init__(self, text: str, encoding: Encoding) -> None:
        raise NotImplementedError

    def offset(self, position: Position) -> int:
        """The normalised offset. A column past its line's end is the line's end; a line past the last is the text's
        end; a column inside a character is the character's start.
        """
        raise NotImplementedError

    def position(self, offset: int) -> Position:
        """The position of a normalised offset; inside a character: of its start; past the end: the end."""
        raise NotImplementedError

    def index(self, position: Position) -> int:
        """The index into the ``str`` (code points of the text as the editor has it); clamped as in ``offset``."""
        raise NotImplementedError
