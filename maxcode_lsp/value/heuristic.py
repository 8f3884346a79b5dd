"""The stand-in until a value model is trained: a formula whose every term can be read.

A version with speedup s may still gain a log speedup G ≥ 0. It is taken as normally distributed and cut off at 0, with

    mean m = Σ_i REUSE^(i+1) · g_i  +  FRESH · h / (1 + DOUBT · (n − k))          deviation SPREAD · m

g_1 ≥ g_2 ≥ … are log speedups of actions that paid elsewhere in the run and are not in this version: most of them pay
here, too, though less where they fight for the same time. The second term is what nobody has tried yet: it grows with
the share h of the run that findings concern (1 where nothing is known) and shrinks with each of the n candidates made
from here that was none of the k that paid. The best reward still to come is s · exp(G). All constants are ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from maxcode_lsp.value.classes import RewardClasses
from maxcode_lsp.value.value import Estimate, Prospect

REUSE = 0.8
FRESH = 0.25
DOUBT = 0.25
SPREAD = 0.5
LEAST_MEAN = 0.01
CLASSES = RewardClasses((1.0, 1.05, 1.2, 1.5, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0, 89.0))
"""More than the paper's kind of bins, since programs do get a hundred times faster."""


class Heuristic:
    """See the module."""

    name = "heuristic"

    async def estimate(self, prospects: Sequence[Prospect]) -> Sequence[Estimate]:
        """See :class:`~maxcode_lsp.value.value.ValueFunction`."""
        return [estimate(prospect) for prospect in prospects]


def mean_gain(prospect: Prospect) -> float:
    """The mean of the log speedup still to be gained: m of the module's formula."""
    if prospect.left == 0:
        return LEAST_MEAN
    known = math.fsum(REUSE ** (place + 1) * gain for place, gain in enumerate(prospect.open_gains[: prospect.left]))
    share = 1.0 if prospect.hot_share is None else prospect.hot_share
    barren = prospect.tried_here - prospect.gains_here
    return max(LEAST_MEAN, known + FRESH * share / (1 + DOUBT * barren))


def estimate(prospect: Prospect) -> Estimate:
    """The classes' probabilities of s · exp(G)."""
    mean = mean_gain(prospect)

    def beyond(edge: float) -> float:
        """P(s · exp(G) ≥ edge)."""
        needed = math.log(edge / prospect.speedup)
        return 1.0 if needed <= 0 else 0.5 * math.erfc((needed - mean) / (SPREAD * mean * math.sqrt(2.0)))

    tails = (1.0, *map(beyond, CLASSES.edges), 0.0)
    # A version to go on from is correct: nothing is left for the class of failures.
    return Estimate((0.0, *(high - low for high, low in pairwise(tails))), CLASSES.representatives)
