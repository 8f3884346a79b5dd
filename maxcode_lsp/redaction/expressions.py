"""RE2 for bytes: linear in the text, whatever the text is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

import re2

HIDDEN = "[secret]"


class Match(Protocol):
    """Where an expression fits."""

    @property
    def lastindex(self) -> int | None:
        """The last group that takes part; None: there is none."""
        ...

    def start(self, group: int = 0) -> int:
        """Offset in the text."""
        ...

    def end(self, group: int = 0) -> int:
        """Offset in the text."""
        ...

    def __getitem__(self, group: int) -> bytes: ...


class Expression(Protocol):
    """A compiled expression."""

    def sub(self, repl: Callable[[Match], bytes], text: bytes) -> bytes:
        """The text with every match replaced."""
        ...


def expression(*alternatives: str) -> Expression:
    """What fits one of the alternatives; the first that does, where several begin at the same place."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # any bytes, also those that are no UTF-8
    options.log_errors = False
    return cast("Expression", re2.compile("|".join(alternatives).encode(), options))


def hidden(match: Match) -> bytes:
    """The match with its last group hidden, all of it where it has none."""
    group, start = match.lastindex or 0, match.start()
    return match[0][: match.start(group) - start] + HIDDEN.encode() + match[0][match.end(group) - start :]
