"""What is known of weights on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from maxcode_lsp.errors import ModelTrouble
from maxcode_lsp.model.local import store
from maxcode_lsp.model.local.catalogue import CATALOGUE, find
from maxcode_lsp.model.local.memory import free_memory
from maxcode_lsp.model.local.store import State, alone, file_of, partial_of, remove, state
from tests.model.local.scripted import DATA, WEIGHTS


def put(data: bytes) -> Path:
    file = file_of(WEIGHTS)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def test_the_catalogue_adds_up() -> None:
    for weights in CATALOGUE:
        sizes = [weights.part_size(number) for number in range(1, weights.parts.count + 1)]
        assert sum(sizes) == weights.size_bytes
        assert all(sizes[0] >= size > 0 for size in sizes)
        assert len(weights.sha256) == 64
        assert find(weights.name.upper()) is weights
    with pytest.raises(ModelTrouble, match=r"no local model “7b”. There are: 1.5b, 0.5b"):
        find("7b")


def test_how_much_is_here(home: Path) -> None:
    assert state(WEIGHTS) is State.ABSENT
    home.mkdir(parents=True)
    partial_of(WEIGHTS).write_bytes(DATA[:7])
    assert state(WEIGHTS) is State.PARTLY
    assert store.fetched(WEIGHTS) == 7
    put(DATA)
    assert state(WEIGHTS) is State.WHOLE
    put(DATA[:-1])
    assert state(WEIGHTS) is State.DAMAGED


def test_it_is_hashed_again_when_it_changed_or_that_is_asked_for(home: Path) -> None:
    file = put(DATA)
    assert state(WEIGHTS) is State.WHOLE
    about = file.stat()
    put(bytes(len(DATA)))
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert state(WEIGHTS) is State.WHOLE  # nobody could tell without reading it
    assert state(WEIGHTS, check=True) is State.DAMAGED
    assert state(WEIGHTS) is State.DAMAGED
    put(DATA)
    assert state(WEIGHTS) is State.WHOLE
    put(bytes(len(DATA)))
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns + 1))
    assert state(WEIGHTS) is State.DAMAGED


@pytest.mark.parametrize("stamp", [b"", b"{}", b'{"sha256": 7}', b"\xff"])
def test_a_stamp_that_says_nothing(home: Path, stamp: bytes) -> None:
    put(DATA)
    store._stamp_file(WEIGHTS).write_bytes(stamp)
    assert state(WEIGHTS) is State.WHOLE
    assert store._stamped(WEIGHTS) is not None


def test_removing_all_of_it(home: Path) -> None:
    put(DATA)
    assert state(WEIGHTS) is State.WHOLE
    partial_of(WEIGHTS).write_bytes(b"1234567")
    left = home / f"{store.scratch_prefix(WEIGHTS)}x"
    left.mkdir()
    (left / "a.whl").write_bytes(b"")
    assert remove(WEIGHTS) >= len(DATA) + 7
    assert [path.suffix for path in home.iterdir()] == [".lock"]
    assert remove(WEIGHTS) == 0
    with alone(WEIGHTS) as mine:
        assert mine
        with pytest.raises(ModelTrouble, match="is getting tiny at this moment"):
            remove(WEIGHTS)


def test_free_memory(tmp_path: Path) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable: 4000 kB\nHugePages_Total: 0\n")
    assert free_memory(tmp_path / "meminfo", tmp_path) == 4_096_000
    for name, text in (("max", "3000000"), ("current", "2000000"), ("stat", "anon 5\ninactive_file 500000\n")):
        (tmp_path / f"memory.{name}").write_text(text)
    assert free_memory(tmp_path / "meminfo", tmp_path) == 1_500_000
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory(tmp_path / "meminfo", tmp_path) == 4_096_000
    (tmp_path / "meminfo").write_bytes(b"\xff")
    assert free_memory(tmp_path / "meminfo", tmp_path) is None
    assert free_memory() != 0
