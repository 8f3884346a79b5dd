from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from maxcode_lsp import log
from tests.cli.test_app import ROOT

PRELUDE = """
import asyncio, logging, sys, threading, types, warnings
from msgspec.structs import replace
from tests.cli.recorded import NO_IMPROVEMENT

async def optimize(file, settings, on_event, *, run=None, resume=False, allow_unsafe=False):
    await trouble()
    return NO_IMPROVEMENT

module = types.ModuleType("maxcode_lsp.engine.run")
module.optimize = optimize
sys.modules["maxcode_lsp.engine.run"] = module
"""
TROUBLE = {
    "a rule that raises": """
async def trouble():
    from maxcode_lsp.policy.rewrites import policy
    class Rule:
        id, family, rationale, finding_kinds, gain = "broken", "broken", "Broken.", (), 0.1
        def find(self, unit):
            raise KeyError("secret detail")
    assert policy._rewrites(Rule(), None) == []
""",
    "a task that nobody waits for": """
async def trouble():
    async def fail():
        raise KeyError("secret detail")
    task = asyncio.create_task(fail())
    await asyncio.sleep(0.01)
    del task
    import gc; gc.collect()
""",
    "an exception that cannot be raised": """
async def trouble():
    class Odd:
        def __del__(self):
            raise KeyError("secret detail")
    odd = Odd()
    del odd
""",
    "a thread": """
async def trouble():
    def fail():
        raise KeyError("secret detail")
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
""",
    "a warning": """
async def trouble():
    warnings.warn("secret detail", RuntimeWarning)
    warnings.simplefilter("always")
    warnings.warn("secret detail", ResourceWarning)
""",
    "a library": """
async def trouble():
    logging.getLogger("some.library").error("secret detail")
    logging.getLogger("some.library").error("%d", "no number, secret detail")
""",
}


@pytest.mark.parametrize("name", TROUBLE)
@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_what_goes_wrong_inside_is_in_the_log_and_not_on_the_terminal(
    tmp_path: Path, name: str, arguments: tuple[str, ...]
) -> None:
    file = tmp_path / "a.cpp"
    file.write_text("int main() {}\n")
    code = PRELUDE + TROUBLE[name] + "from maxcode_lsp.cli.app import main\nmain()\n"
    ended = subprocess.run(
        [sys.executable, "-c", code, "optimize", str(file), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "XDG_STATE_HOME": str(tmp_path / "state"), "HOME": str(tmp_path)},
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    assert "secret detail" not in ended.stdout
    (written,) = (tmp_path / "state" / "maxcode" / "log").iterdir()
    assert "secret detail" in written.read_text()


def test_nothing_is_written_where_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from maxcode_lsp.cli.app import main\nmain()\n"
    subprocess.run(
        [sys.executable, "-c", code, "--version"],
        check=True,
        cwd=ROOT,
        env={"XDG_STATE_HOME": str(tmp_path / "state"), "HOME": str(tmp_path)},
        timeout=60,
    )
    assert list(tmp_path.iterdir()) == []


def test_the_log_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(log, "SIZE_BYTES", 1000)
    for number in range(100):
        assert log.write(f"{number} " + "x" * 5000) == log.log_file()
    files = sorted(path.name for path in log.log_file().parent.iterdir())
    assert files == ["maxcode.log", "maxcode.log.1"]
    assert sum(path.stat().st_size for path in log.log_file().parent.iterdir()) < 5000
    assert "99 x" in log.log_file().read_text()


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "maxcode").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert log.write("text") is None


def test_any_text_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    written = log.write("d\udce4 \ud83d")
    assert written is not None
    assert "d\\udce4" in written.read_text()
