"""Where journals are, and how runs are named."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path

SUFFIX = ".jsonl"
_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")


def runs_folder() -> Path:
    """The folder of all journals of this user; it may not exist yet."""
    import platformdirs

    return platformdirs.user_data_path("maxcode") / "runs"


def new_id() -> str:
    """A new run's id: its time (UTC) and six random digits, so that names sort by age."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(3)}"


def is_id(run: str) -> bool:
    """Whether it could name a run: an id, or the end of one that is enough."""
    return _ID.fullmatch(run) is not None or re.fullmatch(r"[0-9a-f]{6}", run) is not None


def journal_file(folder: Path, run: str) -> Path:
    """The file of a run. Raises ValueError for what is no run id (it may come from a client)."""
    if not _ID.fullmatch(run):
        raise ValueError(f"“{run[:40]}” is not the id of a run.")
    return folder / f"{run}{SUFFIX}"
