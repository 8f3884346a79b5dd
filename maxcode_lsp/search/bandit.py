"""Which policy makes the next candidate: a bandit on reward for cost.

UCB1 (Auer, Cesa-Bianchi, Fischer 2002) on the mean of log gain per second, scaled to the best arm's:

    index = mean / best mean + sqrt(2 · ln N / n) · CURIOSITY

with n the times an arm was pulled, pulls that are not paid yet among them (so that arms are mixed within a round), and
N the sum of all n. An arm that was never pulled comes first. Deterministic: ties go to the arm that stands first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

CURIOSITY = 0.35
"""Ours: small, since a round is short."""
LEAST_S = 0.05
"""No cost is believed to be less."""


class Bandit:
    """Arms by name, in order."""

    def __init__(self, arms: Sequence[str]) -> None:
        self._arms = tuple(dict.fromkeys(arms))
        self._pulled = dict.fromkeys(self._arms, 0)
        self._gain = dict.fromkeys(self._arms, 0.0)
        self._cost_s = dict.fromkeys(self._arms, 0.0)

    def choose(self, among: Sequence[str]) -> str:
        """The arm to pull next, of those that can be."""
        for arm in self._arms:
            if arm in among and not self._pulled[arm]:
                return arm
        best = max((self._mean(arm) for arm in self._arms), default=0.0)
        return max((arm for arm in self._arms if arm in among), key=lambda arm: self._index(arm, best))

    def pull(self, arm: str) -> None:
        """An arm is pulled."""
        self._pulled[arm] += 1

    def pay(self, arm: str, gain: float, cost_s: float) -> None:
        """What came of a pull: a log gain of at least 0, for so many seconds."""
        self._gain[arm] += max(gain, 0.0)
        self._cost_s[arm] += max(cost_s, LEAST_S)

    def _mean(self, arm: str) -> float:
        return self._gain[arm] / self._cost_s[arm] if self._cost_s[arm] else 0.0

    def _index(self, arm: str, best: float) -> float:
        pulled = self._pulled[arm]
        scaled = self._mean(arm) / best if best > 0 else 0.0
        return scaled + CURIOSITY * math.sqrt(2 * math.log(sum(self._pulled.values())) / pulled)
