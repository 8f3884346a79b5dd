"""The engine's end of the pipe to the server: never blocks, and holds a bounded amount for a slow reader."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from maxcode_lsp.engine.journal.lines import encode_redacted
from maxcode_lsp.engine.wire import Message

SLOW_BYTES = 256 << 10
"""Ours: with more than this waiting, what is only for show is held back."""
MOST_BYTES = 64 << 20
"""Ours: whoever leaves so much unread has stopped reading."""


class Outlet(asyncio.BaseProtocol):
    """Messages go out in order."""

    def __init__(self, on_lost: Callable[[str], None]) -> None:
        """``on_lost``: told why nobody reads any more."""
        self._on_lost = on_lost
        self._transport: asyncio.WriteTransport | None = None

    @classmethod
    async def open(cls, descriptor: int, on_lost: Callable[[str], None]) -> Outlet:
        """On a pipe, which then belongs to the outlet."""
        pipe = os.fdopen(descriptor, "wb", 0)
        _, outlet = await asyncio.get_running_loop().connect_write_pipe(lambda: cls(on_lost), pipe)
        return outlet

    @property
    def slow(self) -> bool:
        """The reader is behind."""
        return self._transport is not None and self._transport.get_write_buffer_size() > SLOW_BYTES

    def send(self, message: Message) -> None:
        """Send a message; after the reader is lost, nothing."""
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.write(encode_redacted(message))
        if self._transport.get_write_buffer_size() > MOST_BYTES:
            self._transport.abort()
            self._on_lost("the server stopped reading")

    def close(self) -> None:
        """Nothing more is sent, also of what waits. Idempotent."""
        if self._transport is not None and not self._transport.is_closing():  # one that is lost cannot be aborted
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._on_lost("the server is gone" if exc is None else str(exc))
