"""Reward schemes: r ≥ 0 from correctness and the speedup s > 0 over the original (arXiv 2601.05475).

The paper's reward is based on measured speedup, and a form in bins exists; its exact formulas and what it gives to
incorrect code are not known to us. Ours, in all schemes:

    r = 0 where not correct          r > 0 where correct, whatever s          r grows with s, or stays

So what is correct and no faster is worth more than what is broken, and u, which starts at r(1), the reward of the
original, can only be pushed up by something better than the original. That r ≥ 0 is needed by the theory
(arXiv 2402.01361 shifts rewards until they are): a maximum that starts at 0 cannot see what is below.

==========  ==========================  ==================================================================
speedup     r = s                       nothing lost; one great win outweighs many small ones in a mean
log         r = log₂(1 + s)             r(1) = 1 as in ``speedup``. Not log s: that is 0 for the original
                                        and below 0 for slower code, hence no better than broken code
clipped     r = min(s, CAP)             a wild measurement cannot outweigh all else
classes     r = v_c of the class of s   what a categorical value model can tell apart, no more
==========  ==========================  ==================================================================

The best candidate is the same under all four as far as they tell candidates apart; means over what may happen, and so
what a search expects of a state, are not.
"""

from __future__ import annotations

import math
from enum import Enum

from maxcode_lsp.value.classes import RewardClasses

CLASSES = RewardClasses()
"""Of the scheme ``classes``."""
CAP = CLASSES.edges[-1]
"""Ours: where the classes stop telling speedups apart, too."""


class Scheme(str, Enum):
    """How a speedup becomes a reward; see the module."""

    SPEEDUP = "speedup"
    LOG = "log"
    CLIPPED = "clipped"
    CLASSES = "classes"


def reward(scheme: Scheme, correct: bool, speedup: float | None) -> float:
    """R ≥ 0 of a candidate. ``speedup``: over the original; None: correct and not timed, taken as 1 (ours).

    Raises ValueError where a correct candidate's speedup is not a finite number above 0.
    """
    if not correct:
        return 0.0
    s = 1.0 if speedup is None else speedup
    if not (math.isfinite(s) and s > 0):
        raise ValueError(f"no speedup: {s}")
    match scheme:
        case Scheme.SPEEDUP:
            return s
        case Scheme.LOG:
            return math.log1p(s) / math.log(2.0)
        case Scheme.CLIPPED:
            return min(s, CAP)
        case Scheme.CLASSES:
            return CLASSES.representatives[CLASSES.index(s)]
