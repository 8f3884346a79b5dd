"""What a pattern is: a function that looks at the parsed text and yields what it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.source import Source
from maxcode_lsp.executor.profile.profile import Work


class Sight(Struct, frozen=True):
    """One place where a pattern was seen."""

    kind: Kind
    first: int
    """First line (from 1) of what is shown."""
    last: int
    message: str
    """What is seen, one clause without an end: ``“fib” calls itself twice and keeps no results``."""
    lines: tuple[int, ...]
    """Lines whose time it concerns."""
    advice: str = ""
    """What would help, a sentence."""
    where: str = "here"
    """Where those lines are; only ``here`` where all of them are shown."""
    work: Work | None = None
    """Of these lines' time only what libraries spend on this work (None: all of it)."""


Pattern = Callable[[Source], Iterable[Sight]]
"""Pure; must not raise on any text, also one that does not parse well."""
