"""A scripted OpenAI-compatible server on the loopback interface, for tests of whoever asks a language model.

It can be slow, broken, streaming, rate-limited and lying, as real ones are::

    with ModelServer([rate_limited("1"), "int main() {}"]) as server:
        ...  # ask openai/any at server.api_base
        assert server.calls[0].headers["authorization"] == "Bearer key"

Given a certificate it speaks TLS. It is a proxy, too, that answers for every host itself: whatever is sent through it,
wherever to, is in ``calls``.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from select import select
from types import TracebackType
from typing import Any, Self, cast

import msgspec

from maxcode_lsp.testing.model_replies import Reply, Said, error

LOOK_S = 0.02
"""How often it looks whether the client went away."""
MOST_BYTES = 64 << 20
"""An answer without an end ends here."""


class Call(msgspec.Struct, kw_only=True):
    """A request that came in."""

    method: str
    path: str
    """Through a proxy: the whole address, or the host and port of a tunnel (method CONNECT)."""
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    gone: bool = False
    """The client went away before the answer's end."""
    done: bool = False
    """Nothing more happens to it: answered, dropped or gone."""

    @property
    def asked(self) -> dict[str, Any]:
        """The body, read as JSON."""
        return json.loads(self.body or b"{}")

    @property
    def prompt(self) -> str:
        """All messages, one after the other."""
        return "\n\n".join(str(message.get("content")) for message in self.asked.get("messages", []))


Script = Sequence[Said] | Callable[[Call], Said]
"""What each question gets: in order, the last again and again; or by what was asked."""


class ModelServer:
    """The server; it listens from the start. A context manager; leaving it ends all connections."""

    def __init__(
        self,
        script: Script = ("Hello.",),
        *,
        models: Sequence[str] = ("scripted",),
        key: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """``key``: who does not send it gets a 401."""
        self.calls: list[Call] = []
        """All that came in, in order, questions or not."""
        self._script = script
        self._models = models
        self._key = key
        self._faults: list[BaseException] = []
        self._asked = 0
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self.tls = tls
        self._server = _Server(self)
        scheme = "https" if tls else "http"
        self.address = f"{scheme}://127.0.0.1:{self._server.server_port}"
        self.api_base = f"{self.address}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(LOOK_S,), name="model server")
        self._thread.start()

    @property
    def questions(self) -> list[Call]:
        """What was asked: requests that the script answers."""
        return [call for call in self.calls if call.method == "POST"]

    def reply(self, call: Call) -> Reply:
        """What the script says to a request."""
        if self._key is not None and call.headers.get("authorization") != f"Bearer {self._key}":
            return error(401, "Incorrect API key provided.", code="invalid_api_key")
        if call.method == "GET":
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "script"} for name in self._models]
            return Reply(body=json.dumps({"object": "list", "data": listed}).encode())
        try:
            if callable(self._script):
                said = self._script(call)
            else:
                with self._lock:
                    said = self._script[min(self._asked, len(self._script) - 1)]
                    self._asked += 1
        except Exception as fault:  # noqa: BLE001 (a fault of the test's script; told where the server is closed)
            self._faults.append(fault)
            return error(500, "The script failed.")
        return Reply(text=said) if isinstance(said, str) else said

    def close(self) -> None:
        """End all connections. Raises what the script raised. Idempotent."""
        if not self.closing.is_set():
            self.closing.set()
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
        if self._faults:
            raise self._faults.pop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def __init__(self, owner: ModelServer) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        for connection in tuple(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks is what this server is for."""


class _Gone(Exception):
    """The client went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]: the only server it is made for

    def setup(self) -> None:
        self._tunnel = False
        if self.server.owner.tls is not None:
            first = cast("socket.socket", self.request).recv(1, socket.MSG_PEEK)
            if first == b"\x16":  # a handshake; anything else asks for a tunnel first
                self._encrypt()
        super().setup()

    def _encrypt(self) -> None:
        assert self.server.owner.tls is not None
        self.request = self.server.owner.tls.wrap_socket(self.request, server_side=True)
        self._tunnel = True

    def finish(self) -> None:
        super().finish()
        if self._tunnel:
            cast("ssl.SSLSocket", self.request).close()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (named by the base class)
        """Nothing goes to the terminal."""

    def do_CONNECT(self) -> None:
        self._called()
        self.server.owner.calls[-1].done = True
        if self.server.owner.tls is None:
            self.send_error(502)
            return
        self.send_response(200)
        self.end_headers()
        self._encrypt()
        super().setup()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _called(self) -> Call:
        size = int(self.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        call = Call(method=self.command, path=self.path, headers=headers, body=self.rfile.read(size))
        self.server.owner.calls.append(call)
        return call

    def _answer(self) -> None:
        call = self._called()
        try:
            self._send(call, self.server.owner.reply(call))
        except (_Gone, OSError):
            call.gone = not self.server.owner.closing.is_set()
            self.close_connection = True
        finally:
            call.done = True

    def _send(self, call: Call, reply: Reply) -> None:
        self._wait(reply.wait_s)
        if reply.drop == "before":
            self.close_connection = True
            return
        streaming = reply.plain and bool(call.asked.get("stream"))
        pieces = reply.events(call.asked) if streaming else reply.document(call.asked)
        self.send_response(reply.status)
        kind = "text/event-stream" if streaming else "application/json"
        for name, value in {"content-type": kind, **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        sent = 0
        for number, piece in enumerate(pieces):
            if reply.drop == "during" and number == (reply.drop_after if streaming else 1):
                self.close_connection = True
                return
            self._wait(reply.pause_s if number else 0)
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            sent += len(piece)
            if sent > MOST_BYTES:
                break
        self.wfile.write(b"0\r\n\r\n")

    def _wait(self, seconds: float) -> None:
        """Wait, unless the client goes away, or the server is closed."""
        connection = cast("socket.socket", self.request)
        for _ in range(max(1, round(seconds / LOOK_S)) if seconds else 0):
            if self.server.owner.closing.wait(0):
                raise _Gone
            readable, _, _ = select([connection], [], [], LOOK_S)
            # while it is answered a client only ever sends its farewell
            if readable and (isinstance(connection, ssl.SSLSocket) or not connection.recv(1, socket.MSG_PEEK)):
                raise _Gone
