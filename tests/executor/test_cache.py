from __future__ import annotations

import pickle
from pathlib import Path

import diskcache
import pytest

from maxcode_lsp.executor.cache import BuildCache, Built, content_key
from maxcode_lsp.records import Outcome

BUILT = Built(Outcome.CORRECT, b"program" * 1000, "a warning", 1.5)


def test_round_trip(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path / "builds")
    assert cache.get("k") is None
    cache.put("k", BUILT)
    cache.close()
    again = BuildCache(tmp_path / "builds")
    assert again.get("k") == BUILT
    again.close()
    again.close()


@pytest.mark.parametrize("damage", [b"not a database at all" * 500, b""])
def test_damaged_database_is_set_aside(tmp_path: Path, damage: bytes) -> None:
    folder = tmp_path / "builds"
    cache = BuildCache(folder)
    cache.put("k", BUILT)
    cache.close()
    for file in folder.glob("cache.db*"):
        file.write_bytes(damage)
    again = BuildCache(folder)
    again.put("k2", BUILT)
    assert again.get("k2") == BUILT
    again.close()


def test_damage_while_in_use_is_a_miss(tmp_path: Path) -> None:
    folder = tmp_path / "builds"
    cache = BuildCache(folder)
    cache.put("k", BUILT)
    for file in folder.glob("cache.db*"):
        file.write_bytes(b"\0" * 4096)
    cache.get("k")
    cache.put("k2", BUILT)
    cache.close()


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, ("raise SystemExit('unpickled')",))


def test_a_pickle_in_the_folder_is_never_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "builds"
    planted = diskcache.Cache(str(folder))
    planted["k"] = Bomb()
    planted.close()
    cache = BuildCache(folder)
    assert cache.get("k") is None
    cache.put("k", BUILT)
    assert cache.get("k") == BUILT
    cache.close()
    assert pickle.dumps(Bomb())  # the bomb is real


def test_bytes_that_are_not_ours_are_a_miss(tmp_path: Path) -> None:
    folder = tmp_path / "builds"
    planted = diskcache.Cache(str(folder))
    planted["k"] = b"\xff\xff"
    planted["t"] = "text"
    planted.close()
    cache = BuildCache(folder)
    assert cache.get("k") is None
    assert cache.get("t") is None
    cache.close()


def test_a_place_that_cannot_be_used_is_said_and_harmless(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = BuildCache(tmp_path / "file" / "builds")
    cache.put("k", BUILT)
    assert cache.get("k") is None
    assert "cannot be used" in cache.notes[0]


def test_keys_do_not_run_together() -> None:
    assert content_key(["ab", "c"]) != content_key(["a", "bc"])
    assert content_key([b"a"]) == content_key(["a"])
