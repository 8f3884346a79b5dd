"""The ``Policy`` seam: who proposes candidates (the action *a* of the decision process)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from maxcode_lsp.records import Critique, Origin, Outcome, Overhead, Verdict


class Attempt(Struct, frozen=True):
    """What came of an earlier proposal (the execution feedback)."""

    actions: tuple[str, ...]
    rationale: str
    diff: str
    """Unified, against the version it was made from; cut where it is long."""
    outcome: Outcome
    verdict: Verdict | None
    speedup: float | None
    """Over the original; None where not timed."""
    feedback: str
    """What execution said: a sentence, and the end of the compiler's or program's own words."""


class Experience(Struct, frozen=True):
    """What an action brought, wherever in the run it was tried: the trajectory, as rules can use it."""

    policy: str
    actions: tuple[str, ...]
    rationale: str
    outcome: Outcome
    gain: float | None
    """Log speedup over the version that it was made from; None: not timed, or not correct."""
    faster: bool
    """Surely so."""


class Observation(Struct, frozen=True):
    """What a policy sees when it proposes.

    ``text`` is the full normalised text (UTF-8 bytes, LF) of the version to go on from; ``flags``
    are the build's own (a rule that needs OpenMP looks for ``-fopenmp`` here).
    """

    text: bytes
    flags: tuple[str, ...]
    critique: Critique
    tried: frozenset[str] = frozenset()
    """Ids of all candidates seen so far in this run."""
    original: bytes = b""
    """The full normalised text that the run began with."""
    speedup: float = 1.0
    """Of ``text`` over the original, as estimated in the search."""
    best: bytes = b""
    """The full text of the fastest version so far."""
    best_speedup: float = 1.0
    u: float = 1.0
    """Best discounted reward so far."""
    attempts: tuple[Attempt, ...] = ()
    """The latest that were made from ``text``, oldest first; of the run's others only what was faster."""
    experience: tuple[Experience, ...] = ()
    """Of all actions of the run that were judged, oldest first; empty where the trajectory is not to be shown."""
    overhead: Overhead | None = None
    """What a run of ``text`` costs; None: not metered, or not to be shown."""


class Proposal(Struct, frozen=True):
    """One action: the full new text and who made it. It becomes a candidate once admitted."""

    text: bytes
    origin: Origin
    priority: float = 0.0
    """Higher is tried first: the policy's own guess of the gain, in log speedup."""
    cost_s: float = 0.0
    """Seconds that it took to think of it, where a model did; noted by the search."""


class Policy(Protocol):
    """Proposes changed texts. Never runs or builds the target itself."""

    name: str
    again: bool
    """Whether it may have other ideas when it is asked again at the same version, as a model has; False: what it did
    not propose the first time it never will."""

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """At most ``count`` proposals, best first. Empty: nothing (more) to propose here.

        Deterministic for the same observation where the policy can be. Never raises for odd code:
        a text that does not parse simply gets no proposals. Nor for a model that cannot be asked: that is told
        where the run's notes are.
        """
        ...
