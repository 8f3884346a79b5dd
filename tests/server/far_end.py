"""The other end of a connection: what the server's real protocol writes is read here, and its requests are answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from pygls.lsp.server import LanguageServer

from maxcode_lsp.server.connection.editor import Abilities, Editor


class FarEnd:
    """A client in this process. A request whose method has no answer here stays open."""

    def __init__(self, can: Abilities | None = None) -> None:
        self.server = LanguageServer("test", "1")
        self.server.protocol.set_writer(self, include_headers=False)
        self.editor = Editor(self.server)
        self.editor.can = can or Abilities()
        self.answers: dict[str, Callable[[Any], Any]] = {}
        self.sent: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    def write(self, data: bytes) -> None:
        """Called by the protocol."""
        message = json.loads(data)
        self.sent.append(message)
        self._news.set()
        if "id" in message and message["method"] in self.answers:
            asyncio.get_running_loop().call_soon(self.answer, message)

    def close(self) -> None:
        """Part of what the protocol wants of a writer."""

    def answer(self, request: dict[str, Any]) -> None:
        """Answer a request as ``answers`` says."""
        result = self.answers[request["method"]](request.get("params"))
        protocol = self.server.protocol
        message: Any = protocol.structure_message({"jsonrpc": "2.0", "id": request["id"], "result": result})
        protocol.handle_message(message)

    def all(self, method: str) -> list[Any]:
        """Parameters of all messages of a method so far."""
        return [message.get("params") for message in self.sent if message["method"] == method]

    async def wait_for(self, method: str, count: int = 1) -> list[Any]:
        """Wait until a method was used so often."""
        async with asyncio.timeout(10):
            while len(self.all(method)) < count:
                self._news.clear()
                await self._news.wait()
        return self.all(method)
