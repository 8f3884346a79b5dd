"""A language server as a benchmark meets it: a process, messages to and from it, what it costs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from maxcode_lsp.executor.child import start
from maxcode_lsp.server.connection.frames import Frames, decoded, frame

OURS = (sys.executable, "-m", "maxcode_lsp", "lsp")
STOCK = (sys.executable, "-m", "maxcode_lsp.benchmarks.stock_server")
ANSWER_S = 60.0
CAPABILITIES: dict[str, Any] = msgspec.json.decode(
    (files("maxcode_lsp.benchmarks") / "vscode.json").read_bytes(), type=dict[str, Any]
)
"""What VS Code 1.65 says it can do, as recorded by pytest-lsp."""


class Peer:
    """A running server; use it as an async context. Requests of the server are answered with null."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self._argv, self._env = argv, env
        self._frames = Frames()
        self._unread: list[Any] = []
        self._next = 0

    async def __aenter__(self) -> Self:
        """Start it."""
        pipe = asyncio.subprocess.PIPE
        nothing = asyncio.subprocess.DEVNULL
        self._child = await start(self._argv, stdin=pipe, stdout=pipe, stderr=nothing, env=self._env)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        with contextlib.suppress(ProcessLookupError):
            self._child.kill()
        assert self._child.stdin
        self._child.stdin.close()
        async with asyncio.timeout(ANSWER_S):
            await self._child.communicate()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._child.pid

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all its threads, from its start: the clock that clock_getcpuclockid(3) names."""
        return time.clock_gettime((~self.pid << 3) | 2)

    @property
    def rss_mb(self) -> float:
        """Memory of it and all its children now, in MB (10⁶ bytes)."""
        return sum(map(_rss_bytes, [self.pid, *below(self.pid)])) / 1e6

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        assert self._child.stdin
        self._child.stdin.write(frame({"jsonrpc": "2.0", **message}))

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> int:
        """Send a request; its id."""
        self._next += 1
        self.send({"id": self._next, "method": method, "params": params})
        return self._next

    async def answer(self, ident: int) -> Any:
        """The result of a request. What else comes meanwhile is dropped. Raises RuntimeError for an error."""
        async with asyncio.timeout(ANSWER_S):
            while True:
                message = await self.take()
                if "method" not in message and message["id"] == ident:
                    if "error" in message:
                        raise RuntimeError(message["error"]["message"])
                    return message["result"]

    async def call(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result."""
        return await self.answer(self.request(method, params))

    async def initialize(self, **more: Any) -> Any:
        """The result of ``initialize``."""
        given = {"processId": os.getpid(), "rootUri": None, "capabilities": CAPABILITIES}
        return await self.call("initialize", {**given, **more})

    async def stop(self) -> None:
        """End it as the protocol says."""
        await self.call("shutdown", None)
        self.notify("exit", None)
        async with asyncio.timeout(ANSWER_S):
            await self._child.wait()

    async def take(self) -> dict[str, Any]:
        """The next message."""
        assert self._child.stdout
        while not self._unread:
            data = await self._child.stdout.read(1 << 16)
            if not data:
                message = f"{' '.join(self._argv)} ended"
                raise RuntimeError(message)
            self._unread += [decoded(body) for body in self._frames.feed(data) if isinstance(body, bytes)]
        message = self._unread.pop(0)
        if "method" in message and "id" in message:
            self.send({"id": message["id"], "result": None})
        return message


def below(pid: int) -> list[int]:
    """All descendants of a process."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children = [int(child) for child in (thread / "children").read_text().split()]
            for child in children:
                found += [child, *below(child)]
    return found


def _rss_bytes(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
