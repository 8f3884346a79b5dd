"""A script that plays in an editor without a screen: what it said, and which processes there were."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tests.e2e.processes import below, gone, started_with

LIMIT_S = 540.0
"""For one script, whatever else the machine does."""
EVERY_S = 0.05
DONE = "story: done"
"""A script's last words, when it saw everything that it had to see."""


class Played(Struct, frozen=True):
    """What came of a script."""

    said: str
    """Standard output and error."""
    family: frozenset[int]
    """All processes that were seen below the editor."""


def environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    """That of a user without any configuration, whose home is ``folder``."""
    kept = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")}
    ours = {
        "HOME": str(folder),
        "MAXCODE_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("VIM", "NVIM", "EMACS"))}
    return inherited | kept | ours | dict(more)


def play(command: Sequence[str | Path], env: Mapping[str, str], folder: Path) -> Played:
    """Run an editor to its end, in ``folder``; it has to end well, and to say so."""
    family: set[int] = set()
    with tempfile.TemporaryFile() as out:
        playing = subprocess.Popen(
            command, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
        until = time.monotonic() + LIMIT_S
        while playing.poll() is None and time.monotonic() < until:
            family |= below(playing.pid)
            time.sleep(EVERY_S)
        if playing.poll() is None:
            playing.kill()
            playing.wait()
        out.seek(0)
        said = out.read().decode(errors="replace")
    assert playing.returncode == 0 and DONE in said, said
    return Played(said, frozenset(family))


async def assert_nothing_runs(played: Played, folder: Path) -> None:
    """Neither what was seen below the editor, nor what carries its home in its environment."""
    left = await gone(set(played.family) | set(started_with(str(folder))))
    assert not left, f"of {sorted(played.family)} there is still {sorted(left)}"
