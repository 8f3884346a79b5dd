"""Asking a trusted tool of the machine something: ``g++ --version``. Code under judgement never runs this way."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from maxcode_lsp.executor.child import start

# We hold the other end of the pipe: when we die, however that is, the whole group goes.
_GUARDED = (
    'end=$1; shift; (read -r _ <"/dev/fd/$end"; kill -9 0) & guard=$!; "$@"; code=$?; kill -9 "$guard"; exit "$code"'
)
_END_S = 1.0
"""How long the pipes of a killed group may take to close."""


class Answer(Struct, frozen=True):
    """What a tool said, standard error included, and how it ended."""

    code: int
    """Exit status; 128 and more: killed by the signal beyond; 127: it could not be started."""
    said: bytes

    @property
    def ok(self) -> bool:
        """It ended with status 0."""
        return self.code == 0

    @property
    def text(self) -> str:
        """What it said, undecodable bytes replaced."""
        return self.said.decode(errors="replace").strip()


async def ask(*argv: str, limit_s: float, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Answer:
    """Run a tool to its end. Raises TimeoutError past ``limit_s``.

    Past its limit, cancelled, or when this process dies, it is killed with everything that it started.
    ``env`` comes on top of our own environment.
    """
    watched, held = os.pipe()
    try:
        child = await start(
            ("/bin/sh", "-c", _GUARDED, "sh", str(watched), *argv),
            stdin=PIPE,
            stdout=PIPE,
            stderr=STDOUT,
            env={**os.environ, **(env or {})},
            pass_fds=(watched,),
            new_session=True,
        )
    except OSError as problem:
        os.close(held)
        return Answer(127, (problem.strerror or str(problem)).encode())
    except asyncio.CancelledError:
        # The guard of a child that was already started sees this end close, and ends it.
        os.close(held)
        raise
    finally:
        os.close(watched)
    try:
        async with asyncio.timeout(limit_s):
            said, _ = await child.communicate(stdin)
    finally:
        # A compiler driver may be gone while the compiler proper still runs.
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_S):
                await child.communicate()
        os.close(held)
    return Answer(child.returncode or 0, said)
