"""litellm is loaded late, in the one trusted version, silently and without a network."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.model import library

ROOT = Path(__file__).parents[2]
AUDITED = """
import sys
seen = []
WATCHED = {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}
sys.addaudithook(lambda event, args: seen.append([event, repr(args[1:])]) if event in WATCHED else None)
hook = sys.excepthook
import asyncio, json, logging, os
from maxcode_lsp.model.library import load
from maxcode_lsp.errors import ModelTrouble
from maxcode_lsp.testing.model_replies import Reply, error
from maxcode_lsp.testing.model_server import ModelServer
from tests.model.scripted import QUESTION, asking

async def ask(api_base):
    for name in ("openai/any", "groq/llama-3.3-70b-versatile", "ollama_chat/any"):
        async with asking(api_base, name=name) as (model, _):
            for _ in range(2):
                try:
                    await model.ask(QUESTION)
                except ModelTrouble:
                    pass
            asked = asyncio.create_task(model.ask(QUESTION))
            await asyncio.sleep(0.01)
            asked.cancel()

assert "litellm" not in sys.modules
asyncio.run(load())
at_import = list(seen)
import litellm
assert sys.excepthook is hook
logger = logging.getLogger("LiteLLM")
with ModelServer([Reply(text="int x;", usage=None), error(400, "No.")]) as server:
    asyncio.run(ask(server.api_base))
away = [event for event in seen if "127.0.0.1" not in event[1]]
print(json.dumps({
    "at import": at_import, "away": away, "at all": len(seen) > 3, "handlers": logger.handlers, "level": logger.level,
    "telemetry": litellm.telemetry, "dotenv": "PLANTED" in os.environ,
}))
"""


def test_it_reaches_no_network_of_its_own_and_says_nothing(tmp_path: Path) -> None:
    """At import and when asked, warnings being errors; and nothing is left over at the end."""
    (tmp_path / ".env").write_text("PLANTED=1\nOPENAI_API_KEY=stolen\n")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "JSON_LOGS": "1"}
    command = [sys.executable, "-W", "error", "-c", AUDITED]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "at import": [],
        "away": [],
        "at all": True,
        "handlers": [],
        "level": 30,
        "telemetry": False,
        "dotenv": False,
    }


def test_the_version_is_that_of_the_package() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    [pinned] = [re.fullmatch(r"litellm==([\d.]+)", line) for line in extras["llm"] if line.startswith("litellm")]
    assert pinned is not None
    assert pinned[1] == library.VERSION


@pytest.mark.parametrize(
    ("found", "words"), [("1.82.7", "attackers"), ("1.107.0", "attackers"), (None, "not installed")]
)
def test_another_version_is_refused(
    found: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands on the path of modules before the one that is installed; it would leave a trace if it were imported."""
    trace = tmp_path / "imported"
    package = tmp_path / "litellm"
    package.mkdir()
    (package / "__init__.py").write_text(f"open({str(trace)!r}, 'w')\n")
    if found is None:
        monkeypatch.setattr(sys, "path", [str(tmp_path)])
    else:
        info = tmp_path / f"litellm-{found}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: litellm\nVersion: {found}\n")
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModelTrouble, match=words) as trouble:
        library.check()
    assert trouble.value.fault is ModelFault.LIBRARY
    assert not trace.exists()
