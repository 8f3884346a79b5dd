"""Gives up root and then uses sandboxes at each level; prints what it saw as JSON. Argument: SUBJECT_FOLDER"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from maxcode_lsp.errors import SandboxUnavailable
from maxcode_lsp.executor.sandbox import Command, Conduct, Level, Mount, Scratch, open_sandbox

UID = 61_999


async def look(level: Level, subject: Path, out: Path, other: int) -> dict[str, object]:
    try:
        box = await open_sandbox(
            [Mount(subject, "/subject"), Mount(out, "/out", writable=True)],
            level=level, toolchain=True, allow_unconfined=True, memory_bytes=1 << 30,
        )  # fmt: skip
    except SandboxUnavailable as problem:
        return {"unavailable": str(problem)}
    program = box.path("/subject/subject")

    async def said(conduct: Conduct, *arguments: str) -> str:
        ended = await box.run(Command((program, *arguments), conduct))
        return ended.stdout.decode().strip() or f"{ended.code} {ended.leftovers}"

    try:
        return {
            "memory": await said(Conduct.PROGRAM, "open", f"/proc/{os.getpid()}/mem"),
            "environ": await said(Conduct.TOOL, "open", f"/proc/{other}/environ"),
            "exit": await said(Conduct.PROGRAM, "exit", "5"),
            "fork": await said(Conduct.PROGRAM, "fork"),
            "thread": await said(Conduct.THREADED, "thread"),
            "socket": await said(Conduct.PROGRAM, "socket", "2"),
            "kill": await said(Conduct.PROGRAM, "kill"),
            "fd": await said(Conduct.TOOL, "parent", "fd"),
            "passwd": await said(Conduct.TOOL, "open", "/etc/passwd"),
            "tool": await said(Conduct.TOOL, "create", box.path("/out/new") + level.value),
            "program": await said(Conduct.PROGRAM, "create", box.path("/out/other")),
            "daemon": await said(Conduct.TOOL, "daemon"),
            "uid": await said(Conduct.PROGRAM, "uid"),
        }
    finally:
        await box.close()


async def main(subject: Path) -> None:
    with Scratch() as scratch:
        out = scratch.folder("out")
        other = await asyncio.create_subprocess_exec("sleep", "60")
        seen = {level.value: await look(level, subject, out, other.pid) for level in Level}
        other.kill()
        await other.wait()
        sys.stdout.write(json.dumps(seen))


asyncio.run(asyncio.to_thread(subprocess.run, ["true"], check=True))  # imports what root alone may be able to read
with tempfile.TemporaryDirectory() as home:
    os.chown(home, UID, UID)
    os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = home
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE, which the change of user took away
    asyncio.run(main(Path(sys.argv[1])))
