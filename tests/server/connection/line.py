"""A protocol whose other end is a list."""

from __future__ import annotations

from typing import Any, cast

from pygls.lsp.server import LanguageServer

from maxcode_lsp.server.connection.decoding import strict_converter
from maxcode_lsp.server.connection.frames import Frames, decoded
from maxcode_lsp.server.connection.protocol import Protocol


class Sent:
    """What the other end of the line has received."""

    def __init__(self) -> None:
        self._frames = Frames()
        self.messages: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.messages += [decoded(body) for body in self._frames.feed(data) if isinstance(body, bytes)]

    def close(self) -> None: ...

    def to(self, ident: object) -> list[dict[str, Any]]:
        """All answers to a request."""
        return [message for message in self.messages if "method" not in message and message["id"] == ident]

    def code(self, ident: object) -> int:
        """The error code of the only answer to a request."""
        (answer,) = self.to(ident)
        return answer["error"]["code"]


class Line:
    """A protocol with an opened connection."""

    def __init__(self) -> None:
        self.server = LanguageServer("test", "1", protocol_cls=Protocol, converter_factory=strict_converter)
        self.protocol = cast("Protocol", self.server.protocol)
        self.sent = Sent()
        self.protocol.set_writer(self.sent)
        self.protocol.handlers["initialize"] = lambda params: {"capabilities": {}}
        self.protocol.handlers["shutdown"] = lambda params: None

    def open(self) -> None:
        self.request("init", "initialize", {"capabilities": {}})
        self.sent.messages.clear()

    def request(self, ident: object, method: str, params: Any = None) -> None:
        self.protocol.receive({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})

    def notify(self, method: str, params: Any = None) -> None:
        self.protocol.receive({"jsonrpc": "2.0", "method": method, "params": params})
