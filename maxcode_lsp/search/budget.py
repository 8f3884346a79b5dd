"""When a search stops: goal reached, plateau, no more ideas, budget or time used up."""

from __future__ import annotations

from enum import Enum

from maxcode_lsp.clock import Clock


class Stop(str, Enum):
    """Why a search ended."""

    GOAL = "goal"
    PLATEAU = "plateau"
    """So many candidates in a row brought nothing."""
    EXHAUSTED = "exhausted"
    """The policies had nothing more to propose."""
    BUDGET = "budget"
    TIME = "time"
    TROUBLE = "trouble"
    """The machine's trouble cut it short."""


class Budget:
    """Counts candidates and watches the clock.

    ``candidates``: how many may be evaluated. ``seconds``: until when. ``goal``: a speedup that is
    enough; None: none is. ``patience``: candidates in a row without a gain that end the search.
    ``reserve_s``: kept back for the proof, once there is something to prove.
    """

    def __init__(
        self,
        clock: Clock,
        candidates: int,
        seconds: float,
        goal: float | None = None,
        patience: int = 40,
        reserve_s: float = 0.0,
    ) -> None:
        self._clock = clock
        self._deadline_s = clock.now_s() + seconds
        self._reserve_s = reserve_s
        self.candidates = candidates
        self.goal = goal
        self.patience = patience
        self.used = 0
        self.hopeful = False
        """A policy is still thinking: a plateau does not end the search."""
        self._barren = 0
        self._best = 1.0

    @property
    def left_s(self) -> float:
        """Seconds left, never negative."""
        kept_s = self._reserve_s if self._best > 1 else 0.0
        return max(0.0, self._deadline_s - kept_s - self._clock.now_s())

    @property
    def open(self) -> bool:
        """Whether another candidate may be begun."""
        return self.used < self.candidates and self.left_s > 0 and self.stop is None

    def take(self) -> None:
        """A candidate is begun."""
        self.used += 1

    def saw(self, best: float, *, gained: bool) -> None:
        """A candidate was judged; ``best`` is the best speedup by now."""
        self._best = best
        self._barren = 0 if gained else self._barren + 1

    @property
    def barren(self) -> bool:
        """So many candidates in a row brought nothing that more of the same is not worth it."""
        return self._barren >= self.patience

    @property
    def stop(self) -> Stop | None:
        """Why to stop at once, if there is a reason; running candidates are given up."""
        if self.left_s <= 0:
            return Stop.TIME
        if self.goal is not None and self._best >= self.goal:
            return Stop.GOAL
        return Stop.PLATEAU if self.barren and not self.hopeful else None
