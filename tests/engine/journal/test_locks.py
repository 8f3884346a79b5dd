from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode_lsp.engine.journal.locks import hold, lock_file
from maxcode_lsp.errors import Refused

ROOT = Path(__file__).parents[3]
HOLDER = (
    "import asyncio, sys; from pathlib import Path; from maxcode_lsp.engine.journal.locks import hold\n"
    "lock = asyncio.run(hold(Path(sys.argv[1])))\n"
    "print('held', flush=True); sys.stdin.read()"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a ü.cpp"
    path.touch()
    return path


async def test_another_process_is_named_and_its_end_frees_the_target(file: Path) -> None:
    with subprocess.Popen(  # noqa: ASYNC220 - nothing else runs on this loop
        [sys.executable, "-c", HOLDER, str(file)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        link = file.with_name("link.cpp")
        link.symlink_to(file)
        for path in (file, link, Path(os.path.relpath(file))):
            with pytest.raises(Refused, match=str(other.pid)):
                await hold(path, wait_s=0.0)
        other.kill()
    (await hold(file)).release()


async def test_who_waits_gets_it(file: Path) -> None:
    first = await hold(file)
    waiting = asyncio.create_task(hold(file, wait_s=60.0))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    first.release()
    first.release()
    second = await waiting
    with pytest.raises(Refused):
        await hold(file, wait_s=0.0)
    second.release()
    assert not lock_file(file).exists()


async def test_somebody_elses_link_is_not_followed(file: Path) -> None:
    victim = file.with_name("victim")
    victim.write_text("precious")
    lock_file(file).symlink_to(victim)
    try:
        (await hold(file, wait_s=0.0)).release()
        assert lock_file(file).is_symlink()
        assert victim.read_text() == "precious"
    finally:
        lock_file(file).unlink()


async def test_two_targets_do_not_wait_for_each_other(file: Path) -> None:
    first, second = await hold(file), await hold(file.with_name("b.cpp"))
    first.release()
    second.release()
