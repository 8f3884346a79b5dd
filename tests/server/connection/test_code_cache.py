from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import attr._make
import attrs
import cattrs.gen
import pytest

from maxcode_lsp.server.connection.code_cache import CodeCache, default_file
from maxcode_lsp.settings import cache_folder
from tests.server.raw import Started, environment

COMPILING: tuple[ModuleType, ...] = (attr._make, cattrs.gen)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    for module in COMPILING:
        assert "compile" not in vars(module)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "code"


def define() -> Any:
    """A new class, always of the same text."""

    @attrs.define
    class Point:
        x: int
        y: int = attrs.field(default=7)

    return Point


def compiled(file: Path) -> int:
    """How many texts have to be compiled to define the class and convert it."""
    cache = CodeCache(file)
    point = define()
    assert cattrs.Converter().unstructure(point(1)) == {"x": 1, "y": 7}
    assert point(1) == point(1, 7) and repr(point(2)).endswith("Point(x=2, y=7)")
    new = len(cache._table) - cache._known
    cache.close()
    return new


def test_nothing_is_compiled_twice(file: Path) -> None:
    assert compiled(file) >= 2
    assert compiled(file) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_server_fills_it_and_the_next_one_has_nothing_to_add(started: Started, tmp_path: Path) -> None:
    homes = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    times: list[int] = []
    for _ in range(2):
        server = started(extra=homes)
        server.initialize()
        assert server.stop() == 0
        (file,) = (tmp_path / "cache" / "maxcode" / "server").iterdir()
        times.append(file.stat().st_mtime_ns)
    assert times[0] == times[1]


def _writable_by_all(file: Path) -> None:
    file.chmod(0o666)


def _writable_by_group(file: Path) -> None:
    file.chmod(0o620)


def _in_a_folder_writable_by_all(file: Path) -> None:
    file.parent.chmod(0o777)


def _a_link(file: Path) -> None:
    moved = file.rename(file.with_name("elsewhere"))
    file.symlink_to(moved)


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def _of_another_python(file: Path) -> None:
    content = file.read_bytes()
    changed = content.replace(sys.version.encode(), b"9" * len(sys.version))
    assert changed != content
    file.write_bytes(changed)


def _no_table(file: Path) -> None:
    file.write_bytes(b"N")


def _a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize(
    "spoil",
    [
        _writable_by_all,
        _writable_by_group,
        _in_a_folder_writable_by_all,
        _a_link,
        _empty,
        _cut,
        _of_another_python,
        _no_table,
        _a_folder,
        _a_pipe,
    ],
)
def test_what_cannot_be_trusted_or_read_is_no_cache(file: Path, spoil: Any) -> None:
    everything = compiled(file)
    spoil(file)
    assert compiled(file) == everything


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_another_user_owns_is_no_cache(file: Path) -> None:
    everything = compiled(file)
    os.chown(file, 12345, 12345)
    assert compiled(file) == everything


def test_a_folder_that_cannot_be_made_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert compiled(tmp_path / "file" / "cache" / "code") >= 2


def test_what_older_libraries_left_behind_goes_in_the_end(file: Path) -> None:
    cache = CodeCache(file)
    for number in range(50):
        vars(attr._make)["compile"](f"x = {number}", "old", "exec")
    cache.close()
    compiled(file)
    assert len(CodeCache(file)._table) < 50
    for module in COMPILING:
        del vars(module)["compile"]


def test_other_ways_to_compile_are_left_alone(file: Path) -> None:
    cache = CodeCache(file)
    compile_ = vars(attr._make)["compile"]
    assert eval(compile_("1 + 1", "f", "eval")) == 2
    assert compile_("x", "f", "exec", 0, True).co_filename == "f"
    cache.close()
    assert not file.exists()


@pytest.mark.parametrize("home", [None, "", " ", "/elsewhere/cache"])
def test_it_is_in_the_cache_folder(monkeypatch: pytest.MonkeyPatch, home: str | None) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert default_file().parent == cache_folder() / "server"


def test_a_start_without_a_home_has_no_cache_and_works(tmp_path: Path) -> None:
    env = environment(tmp_path, {"XDG_CACHE_HOME": "/dev/null"})
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
    ended = subprocess.run(
        [sys.executable, "-m", "maxcode_lsp", "lsp"],
        input=b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
        capture_output=True,
        env=env,
        timeout=60,
        check=False,
    )
    assert b'"result":{"capabilities"' in ended.stdout
