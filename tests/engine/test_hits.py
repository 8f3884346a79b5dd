from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from maxcode_lsp.engine.hits import add, known


def test_they_add_up_also_from_several_runs_at_once(tmp_path: Path) -> None:
    file = tmp_path / "data" / "hits.json"
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(add, file, {"flush-in-loop": (2, 1), "allocation": (1, 0)}) for _ in range(20)]:
            done.result()
    assert known(file) == {"flush-in-loop": (40, 20), "allocation": (20, 0)}


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "hits.json"
    for damage in (b"", b"{", b'{"a": 3}', b"\xff"):
        file.write_bytes(damage)
        assert known(file) == {}
        add(file, {"a": (1, 1)})
        assert known(file) == {"a": (1, 1)}


def test_where_nothing_can_be_written_nothing_happens(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    add(tmp_path / "data" / "hits.json", {"a": (1, 1)})
    assert known(tmp_path / "data" / "hits.json") == {}
