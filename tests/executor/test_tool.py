from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

from maxcode_lsp.executor.tool import ask


async def test_answers() -> None:
    assert (await ask("/bin/sh", "-c", "cat; echo more >&2", limit_s=20, stdin=b"said ")).said == b"said more\n"
    assert (await ask("/bin/sh", "-c", "exit 3", limit_s=20)).code == 3
    assert (await ask("/not/there", limit_s=20)).code == 127
    assert (await ask("/bin/echo", "a b", "c'd", "$HOME", limit_s=20)).text == "a b c'd $HOME"


async def test_limits_and_cancelling_end_the_whole_group(tmp_path: Path) -> None:
    mark = "86399.25"
    with pytest.raises(TimeoutError):
        await ask("/bin/sh", "-c", f"sleep {mark} & wait", limit_s=0.3)
    task = asyncio.create_task(ask("/bin/sh", "-c", f"sleep {mark} & wait", limit_s=60))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running(mark) == 0


def running(mark: str) -> int:
    count = 0
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            count += f"sleep\0{mark}".encode() in file.read_bytes()
        except OSError:
            continue
    return count


def test_our_death_ends_the_whole_group() -> None:
    mark = "86399.75"
    code = (
        "import asyncio\nfrom maxcode_lsp.executor.tool import ask\n"
        f"asyncio.run(ask('/bin/sh', '-c', 'sleep {mark} & wait', limit_s=60))"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], stdin=subprocess.DEVNULL)
    end = time.monotonic() + 20
    while running(mark) == 0 and time.monotonic() < end:
        time.sleep(0.05)
    process.kill()
    process.wait(10)
    end = time.monotonic() + 2
    while running(mark) and time.monotonic() < end:
        time.sleep(0.05)
    assert running(mark) == 0
