"""The ``ValueFunction`` seam: reward-to-go, as probabilities of reward classes (arXiv 2601.05475).

The paper's value model is generative and predicts a class of the best future speedup; candidates are then reranked by

    score = Σ_c p_c · max(u, v_c)

with u the best discounted reward so far and v_c the value that stands for class c. The maximum is inside of the sum:
what a state can reach counts only where it is better than what is in hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct


class Prospect(Struct, frozen=True):
    """What a value function is told about a version that a search may go on from."""

    speedup: float
    """Over the original, as estimated in the search."""
    depth: int
    """Actions since the original."""
    u: float
    """Best discounted reward so far, of the whole run."""
    left: int
    """Candidates that may still be judged."""
    tried_here: int
    """Candidates made from it so far."""
    gains_here: int
    """Of those, how many were faster than it."""
    open_gains: tuple[float, ...]
    """Log speedups of actions that paid elsewhere in the run and are not in it, best first."""
    hot_share: float | None
    """Share of its run (0..1) that findings about it concern; None: not criticised."""


class Estimate(Struct, frozen=True):
    """Probabilities of the classes of the best reward still to come, its own reward included. They sum to 1."""

    probabilities: tuple[float, ...]
    values: tuple[float, ...]
    """The speedup that stands for each class; 0: not correct."""

    def score(self, u: float, worth: Callable[[float], float] = float) -> float:
        """Σ p_c · max(u, v_c). ``worth``: the reward v of a speedup, itself by default."""
        pairs = zip(self.probabilities, self.values, strict=True)
        return math.fsum(p * max(u, worth(speedup)) for p, speedup in pairs)


class ValueFunction(Protocol):
    """Estimates reward-to-go."""

    name: str

    async def estimate(self, prospects: Sequence[Prospect]) -> Sequence[Estimate]:
        """One estimate for each, in order. Deterministic for the same prospects."""
        ...
