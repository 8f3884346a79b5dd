"""The secrets that a process knows, in all the ways in which they may be written."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from threading import Lock
from urllib.parse import quote, quote_plus

from maxcode_lsp.redaction.expressions import HIDDEN, Expression, expression, hidden
from maxcode_lsp.redaction.shapes import BEFORE

SHORTEST = 6
"""A shorter value is not hidden: it would be found all over the code and the figures."""
ALONE = 12
"""A shorter value is hidden where it stands alone, not inside a word, such as a digest."""
_PLAIN = re.compile(r"(?=.{1,19}$)[A-Za-z]+(?:[-_. ][A-Za-z]+)*|[0-9.]{1,11}")
"""Words (``none``, ``not-needed``, ``sk-no-key-required``) are what people put where no key is needed, and a short
number is a figure; hidden, they would take the sense out of all else.
"""
_PIECE = 8
"""A piece of base64 that is shorter may be anything."""


class Known:
    """They are only ever added to. Safe between threads."""

    def __init__(self) -> None:
        self._values: frozenset[str] = frozenset()
        self._lock = Lock()
        self._expression: Expression | None = None

    def add(self, values: Iterable[str]) -> None:
        """Remember more."""
        new = frozenset(value for value in map(str.strip, values) if _can_be_hidden(value))
        with self._lock:
            if new <= self._values:
                return
            self._values |= new
            forms = {form for value in self._values for form in _forms(value)}
            # Of two that begin alike the longer one goes first.
            self._expression = expression(*map(_exactly, sorted(forms, key=len, reverse=True)))

    def without(self, data: bytes) -> bytes:
        """A text without them."""
        known = self._expression
        return data if known is None else known.sub(hidden, data)


def _can_be_hidden(value: str) -> bool:
    return len(value) >= SHORTEST and not _PLAIN.fullmatch(value) and value not in HIDDEN and HIDDEN not in value


def _exactly(form: bytes) -> str:
    quoted = "".join(f"\\x{char:02x}" for char in form)
    if len(form) >= ALONE:
        return quoted
    before, after = (BEFORE if _is_word(form[:1]) else ""), (r"\b" if _is_word(form[-1:]) else "")
    return f"{before}({quoted}){after}"


def _is_word(char: bytes) -> bool:
    return char.isalnum() or char == b"_"


def _forms(value: str) -> Iterable[bytes]:
    data = value.encode("utf-8", "surrogatepass")
    yield data
    for quoted in (quote(data), quote(data, safe=""), quote_plus(data)):
        yield quoted.encode()
    for escaped in (json.dumps(value), json.dumps(value, ensure_ascii=False), repr(value)):
        yield escaped[1:-1].encode("utf-8", "surrogatepass")
    for shift in range(3):  # where it begins inside of what is encoded, as a password behind its user
        # Characters that hold bits of what stands around it are left out.
        encoded = b64encode(bytes(shift) + data).rstrip(b"=")
        piece = encoded[(8 * shift + 5) // 6 : (len(data) + shift) * 8 // 6]
        if len(piece) >= _PIECE:
            yield from (piece, piece.replace(b"+", b"-").replace(b"/", b"_"))
