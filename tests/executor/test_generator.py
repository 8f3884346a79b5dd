"""Generators that work, and in which words those that do not are refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor import generator
from maxcode_lsp.executor.generator import InputSource
from maxcode_lsp.executor.sandbox import Scratch
from tests.executor.jobs import GENERATOR, SUM, job

ADVICE = "It is run as “gen.py SEED SIZE” (here 7 20) and must print one input."


@pytest.fixture
def scratch() -> Iterator[Scratch]:
    with Scratch() as made:
        yield made


async def made(scratch: Scratch, script: bytes) -> bytes:
    work = job(SUM, generator=script)
    assert work.generator is not None
    source = await InputSource.open(scratch, work, work.generator, allow_unconfined=False)
    try:
        return await source.make(7, 20)
    finally:
        await source.close()


async def test_an_input_is_made_and_made_again(scratch: Scratch) -> None:
    first = await made(scratch, GENERATOR)
    assert first.startswith(b"20\n")
    assert await made(scratch, GENERATOR) == first


@pytest.mark.parametrize(
    ("script", "how"),
    [
        (b"while True: pass\n", "it did not end within 1 s"),
        (b"import time\ntime.sleep(60)\n", "it did not end within 1 s"),
        (b"while True: print('x' * 9999)\n", "it printed more than 1 MB"),
        (
            b"import os, time\nprint(1, flush=True)\nif os.fork() == 0: time.sleep(60)\n",
            "it ended and left 1 process running",
        ),
        (
            b"import os, time\nfor _ in range(2):\n    if os.fork() == 0: time.sleep(60)\n",
            "it ended and left 2 processes running",
        ),
        (b"print(1)\nraise SystemExit(3)\n", "it ended with status 3"),
        (b"print([][0])\n", "it ended with status 1: IndexError: list index out of range"),
        (b"import os\nos.abort()\n", "it was stopped by SIGABRT"),
        (b"print(1\n", "it ended with status 1: SyntaxError: '(' was never closed"),
    ],
    ids=["loops", "sleeps", "floods", "leaves one", "leaves two", "status", "raises", "aborts", "no Python"],
)
async def test_a_refusal_says_what_the_generator_did(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch, script: bytes, how: str
) -> None:
    monkeypatch.setattr(generator, "TIME_LIMIT_S", 1.0)
    monkeypatch.setattr(generator, "INPUT_BYTES", 1 << 20)
    with pytest.raises(Refused) as refusal:
        await made(scratch, script)
    assert str(refusal.value) == f"The input generator gen.py failed: {how}. {ADVICE}"
