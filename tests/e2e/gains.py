"""The example that no rule helps, what a scripted model may say about it, and an editor with that model in settings."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.testing.model_replies import Said
from maxcode_lsp.testing.model_server import Call, ModelServer
from tests.e2e.conftest import Launch
from tests.e2e.editor import Buffer, Editor
from tests.e2e.test_faults import journals, records
from tests.e2e.test_story import finished

EXAMPLE = Path(__file__).parents[2] / "examples" / "gains"
KEY = "sk-planted-e2e-5d1f7c3b9a2e8064"
GAINS = (EXAMPLE / "gains.cpp").read_text()
ALL_PAIRS = GAINS[GAINS.index("    for (size_t first") : GAINS.index("    return best;")]
ONCE = """    long long sum = 0;
    for (int gain : days) {
        sum = (sum > 0 ? sum : 0) + gain;
        if (sum > best) best = sum;
    }
"""
LINEAR = GAINS.replace(ALL_PAIRS, ONCE)
WRONG = LINEAR.replace("(sum > 0 ? sum : 0)", "sum")
UNBUILT = LINEAR.replace("+ gain;", "+ gains;")
QUICK: dict[str, Any] = {
    "budget": 6,
    "seconds": 120,
    "goal": 1.5,
    "flags": "-O2",
    "workload": {"seconds": 0.05},
    "rewrites": {"disabled": list(RULES)},
    "llm": {"at_once": 1, "critic": "none", "connect_s": 5, "read_s": 60},
}
"""Settings with which the first version that is faster ends the search."""


def version(text: str, words: str = "Looks at each day once.") -> str:
    """A reply with a whole program."""
    return f"{words}\n\n```cpp\n{text}```\n"


def in_turn(*said: Said | Callable[[Call], Said]) -> Callable[[Call], Said]:
    """Answers in order, the last again and again; one may look at what is asked."""
    asked = iter(range(1 << 20))

    def answer(call: Call) -> Said:
        one = said[min(next(asked), len(said) - 1)]
        return one(call) if callable(one) else one

    return answer


async def opened(
    launch: Launch,
    workspace: Path,
    server: ModelServer,
    name: str = "vscode",
    asked: Mapping[str, str] | None = None,
    **llm: Any,
) -> tuple[Editor, Buffer]:
    """An editor with the example, its settings and its secrets; ``asked``: which model, where not the server's."""
    for file in EXAMPLE.iterdir():
        shutil.copy(file, workspace)
    model = asked or {"model": "openai/scripted", "api_base": server.api_base}
    settings = {**model, **QUICK, "llm": {**QUICK["llm"], **llm}}
    options = {"trusted": True, "buttons": True, "secrets": {"OPENAI_API_KEY": KEY}}
    editor = await launch(name, options, settings=settings)
    return editor, editor.open(workspace / "gains.cpp")


async def begun(editor: Editor, buffer: Buffer) -> str:
    """Start a run; its id."""
    answer = await editor.execute("maxcode.start", {"uri": buffer.uri})
    assert answer["run"], answer
    return answer["run"]


async def result_of(editor: Editor, run: str, home: Path) -> RunResult:
    """Wait for the end of a run; what its journal says of it.

    A run that is stopped has ended for its editor at once; the engine writes that down when it has torn it down.
    """
    await finished(editor, run)
    await editor.until(lambda: bool(_results(home, run)), "the end in the journal")
    return _results(home, run)[-1]


def _results(home: Path, run: str) -> list[RunResult]:
    journal = next(file for file in journals(home) if file.stem == run)
    return [one for one in records(journal) if isinstance(one, RunResult)]


def all_said(editor: Editor) -> str:
    """Every message of the server."""
    return "\n".join(editor.received)


def leaks(folder: Path) -> list[Path]:
    """Files that hold the key."""
    return [file for file in folder.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


def told(result: RunResult) -> str:
    """A result as text, for a test that fails."""
    return str(msgspec.to_builtins(msgspec.structs.replace(result, edited=None, diff="")))
