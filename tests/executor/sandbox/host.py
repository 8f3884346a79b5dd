"""A host process for the tests that kill one: opens a sandbox, starts a command that does not end, says so.

Arguments: LEVEL CONDUCT SUBJECT_FOLDER MARK
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from maxcode_lsp.executor.sandbox import Command, Conduct, Level, Mount, open_sandbox


async def main(level: str, conduct: str, subject: str, mark: str) -> None:
    box = await open_sandbox(
        [Mount(Path(subject), "/subject")],
        level=Level(level),
        toolchain=True,
        allow_unconfined=True,
        memory_bytes=1 << 30,
    )
    sleep = (box.path("/subject/subject"), "sleep", "60", mark)
    if conduct == "tool":
        sleep = ("sh", "-c", 'setsid "$@" & "$@"; :', "sh", *sleep)
    sys.stdout.write("open\n")
    sys.stdout.flush()
    await box.run(Command(sleep, Conduct(conduct), wall_s=100.0))


asyncio.run(main(*sys.argv[1:]))
