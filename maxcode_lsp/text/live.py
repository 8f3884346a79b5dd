"""A text that an editor edits."""

from __future__ import annotations

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.edits import difference
from maxcode_lsp.text.positions import Encoding, Position, Positions, encoded, split
from maxcode_lsp.text.source import normalise, with_lf


class LiveText(Positions):
    """A text as the editor has it, and its edits of it. An edit costs what its lines cost, not what the text does."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        super().__init__(text, encoding)
        self.size = len(self._raw)
        """Bytes of ``raw``."""

    @property
    def raw(self) -> bytes:
        """UTF-8, line ends and byte order mark as the editor has them."""
        return self._raw

    def replace(self, start: Position, end: Position, text: str) -> Hunk:
        """Put ``text`` for what stands between two positions, clamped and in either order.

        Returns the same edit as a hunk of the normalised text. It differs from the plain translation where a
        lone CR and a LF come together, or a byte order mark is made or moved.
        """
        (first, column), (last, behind) = sorted((self._place(start), self._place(end)))
        lines, bom = self._lines, self._bom
        begin, stop = self._start(first) + column, self._start(last) + behind
        head, tail = lines[first][:column], lines[last][behind:]
        if first and not head and lines[first - 1].endswith(b"\r"):
            # What comes now may start with the LF that makes a CRLF of it.
            first -= 1
            head = lines[first]
        new = head + encoded(text) + tail
        pieces = split(new)
        if last < len(lines) - 1:
            pieces.pop()
        old = b"".join(lines[first : last + 1])
        lines[first : last + 1] = pieces
        self.size += len(new) - len(old)
        del self._starts[first + 1 :]
        self._whole = None
        if self._bom != bom or begin < bom:
            return difference(normalise(old), normalise(new))
        inserted = with_lf(new)[len(head) :]
        size = len(inserted) - len(with_lf(tail))
        # Below zero: the LF behind a deletion became part of a CRLF.
        return Hunk(begin - bom, stop - bom - min(0, size), inserted[: max(0, size)])
