"""What a journal holds: a heading, then what happened, one JSON object a line, each with its time."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Metered, Observed, Prepared, Replied, RunResult
from maxcode_lsp.settings.schema import Settings

VERSION = 2
"""Of the format. A reader refuses what it does not know, with a sentence."""


class Opened(Struct, frozen=True, tag="opened"):
    """The heading: what the run is about. Always the first record, and the only one of its kind."""

    version: int
    run: str
    created: str
    """UTC, ISO 8601."""
    maxcode: str
    file: str
    """Absolute path of the program."""
    target: str
    """Its name, for people."""
    source: bytes
    """The exact bytes that the run is about (base64 in JSON)."""
    source_sha256: str
    """Of the normalised text: what the changes of candidates are against."""
    settings: Settings
    search: str
    policies: tuple[str, ...]
    seed: int
    """Of the search's own choices. The judge's secret seeds are in no journal."""


class Resumed(Struct, frozen=True, tag="resumed"):
    """The run goes on in another process."""

    created: str
    spent_s: float
    """Seconds that had been used before."""


Record = Opened | Resumed | Prepared | Critiqued | Observed | Metered | Replied | Evaluated | Decided | RunResult


class Line(Struct, frozen=True):
    """One line of the file."""

    at_s: float
    """Seconds of the run's own time (pauses between processes left out)."""
    record: Record


class Summary(Struct, frozen=True):
    """One run in a list."""

    run: str
    created: str
    file: str
    target: str
    status: str
    """A ``RunStatus`` value, or ``interrupted`` (it ended without a result and can go on)."""
    evaluations: int
    budget: int
    best: float | None
    """Best speedup: the confirmed one where there is one, else the search's estimate."""
    ci95: tuple[float, float] | None
    reason: str
    live: bool = False
    """Some process is at it now."""
    search: str = ""
    """The strategy."""
    effort: str = ""
    seed: int = 0
    """Of the strategy's own choices."""
    discarded: bool = False
    """The user does not want its result."""
