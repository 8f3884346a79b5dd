"""Old journals go: by age, and the oldest where all together are too large. Live ones never."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from maxcode_lsp.engine.journal.files import journals, remove_unless_live
from maxcode_lsp.settings.schema import JournalSettings

DAY_S = 86_400.0


def sweep(folder: Path, keep: JournalSettings, *, now_s: float | None = None) -> int:
    """Remove what ``keep`` does not keep; how many went. Blocks. What cannot be removed stays.

    A journal's age is that of its last line. ``now_s``: since the epoch; None: now.
    """
    now_s = time.time() if now_s is None else now_s
    gone = total = 0
    known: list[tuple[float, int, Path]] = []
    for path in journals(folder):
        with contextlib.suppress(OSError):
            state = path.lstat()
            known.append((state.st_mtime, state.st_size, path))
    for changed_s, size, path in sorted(known, reverse=True):
        total += size
        if now_s - changed_s > keep.keep_days * DAY_S or total > keep.keep_mb << 20:
            gone += remove_unless_live(path)
    return gone
