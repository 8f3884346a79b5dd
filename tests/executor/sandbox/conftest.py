"""A compiled subject and an opener of sandboxes at each level that works on this machine."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest

from maxcode_lsp.errors import SandboxUnavailable
from maxcode_lsp.executor.sandbox import Command, Conduct, Exit, Level, Mount, Scratch, open_sandbox
from maxcode_lsp.executor.sandbox.box import Box

Try = Callable[..., Awaitable[Exit]]
_works: dict[Level, str] = {}
SOURCE = Path(__file__).with_name("subject.cpp")


@pytest.fixture(scope="session")
def subject() -> Iterator[Path]:
    """Folder with the program ``subject``, where every user id can read it."""
    with Scratch() as scratch:
        folder = scratch.folder("subject")
        subprocess.run(["g++", "-O1", "-std=c++17", "-pthread", str(SOURCE), "-o", str(folder / "subject")], check=True)
        yield folder


@pytest.fixture(params=list(Level), ids=lambda level: level.value)
def level(request: pytest.FixtureRequest) -> Level:
    return request.param


@pytest.fixture
def scratch() -> Iterator[Scratch]:
    with Scratch() as made:
        yield made


async def opened(level: Level, mounts: Sequence[Mount], *, toolchain: bool = False, processes: int = 32) -> Box:
    """A sandbox at the level, or a skip that says why this machine has none."""
    if level not in _works:
        try:
            await (await open_sandbox([], level=level, allow_unconfined=True, memory_bytes=1 << 30)).close()
            _works[level] = ""
        except SandboxUnavailable as problem:
            _works[level] = str(problem)
    if _works[level]:
        pytest.skip(_works[level])
    return await open_sandbox(
        mounts, level=level, toolchain=toolchain, allow_unconfined=True, memory_bytes=1 << 30, processes=processes
    )


@pytest.fixture
async def box(level: Level, subject: Path, scratch: Scratch) -> AsyncIterator[Box]:
    """The subject at ``/subject``, an empty writable folder at ``/out``."""
    made = await opened(level, [Mount(subject, "/subject"), Mount(scratch.folder("out"), "/out", writable=True)])
    yield made
    await made.close()


@pytest.fixture
def run(box: Box) -> Try:
    """Runs the subject: its arguments, then ``conduct`` and what else a Command takes."""

    async def start(*arguments: str, conduct: Conduct = Conduct.PROGRAM, **options: object) -> Exit:
        return await box.run(Command((box.path("/subject/subject"), *arguments), conduct, **options))  # type: ignore[arg-type]

    return start
