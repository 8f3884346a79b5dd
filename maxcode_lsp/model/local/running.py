"""One server of a local model that this process has started."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path

import msgspec

from maxcode_lsp import redaction
from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.executor.child import python_path, start
from maxcode_lsp.executor.quiet import Watcher
from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local.catalogue import Weights
from maxcode_lsp.model.local.endpoint import Endpoint
from maxcode_lsp.model.local.memory import free_memory
from maxcode_lsp.model.local.process import Down, Order, Up

ARGV = (sys.executable, "-P", "-m", "maxcode_lsp.model.local.process")
CONTEXT_TOKENS = 8192
"""Ours: of question and answer, where nothing else is asked for."""
START_S = 120.0
"""Ours: how long weights may take to be read from a slow disk, the time not counted in which measurements stop it."""
END_S = 1.5
_LOOK_S = 0.25
_PASSED_ON = frozenset({"HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "VIRTUAL_ENV"})
"""It has no business with the rest of the environment, keys among it."""


class Running:
    """Made by :meth:`open`. Close it."""

    def __init__(self, process: Process, watcher: Watcher, endpoint: Endpoint) -> None:
        """See :meth:`open`."""
        self.endpoint = endpoint
        self.watcher = watcher
        self._process = process

    @classmethod
    async def open(
        cls, weights: Weights, file: Path, *, context_tokens: int = CONTEXT_TOKENS, port: int = 0
    ) -> Running:
        """Start a server and wait until it listens. Raises ModelTrouble.

        It stands still while anything is measured on this machine, and is killed by the kernel when this process, or
        the thread that this is called in, ends.
        """
        free = await asyncio.to_thread(free_memory)
        if free is not None and free < weights.memory_bytes:
            sentence = local_models.too_little_memory(weights.name, free, weights.memory_bytes)
            raise ModelTrouble(sentence, ModelFault.UNREACHABLE)
        key = secrets.token_urlsafe(32)
        redaction.hide([key])
        order = Order(str(file), weights.name, key, context_tokens, os.getpid(), port)
        kept = {name: value for name, value in os.environ.items() if name in _PASSED_ON}
        try:
            process = await start(
                ARGV, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={**kept, "PYTHONPATH": python_path()}, cwd="/"
            )
        except OSError as error:
            raise _not_started(weights.name, error.strerror or str(error)) from error
        watcher: Watcher | None = None
        try:
            await _bound(process, order)
            watcher = Watcher(process.pid)
            listening = await _hello(process, watcher, order)
        except OSError as error:
            await _end(process, watcher)
            raise _not_started(weights.name, local_models.ended_with(1)) from error
        except BaseException:
            await _end(process, watcher)
            raise
        endpoint = Endpoint(f"http://127.0.0.1:{listening}/v1", key, weights.name, context_tokens)
        return cls(process, watcher, endpoint)

    @property
    def pid(self) -> int:
        """Of the server."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """It did not end yet, as far as is known."""
        return self._process.returncode is None

    async def ended(self) -> str:
        """Wait until it ends by itself; how it did, as a clause."""
        return local_models.ended_with(await self._process.wait())

    async def close(self) -> None:
        """End it, within 2 s, also while it is paused. Idempotent."""
        await _end(self._process, self.watcher)


async def _bound(process: Process, order: Order) -> None:
    """Give the order, and wait until the process dies with this one. One that is stopped before would, where this one
    is killed then, stand still for ever. Raises ModelTrouble.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(order) + b"\n")
    try:
        async with asyncio.timeout(START_S):
            await process.stdout.readline()  # where it ends instead, that is told by what comes next
    except TimeoutError:
        raise ModelTrouble(local_models.server_too_slow(order.name, START_S), ModelFault.TOO_SLOW) from None


async def _hello(process: Process, watcher: Watcher, order: Order) -> int:
    """The port that it listens on. Raises ModelTrouble."""
    assert process.stdout is not None
    began_s = time.monotonic()
    reading = asyncio.ensure_future(process.stdout.readline())
    try:
        while not reading.done() and time.monotonic() - began_s - watcher.paused_s < START_S:
            await asyncio.wait({reading}, timeout=_LOOK_S)
    finally:
        reading.cancel()
    if not reading.done() or reading.cancelled():
        raise ModelTrouble(local_models.server_too_slow(order.name, START_S), ModelFault.TOO_SLOW)
    try:
        said = msgspec.json.decode(reading.result(), type=Up | Down)
    except (msgspec.DecodeError, ValueError) as error:
        with suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                await process.wait()
        raise _not_started(order.name, local_models.ended_with(process.returncode or 1)) from error
    if isinstance(said, Up):
        return said.port
    if said.missing:
        raise ModelTrouble(local_models.library_missing(), ModelFault.LIBRARY)
    raise _not_started(order.name, said.why)


def _not_started(name: str, why: str) -> ModelTrouble:
    return ModelTrouble(local_models.server_not_started(name, why), ModelFault.UNREACHABLE)


async def _end(process: Process, watcher: Watcher | None = None) -> None:
    """Kill it: it holds nothing that is worth a farewell. Cancelling does not keep it alive."""
    with suppress(ProcessLookupError):
        process.kill()
    if process.stdin is not None:
        process.stdin.close()

    async def wait() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                await process.wait()
        if watcher is not None:
            await asyncio.to_thread(watcher.stop)

    await asyncio.shield(asyncio.ensure_future(wait()))
