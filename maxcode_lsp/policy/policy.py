"""The ``Policy`` seam: who proposes candidates (the action *a* of the decision process)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from maxcode_lsp.records import Critique, Origin


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


class Proposal(Struct, frozen=True):
    """One action: the full new text and who made it. It becomes a candidate once admitted."""

    text: bytes
    origin: Origin
    priority: float = 0.0
    """Higher is tried first: the policy's own guess of the gain, in log speedup."""


class Policy(Protocol):
    """Proposes changed texts. Never runs or builds the target itself."""

    name: str

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """At most ``count`` proposals, best first. Empty: nothing (more) to propose here.

        Deterministic for the same observation where the policy can be. Never raises for odd code:
        a text that does not parse simply gets no proposals.
        """
        ...
