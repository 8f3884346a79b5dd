"""The weights on this machine: where they are, whether they are whole, and getting rid of them.

All of it blocks on the disk; from an event loop it belongs into a thread.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

import msgspec
from msgspec import Struct

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local.catalogue import CATALOGUE, Weights, find
from maxcode_lsp.settings import cache_folder


class State(str, Enum):
    """How much of a model is here."""

    ABSENT = "absent"
    PARTLY = "partly"
    """A pull was broken off; the next one goes on."""
    WHOLE = "whole"
    DAMAGED = "damaged"


class _Stamp(Struct, frozen=True):
    """The file as it was when its hash was found right."""

    sha256: str
    size_bytes: int
    changed_ns: int


def models_folder() -> Path:
    """Where weights are kept; it may not exist yet."""
    return cache_folder() / "models"


def file_of(weights: Weights) -> Path:
    """Where the weights are, once they are whole."""
    return models_folder() / weights.file


def partial_of(weights: Weights) -> Path:
    """The first bytes of the weights, while they are being fetched."""
    return models_folder() / f"{weights.file}.partial"


def scratch_prefix(weights: Weights) -> str:
    """What the names of folders begin with that a pull needs for a while."""
    return f"{weights.file}.scratch-"


def state(weights: Weights, *, check: bool = False) -> State:
    """How much is here. Hashes the file where that was not done since it changed, or ``check`` is set."""
    try:
        about = file_of(weights).stat()
    except OSError:
        return State.PARTLY if fetched(weights) else State.ABSENT
    if about.st_size != weights.size_bytes:
        return State.DAMAGED
    if not check and _stamped(weights) == _fresh(weights, about):
        return State.WHOLE
    if hash_of(file_of(weights)) != weights.sha256:
        _stamp_file(weights).unlink(missing_ok=True)
        return State.DAMAGED
    stamp(weights)
    return State.WHOLE


def stamp(weights: Weights) -> None:
    """Remember that the hash of the file was found right, so that it need not be hashed again."""
    with suppress(OSError):  # then it is
        _stamp_file(weights).write_bytes(msgspec.json.encode(_fresh(weights, file_of(weights).stat())))


def need(name: str) -> Weights:
    """The whole weights of that name; empty: the best that are here. Raises ModelTrouble."""
    wanted = (find(name),) if name else CATALOGUE
    states = {weights.name: state(weights) for weights in wanted}
    for weights in wanted:
        if states[weights.name] is State.WHOLE:
            return weights
    for weights in wanted:
        if states[weights.name] is State.DAMAGED:
            raise ModelTrouble(local_models.damaged(weights.name), ModelFault.NOT_PULLED)
    raise ModelTrouble(local_models.not_pulled(name), ModelFault.NOT_PULLED)


def fetched(weights: Weights) -> int:
    """Bytes that a broken-off pull has left."""
    try:
        return partial_of(weights).stat().st_size
    except OSError:
        return 0


def remove(weights: Weights) -> int:
    """Remove all of it; the bytes that are free again. Raises ModelTrouble while it is being pulled."""
    freed = 0
    with alone(weights) as mine:
        if not mine:
            raise ModelTrouble(local_models.being_pulled(weights.name), ModelFault.NOT_PULLED)
        for path in (file_of(weights), partial_of(weights), _stamp_file(weights)):
            with suppress(FileNotFoundError):
                freed += path.lstat().st_size
                path.unlink()
        sweep(weights)
    return freed


def sweep(weights: Weights) -> None:
    """Remove what pulls that were killed have left and nobody can go on with."""
    for folder in models_folder().glob(f"{scratch_prefix(weights)}*"):
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def alone(weights: Weights) -> Generator[bool]:
    """Whether nobody else writes these weights now; nobody does in the block then. Raises OSError."""
    models_folder().mkdir(parents=True, exist_ok=True)
    lock = os.open(models_folder() / f"{weights.file}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = True
        except BlockingIOError:
            mine = False
        yield mine
    finally:
        os.close(lock)


def hash_of(path: Path) -> str:
    """SHA-256 of a file, hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stamp_file(weights: Weights) -> Path:
    return models_folder() / f"{weights.file}.stamp"


def _fresh(weights: Weights, about: os.stat_result) -> _Stamp:
    return _Stamp(weights.sha256, about.st_size, about.st_mtime_ns)


def _stamped(weights: Weights) -> _Stamp | None:
    try:
        return msgspec.json.decode(_stamp_file(weights).read_bytes(), type=_Stamp)
    except (OSError, msgspec.DecodeError):
        return None
