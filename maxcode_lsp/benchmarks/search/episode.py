"""An episode: one search of one method on one target with one seed, as it is kept in the journal of a comparison."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.records import Outcome


class Step(Struct, frozen=True, omit_defaults=True):
    """One judged candidate."""

    candidate: str
    parent: str | None
    """None: the original."""
    depth: int
    policy: str
    actions: tuple[str, ...]
    outcome: Outcome
    faster: bool = False
    """Than the version it was paired with, by the search's own measurement."""
    speedup: float | None = None
    """The search's own estimate against the original; None: not timed."""
    value: float = 1.0
    """True speedup, taken independently of the search's samples, of what the search would hand over now: the best
    so far; 1.0 where that is the original, or is not really faster."""
    u: float = 1.0
    kinds: tuple[str, ...] = ()
    """Of the findings that it acts on."""
    at_s: float = 0.0
    """Seconds since the search began; in a replay those that the table's evaluations took."""
    tokens: int = 0
    """Of all questions and answers so far."""


class Episode(Struct, frozen=True, omit_defaults=True):
    """One search to its end."""

    program: str
    method: str
    seed: int
    budget: int
    steps: tuple[Step, ...]
    """In the order of finishing; at most ``budget``."""
    stop: str
    """Why it ended: a ``Stop`` value, or ``peer`` for a program of others."""
    seconds: float
    cpu_s: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    """None: no price is known, or nothing was asked."""
    replies: dict[str, int] = {}
    """How many replies of models ended how."""
    trouble: str = ""
    """Why it could not be brought to its end; such an episode is taken again when the comparison goes on."""


class Comparison(Struct, frozen=True, omit_defaults=True):
    """What a set of episodes is about: the first line of its journal."""

    version: int
    suite: str
    methods: tuple[str, ...]
    programs: tuple[str, ...]
    seeds: int
    budget: int
    replay: bool
    """Rewards were drawn from a replay table."""
    model: str
    machine: str
    compiler: str
    command: str
    created: str
    room: dict[str, float] = {}
    """Best true speedup in the replay table by program; empty: not known."""
    noise: dict[str, float] = {}
    """A/A floor by program: half width of the 95 % interval of the original against itself, in per cent."""


VERSION = 1
