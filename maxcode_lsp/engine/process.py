"""The engine as a process of its own: ``python -P -m maxcode_lsp.engine.process``, started by the server.

It reads requests on standard input and writes messages to standard output. It ends, with all that it started and
within 2 s, when the input ends, its parent dies, it is told to, or it has had nothing to do for long.
"""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import faulthandler
import logging
import os
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from maxcode_lsp import log
from maxcode_lsp.engine.journal.lines import LINE_BYTES
from maxcode_lsp.engine.outlet import Outlet
from maxcode_lsp.engine.splitter import Splitter
from maxcode_lsp.engine.wire import BEAT_S, Ready, request_of

if TYPE_CHECKING:
    from maxcode_lsp.engine.serving import Serving

_log = logging.getLogger(__name__)

NICER = 5
"""Ours: so much lower than the editor's is the engine's priority, so that typing stays quick."""
IDLE_S = 600.0
"""Ours: after so long without work the process ends; the next request starts another."""
TEARDOWN_S = 1.5
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve until the end."""
    inlet, outlet = own_streams()
    codes = [1]
    # Registered first, so called last. To free litellm's modules one by one would take a second.
    atexit.register(lambda: _vanish(codes[-1]))
    faulthandler.enable()
    log.configure()
    os.nice(NICER)
    # Should the server die while we cannot notice the end of the input.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    asyncio.run(_serve(inlet, outlet))
    codes.append(0)


def _vanish(code: int) -> None:
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def own_streams() -> tuple[int, int]:
    """Standard input and output for us alone: what else reads gets nothing, what else is printed goes to the log."""
    inlet, outlet = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return inlet, outlet


class _Inlet(asyncio.Protocol):
    """Lines of requests; None is the end."""

    def __init__(self, lines: asyncio.Queue[bytes | None]) -> None:
        self._lines = lines
        self._splitter = Splitter(LINE_BYTES)

    def data_received(self, data: bytes) -> None:
        for line in self._splitter.feed(data):
            self._lines.put_nowait(line)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        self._lines.put_nowait(None)


async def _serve(inlet: int, outlet: int) -> None:
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def leave(_number: int, _frame: object) -> None:
        _give_up_later()
        loop.call_soon_threadsafe(lines.put_nowait, None)

    # Handlers of the signal module, not of the loop: they run even when the loop is busy.
    for number in _SIGNALS:
        signal.signal(number, leave)
    await loop.connect_read_pipe(lambda: _Inlet(lines), os.fdopen(inlet, "rb", 0))
    out = await Outlet.open(outlet, lambda _why: lines.put_nowait(None))
    out.send(Ready(os.getpid()))
    await _Desk(out).work(lines)


class _Desk:
    """Takes requests one by one. What does the work takes seconds to import, so that waits for the first of them."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._serving: Serving | None = None

    async def work(self, lines: asyncio.Queue[bytes | None]) -> None:
        """Until the end of the lines, or nothing was to be done for ``IDLE_S``."""
        worked_s = beat_s = time.monotonic()
        while worked_s + IDLE_S > (now_s := time.monotonic()):
            if self._serving is not None and self._serving.busy:
                worked_s = now_s
                if now_s - beat_s >= BEAT_S:
                    self._outlet.send(Ready(os.getpid()))
                    beat_s = now_s
            try:
                async with asyncio.timeout(BEAT_S):
                    line = await lines.get()
            except TimeoutError:
                continue
            if line is None:
                break
            self._take(line)
            worked_s = now_s
        _give_up_later()
        if self._serving is not None:
            await self._serving.interrupt()

    def _take(self, line: bytes) -> None:
        try:
            request = request_of(line)
        except ValueError as error:
            _log.warning("a request was not understood: %s", error)
            return
        if self._serving is None:
            from maxcode_lsp.engine.serving import Serving

            self._serving = Serving(self._outlet)
        try:
            self._serving.take(request)
        except Exception:  # noqa: BLE001 - one odd request must not end the runs of others
            _log.exception("a request could not be taken")


def _give_up_later() -> None:
    """End the process in a while, however stuck it is; its sandboxes end with it. Says where it was stuck."""
    faulthandler.dump_traceback_later(TEARDOWN_S, exit=True, file=sys.stderr)


if __name__ == "__main__":
    main()
