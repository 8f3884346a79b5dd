"""The connection to the editor: bytes in and out by a thread each, so that the loop never waits for a pipe."""

from __future__ import annotations

import asyncio
import logging
import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, cast

from maxcode_lsp.server.connection.frames import Frames, Garbled, decoded

_log = logging.getLogger(__name__)

_CHUNK_BYTES = 1 << 16
_AT_ONCE_BYTES = 4096
"""Writable means that at least so much goes without waiting (pipes: PIPE_BUF; sockets: much more)."""
LARGEST_BACKLOG_BYTES = 256 << 20
"""An editor that leaves so much unread is gone for all purposes."""
_SLOW_S = 0.1
"""Longer turns of the loop are logged, but not more often than every ``_TOLD_S``."""
_TOLD_S = 10.0

Received = Callable[[Any], None]
"""Called on the loop with each message (plain JSON), or with :class:`Garbled`."""


class Connection:
    """Both directions."""

    def __init__(
        self, source: int, sink: int, received: Received, lost: Callable[[], None], alarm: Callable[[], None]
    ) -> None:
        """``source`` and ``sink`` are descriptors (the same for a socket); they stay open until the process ends.

        ``lost`` is called once on the loop when there is nothing more to read or nobody to write to; ``alarm`` is
        called before that by another thread, also where the loop hangs.
        """
        self._source, self._sink = source, sink
        self._received, self._lost, self._alarm = received, lost, alarm
        self._loop = asyncio.get_running_loop()
        self._unsent: list[bytes] = []
        self._unsent_bytes = 0
        self._writing = False
        self._broken = False
        self._gone = False
        self._silent_until_s = 0.0
        self._changed = Condition()
        Thread(target=self._read, name="reader", daemon=True).start()
        Thread(target=self._write, name="writer", daemon=True).start()

    def write(self, data: bytes) -> None:
        """Send; never waits and never fails. What is sent first arrives first."""
        with self._changed:
            if self._broken:
                return
            if not self._unsent and not self._writing and len(data) <= _AT_ONCE_BYTES and self._writable():
                self._put(data)
                return
            self._unsent.append(data)
            self._unsent_bytes += len(data)
            if self._unsent_bytes > LARGEST_BACKLOG_BYTES:
                self._break("the editor reads nothing")
            self._changed.notify_all()

    def close(self) -> None:
        """For pygls, which knows such a method. Descriptors are closed by the end of the process."""

    async def flush(self, limit_s: float) -> None:
        """Wait until everything is sent, but not longer than the limit."""
        end = time.monotonic() + limit_s
        while (self._unsent or self._writing) and not self._broken and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.005)  # only at the very end; an event would have to come from another thread

    def _writable(self) -> bool:
        poll = select.poll()
        poll.register(self._sink, select.POLLOUT)
        return any(event & select.POLLOUT for _, event in poll.poll(0))

    def _put(self, data: bytes) -> None:
        """Write it all. Called by one thread at a time."""
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._sink, rest) :]
        except OSError as error:
            self._break(f"writing failed: {error.strerror}")

    def _break(self, why: str) -> None:
        self._broken = True
        self._unsent.clear()
        _log.info("%s", why)
        self._alarm()
        self._tell(self._end)

    def _write(self) -> None:
        while not self._broken:
            with self._changed:
                while not self._unsent and not self._broken:
                    self._changed.wait()
                data = b"".join(self._unsent)
                self._unsent.clear()
                self._unsent_bytes = 0
                self._writing = True
            self._put(data)
            with self._changed:
                self._writing = False

    def _read(self) -> None:
        frames = Frames()
        while True:
            try:
                data = os.read(self._source, _CHUNK_BYTES)
            except OSError as error:
                _log.info("reading failed: %s", error.strerror)
                data = b""
            if not data:
                self._alarm()
                self._tell(self._end)
                return
            for body in frames.feed(data):
                message: Any = body
                if isinstance(body, bytes):
                    try:
                        message = decoded(body)
                    except Garbled as garbled:
                        message = garbled
                self._tell(self._handle, message, time.monotonic())

    def _tell(self, callback: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop was closed: the process ends
            self._loop.call_soon_threadsafe(callback, *arguments)

    def _handle(self, message: Any, came_s: float) -> None:
        began_s = time.monotonic()
        self._received(message)
        ended_s = time.monotonic()
        method = cast("dict[str, Any]", message).get("method") if isinstance(message, dict) else None
        if method == "initialize":
            self._silent_until_s = ended_s + 1  # the loading of all features follows, which is no fault
        elif max(began_s - came_s, ended_s - began_s) > _SLOW_S and ended_s > self._silent_until_s:
            self._silent_until_s = ended_s + _TOLD_S
            waited_ms, took_ms = (began_s - came_s) * 1e3, (ended_s - began_s) * 1e3
            _log.warning("%.60s waited %.0f ms for the loop and took %.0f ms", method, waited_ms, took_ms)

    def _end(self) -> None:
        if not self._gone:
            self._gone = True
            self._lost()
