"""Hit rates of finding kinds over all runs of a user: how often acting on a kind made a program faster."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
import platformdirs

Rates = dict[str, tuple[int, int]]
"""Finding kind to (candidates that acted on it, of those faster)."""
SIZE_BYTES = 1 << 20


def hits_file() -> Path:
    """Where they are kept."""
    return platformdirs.user_data_path("maxcode") / "hits.json"


def known(file: Path) -> Rates:
    """What is kept; empty where there is nothing to read, or nothing that can be read."""
    try:
        with file.open("rb") as data:
            return msgspec.json.decode(data.read(SIZE_BYTES), type=Rates)
    except (OSError, msgspec.DecodeError):
        return {}


def add(file: Path, rates: Mapping[str, tuple[int, int]]) -> None:
    """Add the rates of a run. Two runs may do so at once; where nothing can be written, nothing is kept."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            total = known(file)
            for kind, (acted, faster) in rates.items():
                before = total.get(kind, (0, 0))
                total[kind] = (before[0] + acted, before[1] + faster)
            partial = file.with_suffix(f".{os.getpid()}")
            partial.write_bytes(msgspec.json.encode(total))
            partial.replace(file)
