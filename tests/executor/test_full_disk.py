"""A full temp folder: whoever writes there says so, in words that name TMPDIR. Real: a file system of few bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode_lsp.errors import StorageFull
from maxcode_lsp.executor.sandbox import Scratch, filling

ROOT = Path(__file__).parents[2]
PROGRAM = r"""
#include <cstdio>
int main() { long sum = 0, x = 0; while (std::scanf("%ld", &x) == 1) sum += x; std::printf("%ld\n", sum); }
"""
JUDGE = """
import asyncio, sys
from pathlib import Path
from maxcode_lsp.engine.judge import judge
from maxcode_lsp.errors import StorageFull
from maxcode_lsp.settings import Settings
try:
    asyncio.run(judge(Path(sys.argv[1]), Path(sys.argv[2]), settings=Settings(), allow_unsafe=True))
except StorageFull as full:
    print(full)
"""


@pytest.fixture
def scratch() -> Iterator[Scratch]:
    with Scratch() as made:
        yield made


def test_only_a_full_disk_is_one(tmp_path: Path) -> None:
    with pytest.raises(StorageFull, match="set TMPDIR to a folder that has room"), filling(tmp_path):
        Path("/dev/full").write_bytes(b"x")
    with pytest.raises(IsADirectoryError), filling(tmp_path):
        tmp_path.write_bytes(b"x")


@pytest.mark.parametrize("room", [1, 64, 2500, 3500, 5000], ids=lambda room: f"{room} kB")
def test_a_full_temp_folder_is_named(tmp_path: Path, scratch: Scratch, room: int) -> None:
    """With so little room it ends at different places: the launcher, the build, the inputs."""
    original, changed = tmp_path / "a.cpp", tmp_path / "b.cpp"
    original.write_text(PROGRAM)
    changed.write_text(PROGRAM.replace("sum = 0,", "sum = 0L,"))
    (tmp_path / "a_1.in").write_text("1 " * 2_000_000)
    temp = scratch.folder("temp")  # where every user id may pass
    confined = ("bwrap", "--dev-bind", "/", "/", "--size", str(room << 10), "--tmpfs", str(temp), "--")
    trial = subprocess.run((*confined, "true"), check=False, capture_output=True) if shutil.which("bwrap") else None
    if trial is None or trial.returncode != 0:
        pytest.skip("no file system of few bytes can be made here")
    env = os.environ | {
        "PYTHONPATH": str(ROOT), "TMPDIR": str(temp), "MAXCODE_SANDBOX": "unconfined",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }  # fmt: skip
    argv = (*confined, sys.executable, "-c", JUDGE, str(original), str(changed))
    ended = subprocess.run(argv, check=False, capture_output=True, timeout=120, env=env)
    assert ended.returncode == 0, ended.stderr.decode()
    assert "TMPDIR" in ended.stdout.decode(), ended.stdout.decode()
