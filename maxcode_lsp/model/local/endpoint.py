"""Where a local model is reached, and the file in which ``maxcode model serve`` tells this user's other processes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp import redaction

LARGEST_BYTES = 1 << 14


class Endpoint(Struct, frozen=True):
    """Where a local model listens."""

    api_base: str
    """``http://127.0.0.1:PORT/v1``."""
    key: str
    """Only who knows it is answered."""
    model: str
    context_tokens: int

    def __repr__(self) -> str:
        """Without the key."""
        return f"Endpoint({self.api_base}, {self.model})"


class Published(Struct, frozen=True):
    """What stands in the file."""

    endpoint: Endpoint
    pid: int
    """Of the ``maxcode model serve``."""


def published_file(name: str) -> Path:
    """Where it is told that a model is served. Only its user may read it."""
    import platformdirs

    return platformdirs.user_state_path("maxcode") / "models" / f"{name}.json"


@contextmanager
def publishing(name: str) -> Generator[Publication | None]:
    """For who serves a model; None: another process serves it already. At the end it is not told any more.

    That it is told holds as long as this process lives, and no longer: the file is locked. Raises OSError.
    """
    path = published_file(name)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        os.fchmod(file, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        os.ftruncate(file, 0)
        try:
            yield Publication(file)
        finally:
            os.ftruncate(file, 0)
    finally:
        os.close(file)


class Publication:
    """The right to tell."""

    def __init__(self, file: int) -> None:
        self._file = file

    def tell(self, endpoint: Endpoint) -> None:
        """Now it is served. Raises OSError."""
        os.pwrite(self._file, msgspec.json.encode(Published(endpoint, os.getpid())), 0)


def find_published(name: str) -> Published | None:
    """The server of a model that another process of this user runs; None: there is none."""
    try:
        file = os.open(published_file(name), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if not _locked(file):
            return None
        found = msgspec.json.decode(os.pread(file, LARGEST_BYTES, 0), type=Published)
    except (OSError, msgspec.DecodeError):
        return None
    finally:
        os.close(file)
    redaction.hide([found.endpoint.key])
    return found


def _locked(file: int) -> bool:
    """Whether its writer lives."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(file, fcntl.LOCK_UN)
    return False
