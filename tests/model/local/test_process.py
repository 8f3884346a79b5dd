"""The server process itself, with the real library; where the real weights are here, with them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from maxcode_lsp.executor.quiet import quiet
from maxcode_lsp.model.local.catalogue import find
from maxcode_lsp.model.local.process import NICE, Down, Order
from maxcode_lsp.model.local.running import ARGV, Running

OWNER = """
import asyncio, sys
from pathlib import Path
from maxcode_lsp.model.local.catalogue import find
from maxcode_lsp.model.local.running import Running
async def main():
    made = await Running.open(find("0.5b"), Path(sys.argv[1]), context_tokens=1024)
    print(made.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
WITHOUT_LIBRARY = (
    "import sys; sys.modules['xllamacpp'] = None; from maxcode_lsp.model.local.process import main; main()"
)


def run(argv: list[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(argv, input=given, check=False, capture_output=True, timeout=60, env=env)


def answer(argv: list[str], given: bytes) -> Down:
    """What it says to an order that cannot be followed; its input stays open until then."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as asked:
        assert asked.stdin is not None and asked.stdout is not None
        asked.stdin.write(given)
        asked.stdin.flush()
        assert asked.stdout.readline() == b"\n"
        said = msgspec.json.decode(asked.stdout.readline(), type=Down)
        assert asked.wait(20) == 1
    return said


def order(weights: Path, *, parent: int | None = None) -> bytes:
    given = Order(str(weights), "tiny", "key", 512, os.getpid() if parent is None else parent)
    return msgspec.json.encode(given) + b"\n"


def stat(pid: int) -> list[str]:
    """State first, then as in proc(5)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except FileNotFoundError:
        return ["gone"]


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(20):
        while True:
            if stat(pid)[0] in {"gone", "Z", "X"}:
                return
            await asyncio.sleep(0.01)


def test_no_order() -> None:
    ended = run([*ARGV], b"")
    assert (ended.returncode, ended.stdout) == (0, b"")


def test_an_order_of_a_process_that_has_died(tmp_path: Path) -> None:
    ended = run([*ARGV], order(tmp_path, parent=1 if os.getppid() != 1 else 2))
    assert (ended.returncode, ended.stdout) == (1, b"")


def test_weights_that_are_none(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    (tmp_path / "w.gguf").write_bytes(b"no model")
    said = answer([*ARGV], order(tmp_path / "w.gguf"))
    assert not said.missing
    assert said.why


def test_without_the_library(tmp_path: Path) -> None:
    said = answer([sys.executable, "-P", "-c", WITHOUT_LIBRARY], order(tmp_path))
    assert said.missing


@pytest.fixture
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other measurements on this machine do not stop it for minutes."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


async def test_the_real_model_answers(small_model: Path, own_locks: None) -> None:
    running = await Running.open(find("0.5b"), small_model, context_tokens=1024)
    asked: dict[str, Any] = {
        "model": "0.5b", "max_tokens": 16, "temperature": 0, "messages": [{"role": "user", "content": "Say hello."}],
    }  # fmt: skip
    try:
        endpoint = running.endpoint
        assert int(stat(running.pid)[16]) >= NICE
        async with httpx.AsyncClient(base_url=endpoint.api_base, timeout=120, trust_env=False) as client:
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                refused = await client.post("/chat/completions", json=asked, headers=headers)
                assert refused.status_code == 401
            known = {"Authorization": f"Bearer {endpoint.key}"}
            answer = (await client.post("/chat/completions", json=asked, headers=known)).json()
            assert "hello" in answer["choices"][0]["message"]["content"].lower()
            assert 0 < answer["usage"]["completion_tokens"] <= 16
            models = (await client.get("/models", headers=known)).json()
            assert models["data"][0]["id"] == "0.5b"

            asking = asyncio.create_task(
                client.post("/chat/completions", json=asked | {"max_tokens": 64}, headers=known)
            )
            await asyncio.sleep(0.1)
            async with quiet():
                before = stat(running.pid)
                assert before[0] == "T"
                await asyncio.sleep(0.2)
                assert stat(running.pid)[11:13] == before[11:13]  # user and system time
            assert json.loads((await asking).content)["choices"]  # it only took longer
            arguments = Path(f"/proc/{running.pid}/cmdline").read_bytes()
            assert endpoint.key.encode() not in arguments + Path(f"/proc/{running.pid}/environ").read_bytes()
    finally:
        async with asyncio.timeout(2):
            await running.close()
    assert stat(running.pid)[0] == "gone"


async def test_the_real_model_dies_with_who_started_it(small_model: Path, own_locks: None) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OWNER, str(small_model), stdout=subprocess.PIPE, env=env
    )
    try:
        assert owner.stdout is not None
        pid = int(await owner.stdout.readline())
        async with quiet():
            assert stat(pid)[0] == "T"
            owner.kill()
            await until_gone(pid)
    finally:
        if owner.returncode is None:
            owner.kill()
        await owner.communicate()
