from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode_lsp.engine.run import waiting
from maxcode_lsp.executor.holders import holders
from maxcode_lsp.executor.locks import lock_folder

HOLD = (
    "import fcntl, sys, time; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); time.sleep(60)"
)


@pytest.fixture(autouse=True)
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("core-0", "core-1"):
        (lock_folder() / name).touch()
    (tmp_path / "other").touch()


def test_who_holds_a_core_is_told(tmp_path: Path) -> None:
    assert holders() == ()
    paths = (lock_folder() / "core-1", tmp_path / "other")
    others = [subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE) for path in paths]
    try:
        for other in others:
            assert other.stdout is not None and other.stdout.readline()
        if str(others[0].pid) not in Path("/proc/locks").read_text():
            pytest.skip("the kernel does not tell here")
        assert holders() == (others[0].pid,)
    finally:
        for other in others:
            other.kill()
            other.communicate()
    assert holders() == ()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "1: FLOCK",
        "x y z",
        "1: FLOCK ADVISORY WRITE x {0} 0 EOF",
        "1: FLOCK ADVISORY WRITE 7 {0}:1 0 EOF",
        "1: -> FLOCK ADVISORY WRITE 7 {0} 0 EOF",
        "1: POSIX ADVISORY WRITE 7 {0} 0 EOF",
        "1: FLOCK ADVISORY WRITE 0 {0} 0 EOF",
        "1: FLOCK ADVISORY WRITE {1} {0} 0 EOF",  # ourselves
        "\udcff \0",
    ],
)
def test_other_lines_are_nobody(tmp_path: Path, line: str) -> None:
    about = (lock_folder() / "core-0").stat()
    place = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}:{about.st_ino}"
    table = tmp_path / "locks"
    table.write_text(line.format(place, os.getpid()) + "\n", errors="surrogateescape")
    assert holders(table) == ()
    with table.open("a") as file:
        file.write(f"2: FLOCK  ADVISORY  WRITE 7 {place} 0 EOF\n")
    assert holders(table) == (7,)


def test_without_a_table_nobody_is_told(tmp_path: Path) -> None:
    assert holders(tmp_path / "nowhere") == ()


def test_what_is_shown_meanwhile() -> None:
    assert waiting(()) == "waiting for another maxcode"
    assert waiting((7,)) == "waiting for another maxcode (process 7)"
    assert waiting((7, 9)) == "waiting for another maxcode (processes 7, 9)"
