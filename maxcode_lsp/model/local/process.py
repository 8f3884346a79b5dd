"""The server of a local model as a process of its own: ``python -P -m maxcode_lsp.model.local.process``.

Standard input has one line, an :class:`Order`, and is then kept open; standard output gets two: an empty one as soon as
it may be stopped by SIGSTOP, for from then on it dies with who started it, and :class:`Up` or :class:`Down`. It listens
on the loopback interface only and answers only who knows the key, which is neither among its arguments nor in its
environment. It ends at once when the input ends or the process that started it dies, also while it is stopped by
SIGSTOP.

How it shares the machine is our choice, from few and noisy figures (the 0.5B model beside a compiler, two cores that
others used, too; medians of three). One thread for each core: 5.3 tokens a second with two, 2.0 with one. None of them
spins while it waits for the others, which a compiler may keep from running. A priority of 5 is between two ends: at 0
the model is quickest (7.0) and a build takes about twice as long (14 s; 6 s without a model); at 10 builds hardly
notice it (7 s), and the model is slow (2.2). At 5: 4.6 tokens a second, and 10 s.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

NICE = 5
"""Ours: the priority, lower than that of an editor and of builds in a terminal, the same as in an editor's engine."""
HTTP_THREADS = 4
_PR_SET_PDEATHSIG = 1


class Order(Struct, frozen=True):
    """What is to be served, and how."""

    weights: str
    """Path of the GGUF file."""
    name: str
    """Under which the model is asked for."""
    key: str
    context_tokens: int
    parent: int
    """Process id of who gives the order: the server dies with it."""
    port: int = 0
    """0: any that is free."""
    threads: int = 0
    """0: one for each core that may be used."""


class Up(Struct, frozen=True, tag="up"):
    """It listens."""

    port: int


class Down(Struct, frozen=True, tag="down"):
    """It cannot."""

    why: str
    missing: bool = False
    """The library is not installed."""


def die_with(parent: int) -> None:
    """From now on this process is killed when its parent dies, however it dies."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # it died before


def main() -> NoReturn:
    """Serve until the end of the input."""
    answers = os.dup(1)
    os.dup2(2, 1)  # what the library prints must not get between
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    line = sys.stdin.buffer.readline()
    if not line:
        os._exit(0)
    order = msgspec.json.decode(line, type=Order)
    die_with(order.parent)
    os.write(answers, b"\n")
    os.setpriority(os.PRIO_PROCESS, 0, max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    threading.Thread(target=_until_the_input_ends, daemon=True).start()
    said = _serve(order)
    os.write(answers, msgspec.json.encode(said) + b"\n")
    os.close(answers)
    while isinstance(said, Up):
        signal.pause()
    os._exit(1)


def _until_the_input_ends() -> NoReturn:
    while sys.stdin.buffer.read(1 << 12):
        pass
    os._exit(0)


_server: Any = None
"""It serves as long as it is not collected."""


def _serve(order: Order) -> Up | Down:
    global _server  # noqa: PLW0603 - lives as long as the process
    os.environ["OMP_WAIT_POLICY"] = "passive"  # read when the library is loaded
    try:
        import xllamacpp  # pyright: ignore[reportMissingTypeStubs] - it has none
    except ImportError as error:
        return Down(str(error), missing=True)
    library: Any = xllamacpp
    settled: Any = library.CommonParams()
    settled.model.path = order.weights
    settled.model_alias = {order.name}
    settled.n_ctx = order.context_tokens
    settled.n_parallel = 1
    for part in (settled.cpuparams, settled.cpuparams_batch):
        part.n_threads = order.threads or len(os.sched_getaffinity(0))
        part.poll = 0
    settled.hostnames = ["127.0.0.1"]
    settled.port = order.port
    settled.api_keys = [order.key]
    settled.n_threads_http = HTTP_THREADS
    settled.cors_origins = "http://127.0.0.1"  # no page in a browser has business here
    settled.cors_credentials = False
    settled.ui = settled.endpoint_slots = False
    settled.cache_ram_mib = 0  # prompts are kept in the one slot, not in gigabytes beside it
    settled.offline = True
    settled.verbosity = 0
    try:
        _server = library.Server(settled)
        return Up(int(str(_server.listening_address).rpartition(":")[2]))
    except Exception as error:  # noqa: BLE001 - whatever it says, it is told to who gave the order
        return Down(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
