from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

PRELUDE = """
import asyncio, sys, time
from maxcode_lsp.cli.failure import Interrupted
from maxcode_lsp.cli.interruption import run_interruptible
started = lambda: print("started", flush=True)
def run(work):
    try:
        print("value", run_interruptible(work, on_signal=lambda: print("heard", flush=True),
                                         on_deadline=lambda: print("gave up", flush=True)))
    except Interrupted:
        print("interrupted")
"""
POLITE = """
async def work():
    started()
    try:
        await asyncio.sleep(60)
    finally:
        print("torn down")
run(work())
"""
ANSWERING = """
async def work():
    started()
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return "cancelled"
run(work())
"""
STUBBORN = """
async def work():
    started()
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass
run(work())
"""
BUSY = """
async def work():
    started()
    while True:
        time.sleep(0.01)
run(work())
"""


def as_from_a_terminal() -> None:
    """The tests themselves may run where signals are ignored (nohup, a background shell)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def script(body: str) -> Generator[subprocess.Popen[str]]:
    """A process that runs ``body``, started and with signals as a terminal gives them."""
    code = textwrap.dedent(PRELUDE) + body
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        preexec_fn=as_from_a_terminal,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "started\n"
        yield child
    finally:
        child.kill()
        child.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_the_work(number: signal.Signals) -> None:
    with script(POLITE) as child:
        child.send_signal(number)
        out, _ = child.communicate(timeout=20)
        assert out.splitlines() == ["heard", "torn down", "interrupted"]
        assert child.returncode == 0


def test_the_work_may_answer_its_cancellation() -> None:
    with script(ANSWERING) as child:
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
        assert out.splitlines() == ["heard", "value cancelled"]


@pytest.mark.parametrize("body", [STUBBORN, BUSY])
def test_work_that_does_not_end_is_given_up(body: str) -> None:
    with script(body) as child:
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
        assert out.splitlines() == ["heard", "gave up"]
        assert child.returncode == 130


def test_a_second_signal_ends_the_process_at_once() -> None:
    with script(STUBBORN) as child:
        child.send_signal(signal.SIGINT)
        assert child.stdout is not None
        assert child.stdout.readline() == "heard\n"
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
        assert out == ""
        assert child.returncode == 130


def test_an_ignored_signal_stays_ignored() -> None:
    body = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + ANSWERING
    with script(body) as child:
        child.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        assert child.poll() is None
        os.kill(child.pid, signal.SIGTERM)
        out, _ = child.communicate(timeout=20)
        assert out.splitlines() == ["heard", "value cancelled"]
