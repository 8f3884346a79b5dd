"""The build cache: what a compiler said, by the content of everything it saw."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp.executor.store import Store
from maxcode_lsp.records import Outcome

FORMAT = 1
SIZE_BYTES = 2048 << 20
"""Of a new cache, where nobody says otherwise."""


class Built(Struct, frozen=True):
    """The result of one build."""

    outcome: Outcome
    """``correct`` (it built), ``compile_error`` or ``timeout``."""
    program: bytes
    """The executable; empty unless it built."""
    diagnostics: str
    """The end of what the compiler said."""
    cpu_s: float
    limited: bool = False
    """It ended at a limit or for want of room: another time it may build. Never stored."""


def content_key(parts: Iterable[bytes | str]) -> str:
    """SHA-256 of length-prefixed parts. Text may hold what is no character (odd file names)."""
    digest = hashlib.sha256(f"maxcode {FORMAT}".encode())
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


class BuildCache:
    """A bounded cache on disk. Any trouble with it is a miss: builds never fail because of it."""

    def __init__(self, folder: Path, size_bytes: int | None = None) -> None:
        """``size_bytes``: its largest size from now on; None: what it was, 2048 MiB if it is new."""
        self._store = Store(folder, "The build cache", size_bytes=size_bytes, new_size_bytes=SIZE_BYTES)

    @property
    def notes(self) -> list[str]:
        """What the user should know, one sentence each."""
        return self._store.notes

    def get(self, key: str) -> Built | None:
        """The stored result, or None."""
        data = self._store.get(key)
        if data is None:
            return None
        try:
            return msgspec.msgpack.decode(data, type=Built)
        except (msgspec.DecodeError, ValueError):
            self._store.drop(key)
            return None

    def put(self, key: str, built: Built) -> None:
        """Store a result; silently not, where the disk is full or busy."""
        self._store.put(key, msgspec.msgpack.encode(built))

    def close(self) -> None:
        """Close the database. Idempotent."""
        self._store.close()
