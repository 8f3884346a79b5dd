"""Lines out of a stream that comes in pieces, none of them longer than a limit."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)


class Splitter:
    """Puts pieces together to lines. A line that is too long is left out, and counted."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._begun = bytearray()
        self._skipping = False
        self.left_out = 0
        """Lines that were too long."""

    def feed(self, piece: bytes) -> list[bytes]:
        """The lines that end in this piece, without their ends."""
        *ended, rest = piece.split(b"\n")
        lines: list[bytes] = []
        for end in ended:
            self._add(end)
            if not self._skipping:
                lines.append(bytes(self._begun))
            self._begun.clear()
            self._skipping = False
        self._add(rest)
        return lines

    def _add(self, piece: bytes) -> None:
        if self._skipping:
            return
        if len(self._begun) + len(piece) > self._limit_bytes:
            self._skipping = True
            self._begun.clear()
            self.left_out += 1
            _log.warning("a line of more than %d bytes was left out", self._limit_bytes)
        else:
            self._begun += piece
