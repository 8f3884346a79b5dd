from __future__ import annotations

import os
import time
from pathlib import Path

from maxcode_lsp.engine.journal.files import remove_unless_live
from maxcode_lsp.engine.journal.sweep import DAY_S, sweep
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.settings import JournalSettings
from tests.engine.journal.samples import heading, written

NOW_S = time.time()


def aged(folder: Path, number: int, days: float, size: int = 0) -> Path:
    """A journal whose last line is so old, and which has at least so many bytes."""
    file = written(folder, run=f"20261130-101500-{number:06x}")
    os.truncate(file, max(size, file.stat().st_size))
    os.utime(file, (NOW_S, NOW_S - days * DAY_S))
    return file


def test_old_ones_go(tmp_path: Path) -> None:
    old, new = aged(tmp_path, 1, 31), aged(tmp_path, 2, 29)
    assert sweep(tmp_path, JournalSettings(), now_s=NOW_S) == 1
    assert (old.exists(), new.exists()) == (False, True)


def test_the_oldest_go_where_all_are_too_large(tmp_path: Path) -> None:
    files = [aged(tmp_path, number, days=number, size=400 << 10) for number in range(1, 5)]
    assert sweep(tmp_path, JournalSettings(keep_mb=1), now_s=NOW_S) == 2
    assert [file.exists() for file in files] == [True, True, False, False]


def test_live_ones_and_other_files_stay(tmp_path: Path) -> None:
    journal = Journal.begin(tmp_path, heading())
    os.utime(journal.path, (0, 0))
    other = tmp_path / "mine.txt"
    other.touch()
    os.utime(other, (0, 0))
    assert sweep(tmp_path, JournalSettings(), now_s=NOW_S) == 0
    assert not remove_unless_live(journal.path)
    assert journal.path.exists() and other.exists()
    journal.close()
    assert sweep(tmp_path, JournalSettings(), now_s=NOW_S) == 1
    assert sweep(tmp_path / "nothing", JournalSettings()) == 0
