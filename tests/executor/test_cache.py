from __future__ import annotations

import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

import diskcache
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.executor.cache import SIZE_BYTES, BuildCache, Built, content_key
from maxcode_lsp.records import Outcome
from maxcode_lsp.settings.schema import CacheSettings

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


BUSY = [
    sqlite3.OperationalError("database is locked"),
    sqlite3.OperationalError("disk I/O error"),
    sqlite3.OperationalError("database or disk is full"),
    sqlite3.OperationalError("attempt to write a readonly database"),
    sqlite3.OperationalError("no such table: Cache"),
    diskcache.Timeout("busy"),
    OSError(28, "No space left on device"),
]


@pytest.mark.parametrize("trouble", BUSY, ids=str)
def test_trouble_that_passes_is_a_miss_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise trouble

    def deletes(*_: object, **__: object) -> None:
        deleted.append(1)

    deleted: list[int] = []
    folder = tmp_path / "builds"
    cache = BuildCache(folder)
    cache.put("k", BUILT)
    with monkeypatch.context() as patched:
        patched.setattr(diskcache.Cache, "get", fails)
        patched.setattr(diskcache.Cache, "set", fails)
        patched.setattr(diskcache.Cache, "delete", deletes)
        assert cache.get("k") is None
        cache.put("k2", BUILT)
        patched.setattr(diskcache.Cache, "__init__", fails)
        other = BuildCache(folder)
        assert other.get("k") is None
        assert "cannot be used" in other.notes[0]
    assert deleted == []
    assert cache.get("k") == BUILT
    assert [path.name for path in tmp_path.iterdir()] == ["builds"]
    cache.close()


def test_at_most_one_damaged_folder_stays(tmp_path: Path) -> None:
    folder = tmp_path / "a [b]*"
    (tmp_path / "a [b]*.damaged-1").mkdir()
    (tmp_path / "a b.damaged-1").mkdir()
    for _ in range(3):
        cache = BuildCache(folder)
        cache.put("k", BUILT)
        cache.close()
        for file in folder.glob("cache.db*"):
            file.write_bytes(b"not a database at all" * 500)
    again = BuildCache(folder)
    assert "set aside" in again.notes[0]
    again.put("k", BUILT)
    assert again.get("k") == BUILT
    again.close()
    names = sorted(path.name.rsplit("-", 1)[0] for path in tmp_path.iterdir())
    assert names == ["a [b]*", "a [b]*.damaged", "a b.damaged"]


def stored_size(folder: Path) -> int:
    with closing(diskcache.Cache(str(folder))) as stored:
        return int(getattr(stored, "size_limit"))  # noqa: B009 - set at run time


def test_only_who_knows_the_settings_changes_the_size(tmp_path: Path) -> None:
    folder = tmp_path / "builds"
    BuildCache(folder).close()
    assert stored_size(folder) == SIZE_BYTES == CacheSettings().size_mb << 20
    BuildCache(folder, 5000 << 20).close()
    BuildCache(folder).close()
    assert stored_size(folder) == 5000 << 20
    BuildCache(folder, 16 << 20).close()
    assert stored_size(folder) == 16 << 20


ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(st.lists(ANY_TEXT, max_size=4), st.lists(ANY_TEXT, max_size=4))
def test_any_text_has_a_key_of_its_own(one: list[str], other: list[str]) -> None:
    assert (content_key(one) == content_key(other)) is (one == other)


def test_names_that_are_no_text_have_a_key() -> None:
    assert content_key(["\udcff.hpp", "\ud800"]) != content_key(["\udcfe.hpp", "\ud800"])


def test_settings_planted_in_the_folder_are_harmless(tmp_path: Path) -> None:
    folder = tmp_path / "builds"
    BuildCache(folder).close()
    with sqlite3.connect(folder / "cache.db") as database:
        database.execute("INSERT INTO Settings VALUES ('disk_planted', 1)")
    database.close()
    cache = BuildCache(folder)
    cache.put("k", BUILT)
    assert cache.get("k") is None
    assert "cannot be used" in cache.notes[0]
