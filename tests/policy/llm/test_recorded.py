"""Twenty replies of the real 1.5B model, as recorded: what include repair makes of them.

Five small programs, four samples of each, none sampled twice. A reply is correct when its program prints what the
original prints for all inputs. One that is not taken (cut off, nothing new, a header that does not exist) is neither
built nor correct. Seen: 14 of 20 compile before the repair and 14 after it, 1 is correct before and 1 after: this time
the model forgot no header, and what did not compile was wrong in other ways. (With everything in a code block taken,
the unchanged program too, it is 15 and 15, 2 and 2, and no more with ``<bits/stdc++.h>`` in front.) So the repair is
shown on the same replies without any of their includes: 14 of the 14 that compiled do so again.

Built with -O1, which is quicker than -O3 and makes no difference to what compiles.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from maxcode_lsp.model.model import Answer, Ending, Usage
from maxcode_lsp.policy.llm.includes import repair_includes
from maxcode_lsp.policy.llm.replies.reply import read_reply

RECORDED = Path(__file__).parents[2] / "replies" / "recorded"
RUN_S = 10


class Message(msgspec.Struct, forbid_unknown_fields=True):
    role: str
    content: str


class Sampling(msgspec.Struct, forbid_unknown_fields=True):
    temperature: float
    top_p: float
    max_tokens: int
    seed: int


class Recorded(msgspec.Struct, forbid_unknown_fields=True):
    """One reply as it was recorded."""

    model: str
    weights_sha256: str
    messages: list[Message]
    sampling: Sampling
    reply: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int

    def answer(self) -> Answer:
        usage = Usage(self.prompt_tokens, self.completion_tokens, 0)
        return Answer(model=self.model, text=self.reply, ending=Ending(self.finish_reason), usage=usage)


class Counts(NamedTuple):
    """How many of the four replies compile and are correct, before and after the repair."""

    compile_before: int
    compile_after: int
    correct_before: int
    correct_after: int


SEEN = {
    "concat": Counts(4, 4, 0, 0),
    "counting": Counts(2, 2, 0, 0),
    "duplicates": Counts(3, 3, 0, 0),
    "lines": Counts(3, 3, 1, 1),
    "matmul": Counts(2, 2, 0, 0),
}


def texts(program: str) -> dict[str, bytes]:
    """The programs of the replies that are taken, by their file."""
    original = (RECORDED / program / "program.cpp").read_bytes()
    files = sorted((RECORDED / program).glob("*.json"))
    assert len(files) == 4
    found: dict[str, bytes] = {}
    for file in files:
        recorded = msgspec.json.decode(file.read_bytes(), type=Recorded)
        assert original.decode() in recorded.messages[-1].content
        if (text := read_reply(recorded.answer(), original).text) is not None:
            found[file.stem] = text
    return found


def compiles(text: bytes, *options: str | Path) -> bool:
    command = ["g++", "-O1", "-std=c++17", "-w", "-x", "c++", "-", *options]
    return subprocess.run(command, input=text, capture_output=True, check=False).returncode == 0


def outputs(program: Path, inputs: list[bytes]) -> list[bytes | None]:
    """What the built program prints for each input; None: it crashed or took too long."""
    printed: list[bytes | None] = []
    for given in inputs:
        try:
            run = subprocess.run([program], input=given, capture_output=True, check=False, timeout=RUN_S)
        except subprocess.TimeoutExpired:
            printed.append(None)
        else:
            printed.append(None if run.returncode else run.stdout)
    return printed


@pytest.mark.parametrize("program", SEEN)
def test_repair_spoils_no_recorded_reply(program: str, tmp_path: Path) -> None:
    original = (RECORDED / program / "program.cpp").read_bytes()
    inputs = [file.read_bytes() for file in sorted((RECORDED / program).glob("*.in"))]
    assert compiles(original, "-o", tmp_path / "original")
    expected = outputs(tmp_path / "original", inputs)
    assert len(inputs) == 4 and None not in expected

    def made(text: bytes) -> tuple[bool, bool]:
        built = compiles(text, "-o", tmp_path / "candidate")
        return built, built and outputs(tmp_path / "candidate", inputs) == expected

    found: list[tuple[bool, bool, bool, bool]] = []
    for name, text in texts(program).items():
        repaired = repair_includes(text, original)
        before = made(text)
        after = before if repaired == text else made(repaired)
        assert after >= before, f"the repair spoilt {name}"
        found.append((before[0], after[0], before[1], after[1]))
    counts = Counts(*(sum(column) for column in zip(*found, strict=True)))
    assert all(count >= seen for count, seen in zip(counts, SEEN[program], strict=True)), counts


@pytest.mark.parametrize("program", SEEN)
def test_repair_brings_back_all_that_recorded_replies_include(program: str) -> None:
    original = (RECORDED / program / "program.cpp").read_bytes()
    built = 0
    for text in texts(program).values():
        bare = re.sub(rb"^(#include <.*>|using namespace std;)\n", b"", text, flags=re.MULTILINE)
        assert not compiles(bare, "-fsyntax-only")
        built += compiles(repair_includes(bare, original), "-fsyntax-only")
    assert built >= SEEN[program].compile_after
