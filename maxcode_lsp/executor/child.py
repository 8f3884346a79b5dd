"""Starting children of our own (launchers, trusted tools) so that cancelling never hangs."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import maxcode_lsp

_END_S = 2.0


def python_path() -> str:
    """``PYTHONPATH`` for a child that runs modules of ours from any folder, and none that only the working folder of
    now would bring.
    """
    home = Path(maxcode_lsp.__file__).parent.parent
    places = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if Path(place).is_absolute()]
    if home.name not in {"site-packages", "dist-packages"} and str(home) not in places:
        places.append(str(home))
    return os.pathsep.join(places)


async def start(
    argv: Sequence[str],
    *,
    stdin: int | IO[bytes] | None,
    stdout: int | IO[bytes] | None,
    stderr: int | IO[bytes] | None,
    env: Mapping[str, str],
    cwd: str | None = None,
    pass_fds: Sequence[int] = (),
    new_session: bool = False,
) -> Process:
    """Start a child. Raises OSError where it cannot be started.

    asyncio waits for ever when it is cancelled between starting a child and connecting its pipes
    (CPython 3.11 and later), so the start is always carried through; a child that nobody waits for any
    more is killed.
    """
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *argv,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=env,
            cwd=cwd,
            pass_fds=tuple(pass_fds),
            start_new_session=new_session,
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(_END_S):
                child = await starting
            with suppress(ProcessLookupError):
                if new_session:
                    os.killpg(child.pid, signal.SIGKILL)
                else:
                    child.kill()
            async with asyncio.timeout(_END_S):
                await child.communicate()
        raise
