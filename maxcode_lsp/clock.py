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
