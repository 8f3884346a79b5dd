"""Reward classes: speedups in bins, as a categorical value model and the categorical reward use them.

That speedups are cut into bins, and that the value model of arXiv 2601.05475 predicts a bin, is known. The paper's
edges and what stands for a bin are not known to us; both are ours:

- Class 0 is *fail*: not correct, reward 0. Then come half-open bins of the speedup s, low ≤ s < high.
- A bin between two edges stands for its geometric middle, √(low · high), since speedups are ratios.
- The two open bins stand for what the middle would be if they ended a factor of :data:`REACH` beyond their edge:
  low end edge / √REACH, high end edge · √REACH.

Bins lose what they do not tell apart: a search on them takes 1.2 and 1.4 for the same.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import pairwise

from msgspec import Struct

REACH = 2.0
"""Ours."""


class RewardClasses(Struct, frozen=True):
    """Bins of speedups. ``edges`` are speedups > 0, ascending; n edges make n + 2 classes.

    The defaults are ours, closer together near 1, where most programs are:
    {fail, <1, 1–1.1, 1.1–1.5, 1.5–2, 2–3, 3–5, ≥5}.
    """

    edges: tuple[float, ...] = (1.0, 1.1, 1.5, 2.0, 3.0, 5.0)

    def __post_init__(self) -> None:
        if not self.edges or self.edges[0] <= 0 or any(low >= high for low, high in pairwise(self.edges)):
            raise ValueError(f"edges of classes ascend from above 0: {self.edges}")

    @property
    def count(self) -> int:
        """How many classes there are, *fail* among them."""
        return len(self.edges) + 2

    @property
    def representatives(self) -> tuple[float, ...]:
        """v_c: the speedup that stands for each class, ascending from 0 for *fail*. Each is in its own class."""
        middles = (math.sqrt(low * high) for low, high in pairwise(self.edges))
        return (0.0, self.edges[0] / math.sqrt(REACH), *middles, self.edges[-1] * math.sqrt(REACH))

    @property
    def names(self) -> tuple[str, ...]:
        """What to call each class: ``fail``, ``<1``, ``1–1.1`` … ``≥5``."""
        spans = (f"{low:g}–{high:g}" for low, high in pairwise(self.edges))
        return ("fail", f"<{self.edges[0]:g}", *spans, f"≥{self.edges[-1]:g}")

    def index(self, speedup: float) -> int:
        """The class of a speedup; 0 stands for *not correct*. Raises ValueError where it is below 0 or not a number."""
        if math.isnan(speedup) or speedup < 0:
            raise ValueError(f"no speedup: {speedup}")
        return 1 + bisect_right(self.edges, speedup) if speedup else 0
