"""Folders whose code may be run: who said yes, kept in one file for all windows of a user.

The file lies in the user's data folder, out of reach of a workspace. Only a yes is kept; to take it back, delete the
folder's line.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from pathlib import Path

import msgspec
from msgspec import Struct

SIZE_BYTES = 1 << 20
MOST_FOLDERS = 2000
"""Of each kind; the oldest are forgotten."""
LOCK_S = 2.0
"""For another window to be done with the file."""


class Kept(Struct, frozen=True):
    """What the file holds: folders as ``file:`` URIs, so that every name fits into JSON; oldest first."""

    folders: tuple[str, ...] = ()
    """Workspace folders: they and all that is below."""
    alone: tuple[str, ...] = ()
    """Folders of single files: what lies directly in them, since such a folder may be ``/tmp`` or the home folder."""


def trust_file() -> Path:
    """Where it is kept."""
    import platformdirs

    return platformdirs.user_data_path("maxcode") / "trust.json"


def kept(file: Path) -> Kept:
    """What is kept; nothing where there is nothing that can be read."""
    try:
        with file.open("rb") as data:
            return msgspec.json.decode(data.read(SIZE_BYTES), type=Kept)
    except (OSError, msgspec.DecodeError):
        return Kept()


def covers(known: Kept, folder: Path, *, alone: bool) -> bool:
    """Whether a folder (links followed) is one of them, or below one; never because something in it is trusted.

    ``alone``: it is asked for a single file that is in no open folder.
    """
    uri = folder.as_uri()
    if alone and uri in known.alone:
        return True
    return any(uri == one or uri.startswith(one.rstrip("/") + "/") for one in known.folders)


def remember(file: Path, folder: Path, *, alone: bool) -> bool:
    """Keep a yes for a folder (links followed). Windows may do so at once. False: it could not be written."""
    uri = folder.as_uri()
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.with_suffix(".lock").open("w") as lock:
            if not _lock(lock.fileno()):
                return False
            before = kept(file)
            names = (*(one for one in (before.alone if alone else before.folders) if one != uri), uri)[-MOST_FOLDERS:]
            after = Kept(before.folders, names) if alone else Kept(names, before.alone)
            partial = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
            try:
                partial.write_bytes(msgspec.json.format(msgspec.json.encode(after)))
                partial.replace(file)
            finally:
                partial.unlink(missing_ok=True)
            return True
    return False


def _lock(descriptor: int) -> bool:
    ends_s = time.monotonic() + LOCK_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= ends_s:
                return False
            time.sleep(0.01)
        else:
            return True
