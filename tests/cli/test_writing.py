from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from maxcode_lsp.cli.writing import NotWritten, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_content_is_replaced_and_the_mode_kept(tmp_path: Path) -> None:
    file = tmp_path / "ä b.cpp"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write_whole(file, b"new\r\n", expected=b"old")
    assert file.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(tmp_path) == ["ä b.cpp"]


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "a.cpp"
    real.write_bytes(b"old")
    link = tmp_path / "a.cpp"
    link.symlink_to("real/a.cpp")
    write_whole(link, b"new", expected=b"old")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert names(real.parent) == ["a.cpp"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"edited by hand")
    with pytest.raises(NotWritten, match="changed since it was measured"):
        write_whole(file, b"new", expected=b"old")
    assert file.read_bytes() == b"edited by hand"
    assert names(tmp_path) == ["a.cpp"]


def test_a_file_that_is_gone_is_not_brought_back(tmp_path: Path) -> None:
    with pytest.raises(NotWritten):
        write_whole(tmp_path / "a.cpp", b"new", expected=b"old")
    assert names(tmp_path) == []


def test_a_new_file_gets_the_mode_of_the_umask(tmp_path: Path) -> None:
    file = tmp_path / "new.cpp"
    before = os.umask(0o027)
    try:
        write_whole(file, b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("place", ["missing/a.cpp", "folder"])
def test_what_cannot_be_written_is_said(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotWritten, match="could not be written"):
        write_whole(tmp_path / place, b"new")
    assert names(tmp_path) == ["folder"]


def test_a_full_disk_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotWritten, match="No space left"):
        write_whole(file, b"new", expected=b"old")
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["a.cpp"]
