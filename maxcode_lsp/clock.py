"""The ``Clock`` seam: time limits and stop rules read the time through it, so tests need not wait."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A source of monotonic time."""

    def now_s(self) -> float:
        """Seconds since an arbitrary start; never goes back."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now_s(self) -> float:
        return time.monotonic()


class Stopwatch:
    """A run's own time: it starts at nought and can be held, so that what happens meanwhile costs nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since_s: float | None = clock.now_s()
        self._before_s = 0.0

    def now_s(self) -> float:
        running_s = 0.0 if self._since_s is None else self._clock.now_s() - self._since_s
        return self._before_s + running_s

    def hold(self, at_s: float) -> None:
        """Stand still at ``at_s``."""
        self._since_s = None
        self._before_s = at_s

    def go_on(self, at_s: float) -> None:
        """Run on from ``at_s``."""
        self._since_s = self._clock.now_s()
        self._before_s = at_s
