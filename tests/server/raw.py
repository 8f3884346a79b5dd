"""A client that says exactly what it is told to, byte for byte, to a real server on real streams."""

from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from maxcode_lsp.server.connection.frames import Frames, decoded

LIMIT_S = 60.0
"""For anything that must come."""


def environment(folder: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Of a server that keeps its files below a folder."""
    homes = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")}
    path = os.pathsep.join([*(extra or {}).get("PYTHONPATH", "").split(), *filter(None, sys.path)])
    return {**os.environ, **homes, **(extra or {}), "PYTHONPATH": path}


class Raw:
    """A server and its only client. Requests of the server are answered as ``replies`` says, else with an error."""

    def __init__(self, folder: Path, *arguments: str, extra: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.stderr = folder / "stderr.txt"
        self.replies: dict[str, Any] = {}
        self.messages: list[dict[str, Any]] = []
        """Everything that has come, in its order."""
        self.reading = threading.Event()
        self.reading.set()
        self._came: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._next = 0
        with self.stderr.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "maxcode_lsp", "lsp", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment(folder, extra),
            )
        assert self.process.stdin and self.process.stdout
        self._out, self._in = self.process.stdin.fileno(), self.process.stdout.fileno()
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        if "--socket" not in arguments:
            self._reader.start()

    def connect(self) -> None:
        """To a server that listens: the port is on its standard error."""
        end = time.monotonic() + LIMIT_S
        while not (said := self.stderr.read_text()).endswith("\n"):
            assert time.monotonic() < end and self.process.poll() is None, said
            time.sleep(0.02)
        self._socket = socket.create_connection(("127.0.0.1", int(said.rpartition(":")[2])))
        self._in = self._out = self._socket.fileno()
        self._reader.start()

    def _read(self) -> None:
        frames = Frames()
        while True:
            self.reading.wait()
            try:
                data = os.read(self._in, 1 << 16)
            except OSError:
                data = b""
            if not data:
                self._came.put(None)
                return
            for body in frames.feed(data):
                assert isinstance(body, bytes), f"between messages: {data!r}"
                message = decoded(body)
                if "method" in message and "id" in message:
                    self._reply(message)
                self._came.put(message)

    def _reply(self, asked: dict[str, Any]) -> None:
        method = asked["method"]
        answer = {"result": self.replies[method]} if method in self.replies else {"error": {"code": 1, "message": "no"}}
        try:
            self.send({"jsonrpc": "2.0", "id": asked["id"], **answer})
        except OSError:
            return

    def raw(self, data: bytes) -> None:
        """Send bytes."""
        with self._lock:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._out, rest) :]

    def send(self, message: Any) -> None:
        """Send a message, whatever it is."""
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any = None) -> int:
        """Send a request; its id."""
        self._next += 1
        self.send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        return self._next

    def take(self, limit_s: float = LIMIT_S) -> dict[str, Any]:
        """The next message."""
        message = self._came.get(timeout=limit_s)
        assert message is not None, f"the server ended: {self.stderr.read_text()}"
        self.messages.append(message)
        return message

    def answer(self, ident: object) -> dict[str, Any]:
        """The answer to a request."""
        while True:
            for message in self.messages:
                if "method" not in message and message.get("id") == ident:
                    return message
            self.take()

    def call(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        return self.answer(self.request(method, params))

    def initialize(self, capabilities: Any = None, **params: Any) -> dict[str, Any]:
        """Open the connection; the result of ``initialize``."""
        given: dict[str, Any] = {
            "processId": os.getpid(),
            "rootUri": None,
            "capabilities": capabilities or {},
            **params,
        }
        result = self.call("initialize", given)["result"]
        self.notify("initialized", {})
        return result

    def stop(self) -> int:
        """Close as the protocol says; the exit code."""
        assert self.call("shutdown")["result"] is None
        self.notify("exit")
        return self.ended()

    def ended(self) -> int:
        """The exit code, once the process has ended."""
        return self.process.wait(LIMIT_S)

    def hang_up(self) -> None:
        """Close the server's standard input."""
        assert self.process.stdin
        self.process.stdin.close()

    def log(self) -> str:
        """What is in the server's log."""
        file = self.folder / "state" / "maxcode" / "log" / "maxcode.log"
        return file.read_text() if file.exists() else ""

    def close(self) -> None:
        """End everything."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LIMIT_S)
        self.reading.set()
        if self._socket is not None:
            self._socket.close()
        elif self._reader.is_alive():
            self._reader.join(LIMIT_S)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            stream.close()


Started = Callable[..., Raw]
"""Starts a server with these arguments."""
