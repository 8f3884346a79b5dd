"""A server from the start of its process to its end. Only what the start needs is imported here."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from threading import Thread, Timer
from types import FrameType
from typing import NoReturn

END_S = 1.8
"""After this long the process ends, whatever is still going on. What it started ends with it."""
_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_CODE_CACHE_S = 30.0
"""By then the usual requests were handled once, and what they compiled is kept."""


def run(port: int | None = None) -> NoReturn:
    """Serve one client, then end the process: with 0 after ``shutdown``, else with 1.

    On standard input and output, or, given a port, on that port of the loopback (0: any; it is said on standard error).
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # Nearly nothing of what is imported is garbage; App enables it again.
    try:
        source, sink = _standard_streams() if port is None else _one_client(port)
    except OSError as error:
        where = "Standard input or output" if port is None else f"Port {port} of this machine"
        raise SystemExit(f"maxcode: {where} cannot be used: {error.strerror}.") from None
    # Before the libraries whose code is cached.
    from maxcode_lsp.server.connection.code_cache import CodeCache, default_file

    cache = CodeCache(default_file())

    import asyncio
    import logging

    from maxcode_lsp import log
    from maxcode_lsp.server.app import App
    from maxcode_lsp.server.connection.connection import Connection
    from maxcode_lsp.server.connection.stderr import ToEditor

    log.configure()
    logging.getLogger().addHandler(ToEditor(logging.ERROR))

    async def serve() -> int:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[int] = loop.create_future()

        def doomed() -> None:
            deadline = Timer(END_S, os._exit, [1])
            deadline.daemon = True
            deadline.start()

        app = App(ended, on_end=doomed)

        def stopped(_number: int, _frame: FrameType | None) -> None:
            doomed()
            loop.call_soon_threadsafe(app.lost)

        for number in _SIGNALS:
            # Not the loop's own handlers, which do not run while it hangs. What nohup ignores stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, stopped)
        connection = Connection(source, sink, app.protocol.receive, app.lost, doomed)
        app.protocol.set_writer(connection)
        loop.call_later(_CODE_CACHE_S, Thread(target=cache.close, daemon=True).start)
        code = await ended
        cache.close()
        await connection.flush(END_S / 4)
        return code

    loop = asyncio.new_event_loop()
    # Not asyncio.run: that, and an ordinary end, wait for threads, which may hang on a dead network drive.
    os._exit(loop.run_until_complete(serve()))


def _standard_streams() -> tuple[int, int]:
    """Take standard input and output for the protocol alone: what is printed goes to standard error, and whoever reads
    standard input, like a child that inherits it, finds it empty.
    """
    if os.isatty(0):
        sys.stderr.write("This is a language server; an editor starts it. See README, “In an editor”.\n")
    source, sink = os.dup(0), os.dup(1)
    try:
        os.fstat(2)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return source, sink


def _one_client(port: int) -> tuple[int, int]:
    with socket.create_server(("127.0.0.1", port), backlog=1) as listening:
        sys.stderr.write(f"maxcode: listening on 127.0.0.1:{listening.getsockname()[1]}\n")
        sys.stderr.flush()
        client, _ = listening.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    descriptor = client.detach()
    return descriptor, descriptor
