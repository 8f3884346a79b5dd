"""Faults on standard error too: editors show that in a channel of their own. It never waits for them."""

from __future__ import annotations

import logging
import os
import select

_AT_ONCE_BYTES = 4096
"""What a pipe that is writable takes without waiting."""


class ToEditor(logging.Handler):
    """One line for each record, without traces (those are in the log file). Dropped while nobody reads."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, if that can be done at once."""
        try:
            line = f"maxcode: {record.levelname.lower()}: {record.getMessage()}\n"
            poll = select.poll()
            poll.register(2, select.POLLOUT)
            if any(event & select.POLLOUT for _, event in poll.poll(0)):
                os.write(2, line.encode("utf-8", "backslashreplace")[:_AT_ONCE_BYTES])
        except Exception:  # noqa: BLE001 (there is nowhere left to say so)
            return
