from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.errors import JournalError, StorageFull
from tests.engine.journal.samples import RECORDS, RUN, ended, heading, judged, written

ROOT = Path(__file__).parents[3]


def test_every_line_is_there_at_once(tmp_path: Path) -> None:
    journal = Journal.begin(tmp_path, heading())
    for number in range(1, 4):
        journal.append(float(number), judged(number))
        assert len(read(journal.path).evaluated) == number
    journal.close()
    journal.close()


def test_kill_loses_nothing_that_was_written(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from maxcode_lsp.engine.journal.writer import Journal; "
        "from tests.engine.journal.samples import heading, judged; "
        "journal = Journal.begin(Path(sys.argv[1]), heading()); "
        "[journal.append(1.0, judged(n)) for n in range(1, 51)]; os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=False)
    assert done.returncode == -9
    assert [found.number for found in read(tmp_path / f"{RUN}.jsonl").evaluated] == list(range(1, 51))


def test_an_id_is_used_once(tmp_path: Path) -> None:
    file = written(tmp_path, *RECORDS)
    before = file.read_bytes()
    with pytest.raises(StorageFull, match="goes on"):
        Journal.begin(tmp_path, heading())
    assert file.read_bytes() == before


def test_going_on_is_behind_the_last_whole_line(tmp_path: Path) -> None:
    file = written(tmp_path, *RECORDS)
    with file.open("ab") as out:
        out.write(b'{"at_s": 3, "reco')
    journal = Journal.go_on(tmp_path, RUN)
    assert journal is not None
    journal.cut(read(file).end)
    journal.append(9.0, judged(4))
    assert Journal.go_on(tmp_path, RUN) is None, "a live one is nobody else's"
    journal.close()
    assert [found.number for found in read(file).evaluated] == [1, 2, 3, 4]
    with pytest.raises(JournalError, match="no journal"):
        Journal.go_on(tmp_path, "20261130-101500-ffffff")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("file systems cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(journal: Journal) -> int:
    """Write until the disk is full; the number that was written."""
    for number in range(1, 10_000):
        try:
            journal.append(1.0, judged(number))
        except StorageFull:
            return number - 1
    raise AssertionError("the disk was never full")


def test_a_full_disk_leaves_whole_lines(small_disk: Path) -> None:
    journal = Journal.begin(small_disk / "runs", heading())
    count = fill(journal)
    journal.append(1.0, judged(count + 1))  # said once, then silent
    assert len(read(journal.path).evaluated) == count
    journal.append(2.0, ended())
    (small_disk / "runs" / "room").touch()
    journal.close()
    assert len(read(journal.path).lines) in {count, count + 1}


def test_a_disk_that_is_full_from_the_start(small_disk: Path) -> None:
    with (small_disk / "ballast").open("wb", buffering=0) as out:
        out.write(bytes(1 << 20))  # as much of it as there is room for
    with pytest.raises(StorageFull, match="goes on"):
        Journal.begin(small_disk, heading())
    assert list(small_disk.glob("*.jsonl")) == []


def test_a_limit_of_the_size_is_a_full_disk_too(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from maxcode_lsp.engine.journal.writer import Journal; "
        "from tests.engine.journal.samples import heading; from tests.engine.journal.test_writer import fill; "
        "print(fill(Journal.begin(Path(sys.argv[1]), heading())))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    count = int(done.stdout)
    assert count > 0
    assert len(read(tmp_path / f"{RUN}.jsonl").evaluated) == count
