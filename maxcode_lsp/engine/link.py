"""One engine process, seen from the server: what is sent to it and read from it, and how it ended."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress

from maxcode_lsp import log
from maxcode_lsp.engine.journal.lines import LINE_BYTES, encode
from maxcode_lsp.engine.splitter import Splitter
from maxcode_lsp.engine.wire import BEAT_S, PROTOCOL, Message, Ready, Request, message_of
from maxcode_lsp.errors import EngineLost
from maxcode_lsp.executor.child import python_path, start
from maxcode_lsp.messages import preparing, troubles

_log = logging.getLogger(__name__)

ARGV = (sys.executable, "-P", "-m", "maxcode_lsp.engine.process")
HELLO_S = 20.0
"""Ours: how long the engine may take to say that it is there."""
SILENCE_S = 60.0
"""Ours: an engine at work that says nothing for so long hangs."""
UNREAD_BYTES = 96 << 20
"""Ours: an engine that leaves so much unread hangs; more than two requests of the largest size."""
TEARDOWN_S = 1.5
_END_S = 0.2
_TAIL_BYTES = 8 << 10


class Link:
    """Made by :meth:`open`. All callbacks are called on the event loop."""

    def __init__(
        self,
        process: Process,
        on_message: Callable[[Message], None],
        on_end: Callable[[Link, str], None],
        busy: Callable[[], bool],
    ) -> None:
        """See :meth:`open`."""
        self.pid = process.pid
        self.alive = True
        """It did not end yet, as far as is known."""
        self._process = process
        self._on_message = on_message
        self._on_end = on_end
        self._busy = busy
        self._splitter = Splitter(2 * LINE_BYTES)
        self._closing = False
        self._why = ""
        """Why we ended it."""
        self._active_s = time.monotonic()
        """When it last said something, or got something to do."""
        self._tail = bytearray()
        self._listening = asyncio.ensure_future(self._listen())
        self._reading: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls, on_message: Callable[[Message], None], on_end: Callable[[Link, str], None], busy: Callable[[], bool]
    ) -> Link:
        """Start an engine and hear it say that it is there. Raises EngineLost.

        ``on_end(link, how)``: it ended, and we did not close it; ``how`` is a clause, empty where it ended by itself
        because it had nothing to do. ``busy``: whether it should be at work, so that its silence means something.
        """
        try:
            process = await start(
                ARGV,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env={**os.environ, "PYTHONPATH": python_path()},
                cwd="/",
                new_session=True,
            )
        except OSError as error:
            raise EngineLost(troubles.engine_not_started(error.strerror or str(error))) from error
        link = cls(process, on_message, on_end, busy)
        try:
            await link._hello()
        except BaseException:
            await link.close()
            raise
        link._reading = asyncio.ensure_future(link._read())
        return link

    def send(self, request: Request) -> None:
        """Send a request; one that cannot arrive is no error here: the end is told. Raises ValueError if too large."""
        line = encode(request)
        if len(line) > LINE_BYTES:
            raise ValueError("too large")
        stdin = self._process.stdin
        assert stdin is not None
        if not self.alive or stdin.is_closing():
            return
        self._active_s = time.monotonic()
        stdin.write(line)
        if stdin.transport.get_write_buffer_size() > UNREAD_BYTES:
            self._end("it stopped reading")

    async def close(self) -> None:
        """The end of its input tells it to leave; if it does not, it is killed. Within 2 s; idempotent."""
        self._closing = True
        stdin = self._process.stdin
        if stdin is not None and self.alive:
            # What still waits to be written must not keep the pipe open.
            stdin.transport.abort()
        await self._ended(TEARDOWN_S)
        await self._drop(self._reading)

    async def _hello(self) -> None:
        try:
            async with asyncio.timeout(HELLO_S):
                first = await self._first()
        except TimeoutError as error:
            raise EngineLost(troubles.engine_not_started(troubles.engine_silent(HELLO_S))) from error
        if not isinstance(first, Ready) or first.protocol != PROTOCOL:
            raise EngineLost(troubles.engine_other_version())

    async def _first(self) -> Message | None:
        """The first message; None: what it says is not understood. Raises EngineLost."""
        assert self._process.stdout is not None
        lines: list[bytes] = []
        while not lines:
            piece = await self._process.stdout.read(1 << 16)
            if not piece:
                how = await self._ended(TEARDOWN_S)
                raise EngineLost(troubles.engine_not_started(how or "it ended at once"))
            lines = self._splitter.feed(piece)
        try:
            return message_of(lines[0])
        except ValueError:
            return None

    async def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        while True:
            began_s = time.monotonic()
            try:
                async with asyncio.timeout(BEAT_S):
                    piece = await stdout.read(1 << 18)
            except TimeoutError:
                if time.monotonic() - began_s > 2 * BEAT_S:
                    self._active_s = time.monotonic()  # we were stopped ourselves, and what it said is still unread
                elif self._busy() and time.monotonic() - self._active_s > SILENCE_S:
                    self._end(troubles.engine_silent(SILENCE_S))
                continue
            if not piece:
                break
            self._active_s = time.monotonic()
            for line in self._splitter.feed(piece):
                self._heard(line)
        self.alive = False
        how = await self._ended(TEARDOWN_S)
        if not self._closing:
            self._on_end(self, how)

    def _heard(self, line: bytes) -> None:
        try:
            message = message_of(line)
        except ValueError as error:
            _log.warning("a message of the engine was not understood: %s", error)
            return
        try:
            self._on_message(message)
        except Exception:  # noqa: BLE001 - one message must not keep the others from being heard
            _log.exception("a message of the engine could not be taken")

    def _end(self, why: str) -> None:
        """It hangs: it is made to say where, and killed."""
        if self._why:
            return
        self._why = why
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGABRT)
        asyncio.get_running_loop().call_later(_END_S, self._kill)

    def _kill(self) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    async def _ended(self, limit_s: float) -> str:
        """Wait for its end, at most ``limit_s`` before it is killed; how it ended. What it said last is logged."""
        self.alive = False
        try:
            async with asyncio.timeout(limit_s):
                await self._process.wait()
        except TimeoutError:
            self._kill()
            with suppress(TimeoutError):
                async with asyncio.timeout(_END_S):
                    await self._process.wait()
        await asyncio.wait([self._listening], timeout=_END_S)
        await self._drop(self._listening)
        if self._tail:
            said = bytes(self._tail).decode(errors="replace")
            self._tail.clear()
            await asyncio.to_thread(log.write, f"{log.stamp()} engine [{self.pid}] said at last:\n{said}")
        if self._why:
            return self._why
        code = self._process.returncode
        return "" if code == 0 else _how(code)

    async def _listen(self) -> None:
        """Keep the end of what it says on standard error: words of libraries, and the traces of a crash."""
        stderr = self._process.stderr
        assert stderr is not None
        while piece := await stderr.read(1 << 14):
            self._tail += piece
            if len(self._tail) > _TAIL_BYTES:
                del self._tail[:-_TAIL_BYTES]
                # Up to the next word: half of a key would not be known as one.
                del self._tail[: len(self._tail.split(None, 1)[0])]

    @staticmethod
    async def _drop(task: asyncio.Task[None] | None) -> None:
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait([task], timeout=_END_S)


def _how(code: int | None) -> str:
    if code is None:
        return "it did not end"
    how = preparing.ended_with(*((None, -code) if code < 0 else (code, None)))
    return f"{how}, perhaps because memory ran out" if code == -signal.SIGKILL else how
