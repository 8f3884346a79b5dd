"""The build cache: what a compiler said, by the content of everything it saw.

A cache folder is not trusted input: only msgpack bytes are stored and read, never pickles, and a
damaged folder is set aside and begun anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import diskcache
import msgspec
from diskcache.core import MODE_PICKLE
from msgspec import Struct

from maxcode_lsp.records import Outcome

FORMAT = 1
SIZE_BYTES = 1 << 30


class Built(Struct, frozen=True):
    """The result of one build."""

    outcome: Outcome
    """``correct`` (it built), ``compile_error``, ``timeout`` or ``rejected`` (over its limits)."""
    program: bytes
    """The executable; empty unless it built."""
    diagnostics: str
    """The end of what the compiler said."""
    cpu_s: float


def content_key(parts: Iterable[bytes | str]) -> str:
    """SHA-256 of length-prefixed parts."""
    digest = hashlib.sha256(f"maxcode {FORMAT}".encode())
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


class _BytesOnly(diskcache.Disk):
    """Refuses to unpickle whatever somebody put into the folder."""

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == MODE_PICKLE:
            raise ValueError("a pickle in the cache")
        return super().fetch(mode, filename, value, read)


class BuildCache:
    """A bounded cache on disk. Any trouble with it is a miss: builds never fail because of it."""

    def __init__(self, folder: Path, size_bytes: int = SIZE_BYTES) -> None:
        self.folder = folder
        self._size_bytes = size_bytes
        self.notes: list[str] = []
        self._cache = self._open()

    def _open(self) -> diskcache.Cache | None:
        for _ in range(2):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                return diskcache.Cache(
                    str(self.folder),
                    disk=_BytesOnly,
                    size_limit=self._size_bytes,
                    timeout=5,
                    eviction_policy="least-recently-used",
                )
            except sqlite3.DatabaseError:
                self._set_aside()
            except OSError as error:
                self.notes.append(f"The build cache cannot be used ({error.strerror}): {self.folder}")
                return None
        return None

    def _set_aside(self) -> None:
        aside = self.folder.with_name(f"{self.folder.name}.damaged-{time.time_ns()}")
        with contextlib.suppress(OSError):
            self.folder.rename(aside)
            self.notes.append(f"The build cache was damaged; it was set aside as {aside.name} and begun anew.")

    def get(self, key: str) -> Built | None:
        """The stored result, or None."""
        if self._cache is None:
            return None
        try:
            data = self._cache.get(key)
            return msgspec.msgpack.decode(data, type=Built) if isinstance(data, bytes) else None
        except (msgspec.DecodeError, ValueError, OSError, diskcache.Timeout):
            with contextlib.suppress(Exception):  # a bad entry must not come back; if it does, it is a miss again
                self._cache.delete(key)
            return None
        except sqlite3.DatabaseError:
            self._reopen()
            return None

    def put(self, key: str, built: Built) -> None:
        """Store a result; silently not, where the disk is full or busy."""
        if self._cache is None:
            return
        try:
            self._cache.set(key, msgspec.msgpack.encode(built))
        except (OSError, diskcache.Timeout, sqlite3.OperationalError):
            pass
        except sqlite3.DatabaseError:
            self._reopen()

    def _reopen(self) -> None:
        self.close()
        self._set_aside()
        self._cache = self._open()

    def close(self) -> None:
        """Close the database. Idempotent."""
        if self._cache is not None:
            with contextlib.suppress(sqlite3.Error):
                self._cache.close()
            self._cache = None
