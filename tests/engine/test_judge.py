"""The judge alone, for versions written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.engine.judge import judge, renamed
from maxcode_lsp.records import Outcome
from maxcode_lsp.settings import Settings

ORIGINAL = '#include <cstdio>\nint main() { std::puts("1"); }\n'


@pytest.mark.parametrize(
    ("candidate", "said"),
    [
        (
            '#include <cstdio>\nint main() { std::puts("1") }\n',
            "mine $&\\1.cpp:2:28: error: expected ‘;’ before ‘}’ token",
        ),
        ('#include <cstdio>\nvoid f();\nint main() { std::puts("1"); f(); }\n', "undefined reference to `f()'"),
    ],
    ids=["compiler", "linker"],
)
async def test_errors_are_those_of_the_candidate(tmp_path: Path, candidate: str, said: str) -> None:
    original, mine = tmp_path / "solve.cpp", tmp_path / "mine $&\\1.cpp"
    original.write_text(ORIGINAL)
    mine.write_text(candidate)
    judgement = await judge(original, mine, settings=Settings())
    assert judgement.outcome is Outcome.COMPILE_ERROR
    assert said.replace("‘", "'").replace("’", "'") in judgement.reason.replace("‘", "'").replace("’", "'")
    assert "solve.cpp" not in judgement.reason


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("in/a.cpp:3:1: error: x", "b.cpp:3:1: error: x"),
        ("In file included from in/a.cpp:1:", "In file included from b.cpp:1:"),
        ("in/a.cpp:(.text+0x5): undefined reference", "b.cpp:(.text+0x5): undefined reference"),
        ("win/a.cpp:3: error", "win/a.cpp:3: error"),
        ("in/a.cpp.h:3: error", "in/a.cpp.h:3: error"),
        ("../in/a.cpp:3: error", "../in/a.cpp:3: error"),
    ],
)
def test_only_the_unit_gets_another_name(said: str, shown: str) -> None:
    assert renamed(said, "in/a.cpp", "b.cpp") == shown
