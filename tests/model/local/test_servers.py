"""Servers of local models: a stand-in that listens and computes, in processes of its own."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from maxcode_lsp import redaction
from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.executor.quiet import quiet
from maxcode_lsp.model.local import catalogue, running, servers, store
from maxcode_lsp.model.local.catalogue import Weights
from maxcode_lsp.model.local.endpoint import Endpoint, find_published, published_file, publishing
from maxcode_lsp.model.local.servers import STARTS, LocalServers
from tests.model.local.scripted import SERVER, WEIGHTS

PUBLISH = """
import sys, time
from maxcode_lsp.model.local.endpoint import Endpoint, publishing
with publishing("tiny") as publication:
    publication.tell(Endpoint("http://127.0.0.1:1/v1", "k3y-0f-an0ther-pr0cess", "tiny", 1024))
    print(flush=True)
    time.sleep(600)
"""
OWNER = """
import asyncio, sys
from pathlib import Path
from maxcode_lsp.model.local import running
from tests.model.local.scripted import SERVER, WEIGHTS
running.ARGV = (sys.executable, "-P", "-c", SERVER)
async def main():
    made = await running.Running.open(WEIGHTS, Path(sys.argv[1]))
    print(made.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def weights_of(behaviour: str, name: str = "tiny") -> Weights:
    data = behaviour.encode()
    return replace(
        WEIGHTS, name=name, file=f"{name}.gguf", size_bytes=len(data), sha256=hashlib.sha256(data).hexdigest()
    )


Known = Callable[..., None]


@pytest.fixture
def known(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Known:
    """Makes models known that behave as told, and puts them where they belong."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(running, "ARGV", (sys.executable, "-P", "-c", SERVER))
    home.mkdir(parents=True)

    def put(**behaviours: str) -> None:
        all_of_them = tuple(weights_of(behaviour, name) for name, behaviour in behaviours.items())
        for module in (catalogue, servers, store):
            monkeypatch.setattr(module, "CATALOGUE", all_of_them)
        for weights, behaviour in zip(all_of_them, behaviours.values(), strict=True):
            store.file_of(weights).write_text(behaviour)

    put(tiny="serves")
    return put


@pytest.fixture
async def local(known: Known) -> AsyncIterator[LocalServers]:
    made = LocalServers()
    yield made
    await made.close()


def pid_of(local: LocalServers, name: str = "tiny") -> int:
    server = local._places[name].running
    assert server is not None
    return server.pid


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] in "ZX"
    except FileNotFoundError:
        return True


def other(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, env=env)


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(20):
        while True:
            if gone(pid):
                return
            await asyncio.sleep(0.01)


async def test_one_server_for_all_and_it_ends_with_the_last(local: LocalServers) -> None:
    async with local.serving("tiny") as first:
        pid = pid_of(local)
        async with local.serving("") as second, local.serving("TINY") as third:
            assert first == second == third
        assert not gone(pid)
        assert first.api_base.startswith("http://127.0.0.1:")
        assert (first.model, first.context_tokens) == ("tiny", running.CONTEXT_TOKENS)
        assert first.key not in repr(first)
        assert first.key not in redaction.redact(f"it was {first.key}")
    assert gone(pid)
    async with local.serving("tiny") as again:
        assert again.key != first.key


async def test_those_who_ask_at_the_same_time_get_the_same(local: LocalServers) -> None:
    async def ask() -> Endpoint:
        async with local.serving("tiny") as found:
            await asyncio.sleep(0.1)
            return found

    assert len({each.key for each in await asyncio.gather(*(ask() for _ in range(5)))}) == 1


async def test_neither_arguments_nor_environment_tell_a_key(
    local: LocalServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-the-user")
    async with local.serving("tiny") as found:
        about = Path(f"/proc/{pid_of(local)}")
        said = (about / "cmdline").read_bytes() + (about / "environ").read_bytes()
    assert b"HOME=" in said
    assert b"a-key-of-the-user" not in said
    assert found.key.encode() not in said


async def test_the_best_that_is_here(local: LocalServers, known: Known) -> None:
    known(large="serves", small="serves too")
    async with local.serving("") as found:
        assert found.model == "large"
    store.remove(catalogue.find("large"))
    async with local.serving("") as found:
        assert found.model == "small"
    async with local.serving("small"):
        with pytest.raises(ModelTrouble, match="maxcode model pull large") as trouble:
            async with local.serving("large"):
                pass
    assert trouble.value.fault is ModelFault.NOT_PULLED


async def test_damaged_weights_are_not_served(local: LocalServers) -> None:
    store.file_of(catalogue.find("tiny")).write_text("xerves")
    with pytest.raises(ModelTrouble, match="checksum is wrong"):
        async with local.serving(""):
            pass


async def test_one_that_died_is_started_again_for_the_next_question(local: LocalServers) -> None:
    async with local.serving("tiny") as first:
        for _ in range(STARTS - 1):
            os.kill(pid_of(local), signal.SIGKILL)
            await until_gone(pid_of(local))
            await asyncio.sleep(0.05)
            async with local.serving("tiny") as second:
                assert second != first
                pid = pid_of(local)
            assert not gone(pid)  # the run still uses it
        os.kill(pid_of(local), signal.SIGKILL)
        await until_gone(pid_of(local))
        await asyncio.sleep(0.05)
        with pytest.raises(ModelTrouble, match="died several times in a row"):
            async with local.serving("tiny"):
                pass
    async with local.serving("tiny"):
        pass  # another run begins anew


FAULTS = {
    "dies": ("ended at once with exit code 7", ModelFault.UNREACHABLE),
    "cannot": ("the file is no model", ModelFault.UNREACHABLE),
    "babbles": ("cannot be started", ModelFault.UNREACHABLE),
    "missing": ("pip install 'maxcode-lsp[local]'", ModelFault.LIBRARY),
    "silent": ("was not ready within", ModelFault.TOO_SLOW),
}


@pytest.mark.parametrize("behaviour", FAULTS)
async def test_one_that_does_not_start(
    local: LocalServers, known: Known, monkeypatch: pytest.MonkeyPatch, behaviour: str
) -> None:
    said, fault = FAULTS[behaviour]
    monkeypatch.setattr(running, "START_S", 0.5 if behaviour == "silent" else 60)
    known(tiny=behaviour)
    with pytest.raises(ModelTrouble) as trouble:
        async with local.serving("tiny"):
            pass
    assert said in str(trouble.value)
    assert trouble.value.fault is fault
    assert children() == []


def children() -> list[int]:
    return [
        int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split() if not gone(int(pid))
    ]


async def test_too_little_memory(local: LocalServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", (replace(catalogue.find("tiny"), memory_bytes=1 << 60),))
    with pytest.raises(ModelTrouble, match=r"needs .* of free memory and there are"):
        async with local.serving("tiny"):
            pass


async def test_cancelling_a_start_leaves_nothing(local: LocalServers, known: Known) -> None:
    known(tiny="silent")

    async def ask() -> None:
        async with local.serving("tiny"):
            pass

    asking = asyncio.create_task(ask())
    async with asyncio.timeout(20):
        while True:
            if children():
                break
            await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(2):
            await asking
    assert children() == []


async def test_closing_ends_it_while_it_is_used(local: LocalServers) -> None:
    async with local.serving("tiny"):
        pid = pid_of(local)
        await local.close()
        await local.close()
        assert gone(pid)
        with pytest.raises(ModelTrouble, match="MaxCode is ending"):
            async with local.serving("tiny"):
                pass


async def test_it_ends_while_it_stands_still(local: LocalServers, known: Known) -> None:
    known(tiny="takes a while")  # as real weights do
    async with quiet():
        serving = local.serving("tiny")
        starting = asyncio.create_task(serving.__aenter__())
        await asyncio.sleep(0.3)
        assert not starting.done()  # it stands still before it is there, too
    async with asyncio.timeout(60):
        await starting
    pid = pid_of(local)
    async with quiet():
        assert Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] == "T"
        await serving.__aexit__(None, None, None)
        assert gone(pid)


@pytest.mark.parametrize("stopped", [False, True])
async def test_it_dies_with_who_started_it(known: Known, stopped: bool) -> None:
    file = store.file_of(catalogue.find("tiny"))
    owner = other(OWNER, str(file))
    try:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        if stopped:
            os.kill(pid, signal.SIGSTOP)
        owner.kill()
        await until_gone(pid)
    finally:
        owner.kill()
        owner.communicate()


async def test_one_that_another_process_serves_is_used(local: LocalServers) -> None:
    serving = other(PUBLISH)
    try:
        assert serving.stdout is not None
        serving.stdout.readline()
        for name in ("", "tiny"):
            async with local.serving(name) as found:
                assert found.key == "k3y-0f-an0ther-pr0cess"
                assert children() == [serving.pid]
        assert published_file("tiny").stat().st_mode & 0o777 == 0o600
        assert "k3y-0f-an0ther-pr0cess" not in redaction.redact("it was k3y-0f-an0ther-pr0cess")
        with publishing("tiny") as publication:
            assert publication is None
        async with local.serving("tiny"):  # a run
            serving.kill()
            serving.wait()
            async with local.serving("tiny") as found:
                assert found.key != "k3y-0f-an0ther-pr0cess"
                pid = pid_of(local)
            assert not gone(pid)  # it takes the other's place
        assert gone(pid)
    finally:
        serving.kill()
        serving.communicate()


async def test_one_that_runs_here_is_not_left_for_another(local: LocalServers) -> None:
    async with local.serving("tiny") as own:
        serving = other(PUBLISH)
        try:
            assert serving.stdout is not None
            serving.stdout.readline()
            async with local.serving("tiny") as found:
                assert found == own
        finally:
            serving.kill()
            serving.communicate()


@pytest.mark.parametrize("content", [b"", b"{", b'{"endpoint": 7, "pid": 1}', b"\xff" * 100_000])
def test_a_file_that_says_nothing(home: Path, content: bytes) -> None:
    with publishing("tiny") as publication:
        assert publication is not None
        published_file("tiny").write_bytes(content)
        assert find_published("tiny") is None
    assert find_published("other") is None


def test_what_was_published_ends_with_it(home: Path) -> None:
    with publishing("tiny") as publication:
        assert publication is not None
        publication.tell(Endpoint("http://127.0.0.1:1/v1", "key", "tiny", 1024))
        found = find_published("tiny")
        assert found is not None and found.pid == os.getpid()
    assert find_published("tiny") is None
    assert published_file("tiny").read_bytes() == b""


async def test_one_that_just_starts_does_not_outlive_its_owner(
    known: Known, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor where something is measured at that moment: it is not stopped before it dies with its owner."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    async with quiet():
        owner = other(OWNER, str(home / "tiny.gguf"))
        try:
            children = Path(f"/proc/{owner.pid}/task/{owner.pid}/children")
            async with asyncio.timeout(60):
                while not (pids := children.read_text().split()):  # noqa: ASYNC110 (another process makes it so)
                    await asyncio.sleep(0.001)
            await asyncio.sleep(0.1)  # long enough to be stopped, and too short to have begun
        finally:
            owner.kill()
            owner.communicate()
        await until_gone(int(pids[0]))
