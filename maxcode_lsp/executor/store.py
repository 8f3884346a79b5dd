"""Bytes by key in a folder: bounded, shared by processes, and never in the way.

A cache folder is not trusted input: only bytes are stored and read, never pickles, and a damaged folder is set aside
and begun anew. Any trouble is a miss.
"""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import diskcache
from diskcache.core import MODE_PICKLE

_DAMAGE = ("malformed", "not a database", "file is encrypted")
"""What SQLite says of a file that will never work again; all else may pass."""
_IN_DATABASE_BYTES = 1 << 30
"""What is private is never a file of its own, which others could read."""


class _BytesOnly(diskcache.Disk):
    """Refuses to unpickle whatever somebody put into the folder."""

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == MODE_PICKLE:
            raise ValueError("a pickle in the cache")
        return super().fetch(mode, filename, value, read)


class Store:
    """One folder. Close it, in the thread that opened it."""

    def __init__(
        self,
        folder: Path,
        name: str,
        *,
        size_bytes: int | None = None,
        new_size_bytes: int = 0,
        private: bool = False,
    ) -> None:
        """``name``: for sentences, “The build cache”. ``size_bytes``: its largest size from now on; None: what it was,
        ``new_size_bytes`` if it is new. ``private``: nobody else may read it.
        """
        self.folder = folder
        self.notes: list[str] = []
        """What the user should know, one sentence each."""
        self._name = name
        self._size_bytes = size_bytes
        self._new_size_bytes = new_size_bytes
        self._private = private
        self._cache = self._open()

    def _open(self) -> diskcache.Cache | None:
        for _ in range(2):
            try:
                self._prepare()
                return diskcache.Cache(
                    str(self.folder),
                    disk=_BytesOnly,
                    timeout=5,
                    eviction_policy="least-recently-used",
                    **self._options(),
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

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._private:
            self.folder.chmod(0o700)
            # SQLite gives all files beside it the mode of this one.
            os.close(os.open(self._database, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))

    @property
    def _database(self) -> Path:
        return self.folder / "cache.db"

    def _options(self) -> dict[str, int]:
        options = {"disk_min_file_size": _IN_DATABASE_BYTES} if self._private else {}
        if self._size_bytes is not None:
            return options | {"size_limit": self._size_bytes}
        known = self._database.exists() and self._database.stat().st_size
        return options if known else options | {"size_limit": self._new_size_bytes}

    def _go_without(self, why: str) -> None:
        self.notes.append(f"{self._name} cannot be used ({why}): {self.folder}")

    def _set_aside(self) -> None:
        for older in self.folder.parent.glob(f"{glob.escape(self.folder.name)}.damaged-*"):
            shutil.rmtree(older, ignore_errors=True)
        aside = self.folder.with_name(f"{self.folder.name}.damaged-{time.time_ns()}")
        with contextlib.suppress(OSError):
            self.folder.rename(aside)
            self.notes.append(f"{self._name} was damaged; it was set aside as {aside.name} and begun anew.")

    def get(self, key: str) -> bytes | None:
        """What is stored, or None."""
        if self._cache is None:
            return None
        try:
            data = self._cache.get(key)
        except ValueError:
            self.drop(key)
        except sqlite3.Error as error:
            self._begin_anew_if_damaged(error)
        except (OSError, diskcache.Timeout):
            pass
        else:
            return data if isinstance(data, bytes) else None
        return None

    def put(self, key: str, data: bytes, kept_s: float | None = None) -> None:
        """Store; silently not, where the disk is full or busy. ``kept_s``: for so long at most."""
        if self._cache is None:
            return
        try:
            self._cache.set(key, data, expire=kept_s)
        except sqlite3.Error as error:
            self._begin_anew_if_damaged(error)
        except (OSError, diskcache.Timeout):
            pass

    def drop(self, key: str) -> None:
        """Forget an entry that makes no sense; if it comes back, it is a miss again."""
        if self._cache is not None:
            with contextlib.suppress(Exception):
                self._cache.delete(key)

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
