"""Programs that want arguments, which they are not given: a refusal says so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.target.program import uses_arguments
from maxcode_lsp.text.source import SourceText
from tests.executor.jobs import job

SAID = (
    "It looks at its command-line arguments and is run without any: give them defaults, or read standard input instead."
)
HEAD = b"#include <cstdio>\n#include <cstdlib>\n"
CRASHES = HEAD + b'int main(int argc, char** argv) { std::printf("%d\\n", std::atoi(argv[1])); }\n'
EXPLAINS = (
    HEAD + b'int main(int argc, char** argv) { if (argc < 2) { std::fputs("usage: a N\\n", stderr); return 2; } }\n'
)
SILENT = HEAD + b"int main(int argc, char** argv) { for (int i = 1; i < argc; ++i) std::puts(argv[i]); }\n"


@pytest.fixture
async def executor(tmp_path: Path) -> AsyncIterator[LocalExecutor]:
    made = LocalExecutor(tmp_path / "builds")
    yield made
    await made.close()


@pytest.mark.parametrize(
    ("source", "how"),
    [
        (CRASHES, "it was stopped by SIGSEGV. "),
        (EXPLAINS, "it ended with status 2 (usage: a N). "),
        (SILENT, "prints nothing on any input, so there is no behaviour to compare. "),
    ],
    ids=["crashes", "explains", "silent"],
)
async def test_a_program_without_its_arguments(executor: LocalExecutor, source: bytes, how: str) -> None:
    with pytest.raises(Refused) as refusal:
        await executor.prepare(job(source))
    assert how + SAID in str(refusal.value)


@pytest.mark.parametrize(
    "source",
    [
        HEAD + b"int main() { std::abort(); }\n",
        HEAD + b"int main(int argc, char** argv) { std::abort(); }\n",
        HEAD + b"int main(int, char**) { }\n",
    ],
    ids=["none taken", "not used", "silent"],
)
async def test_a_program_that_wants_none_is_told_of_none(executor: LocalExecutor, source: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        await executor.prepare(job(source))
    assert "arguments" not in str(refusal.value)


@pytest.mark.parametrize(("text", "uses"), [(CRASHES, True), (SILENT, True), (b"int f(", False), (b"", False)])
def test_use_of_arguments_is_told_of_any_text(text: bytes, *, uses: bool) -> None:
    assert uses_arguments(SourceText(text)) is uses
