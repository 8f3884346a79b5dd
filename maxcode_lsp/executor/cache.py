"""The build cache: what a compiler said, by the content of everything it saw.

A cache folder is not trusted input: only msgpack bytes are stored and read, never pickles, and a
damaged folder is set aside and begun anew.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import shutil
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
SIZE_BYTES = 2048 << 20
"""Of a new cache, where nobody says otherwise."""
_DAMAGE = ("malformed", "not a database", "file is encrypted")
"""What SQLite says of a file that will never work again; all else may pass."""


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


class _BytesOnly(diskcache.Disk):
    """Refuses to unpickle whatever somebody put into the folder."""

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == MODE_PICKLE:
            raise ValueError("a pickle in the cache")
        return super().fetch(mode, filename, value, read)


class BuildCache:
    """A bounded cache on disk. Any trouble with it is a miss: builds never fail because of it."""

    def __init__(self, folder: Path, size_bytes: int | None = None) -> None:
        """``size_bytes``: its largest size from now on; None: what it was, 2048 MiB if it is new."""
        self.folder = folder
        self._size_bytes = size_bytes
        self.notes: list[str] = []
        """What the user should know, one sentence each."""
        self._cache = self._open()

    def _open(self) -> diskcache.Cache | None:
        for _ in range(2):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                return diskcache.Cache(
                    str(self.folder),
                    disk=_BytesOnly,
                    timeout=5,
                    eviction_policy="least-recently-used",
                    **self._size(),
                )
            except sqlite3.Error as error:
                if not _is_damage(error):
                    return self._go_without(str(error))
                self._set_aside()
            except OSError as error:
                return self._go_without(error.strerror or str(error))
            except Exception as error:  # noqa: BLE001 - settings that somebody put into the folder
                return self._go_without(f"{type(error).__name__}: {error}")
        return self._go_without("it is damaged and cannot be set aside")

    def _size(self) -> dict[str, int]:
        if self._size_bytes is not None:
            return {"size_limit": self._size_bytes}
        database = self.folder / "cache.db"
        return {} if database.exists() and database.stat().st_size else {"size_limit": SIZE_BYTES}

    def _go_without(self, why: str) -> None:
        self.notes.append(f"The build cache cannot be used ({why}): {self.folder}")

    def _set_aside(self) -> None:
        for older in self.folder.parent.glob(f"{glob.escape(self.folder.name)}.damaged-*"):
            shutil.rmtree(older, ignore_errors=True)
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
        except (msgspec.DecodeError, ValueError):
            with contextlib.suppress(Exception):  # a bad entry must not come back; if it does, it is a miss again
                self._cache.delete(key)
        except sqlite3.Error as error:
            self._begin_anew_if_damaged(error)
        except (OSError, diskcache.Timeout):
            pass
        return None

    def put(self, key: str, built: Built) -> None:
        """Store a result; silently not, where the disk is full or busy."""
        if self._cache is None:
            return
        try:
            self._cache.set(key, msgspec.msgpack.encode(built))
        except sqlite3.Error as error:
            self._begin_anew_if_damaged(error)
        except (OSError, diskcache.Timeout):
            pass

    def _begin_anew_if_damaged(self, error: sqlite3.Error) -> None:
        if _is_damage(error):
            self.close()
            self._set_aside()
            self._cache = self._open()

    def close(self) -> None:
        """Close the database. Idempotent."""
        if self._cache is not None:
            with contextlib.suppress(sqlite3.Error):
                self._cache.close()
            self._cache = None


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the database is broken for good, rather than busy, locked or without room."""
    return not isinstance(error, sqlite3.OperationalError) and any(words in str(error) for words in _DAMAGE)
