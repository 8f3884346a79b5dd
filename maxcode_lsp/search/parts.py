"""The parts that MaxCode adds to a strategy, each a switch of its own (arXiv 2601.05475): every ablation is one."""

from __future__ import annotations

from msgspec import Struct


class Parts(Struct, frozen=True, kw_only=True):
    """What a policy is shown of a search, and whether values choose where the search goes on.

    The paper's observation is the initial code, the current code, execution feedback, the critique, the best code so
    far and the best discounted reward u; its trajectory is all that was tried. The initial code, which is the target,
    is always shown.
    """

    code: bool = True
    """The current code; off: the search goes on from the initial code, always."""
    feedback: bool = True
    """What execution said about what was made from the current code."""
    profile: bool = True
    """Time, memory and hot lines of the current code."""
    critique: bool = True
    """Findings about the current code, with their evidence."""
    trajectory: bool = True
    """What was tried anywhere in the run, and what came of it."""
    best: bool = True
    """The best code so far; the search may go back to it."""
    u: bool = True
    """The best discounted reward so far."""
    rerank: bool = True
    """Reward-to-go, not the plain rule of the strategy, chooses what to go on from."""


MAXCODE = Parts()
"""Everything."""
