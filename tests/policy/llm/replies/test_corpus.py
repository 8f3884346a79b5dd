"""Every reply of the corpus in ``tests/replies`` is read as it says itself."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from maxcode_lsp.model.model import Answer, Ending, Usage
from maxcode_lsp.policy.llm.replies.reply import ReplyEnd, read_reply

CORPUS = Path(__file__).parents[3] / "replies"
FILES = sorted(CORPUS.glob("*.md"))
LINE_ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


class Changed(msgspec.Struct, forbid_unknown_fields=True):
    """A text in the program that was shown, and what stands there in the end, wherever it occurs."""

    old: str
    new: str


class Case(msgspec.Struct, forbid_unknown_fields=True, rename={"model": "from"}):
    """What stands before a reply, between lines of plus signs."""

    model: str
    shown: str
    end: ReplyEnd
    ending: Ending = Ending.STOP
    line_ends: str = "lf"
    """Of the reply, once it is read from its file."""
    bom: bool = False
    surrogate: str = ""
    """A character that stands for half a surrogate pair."""
    complaint: list[str] = []
    """Each is in it."""
    rationale: str | None = None
    changed: list[Changed] = []


def _read(file: Path) -> tuple[Case, str]:
    _, head, reply = file.read_bytes().decode().split("+++\n", 2)
    facts: dict[str, Any] = tomllib.loads(head)
    case = msgspec.convert(facts, Case)
    reply = reply.replace("\n", LINE_ENDS[case.line_ends])
    if case.surrogate:
        reply = reply.replace(case.surrogate, "\ud83d")
    return case, "\ufeff" * case.bom + reply


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_is_read_as_it_says(file: Path) -> None:
    case, text = _read(file)
    shown = (CORPUS / "shown" / case.shown).read_bytes()
    reply = read_reply(Answer(model=case.model, text=text, ending=case.ending, usage=Usage()), shown)
    assert (reply.end, reply.complaint == "") == (case.end, case.end in {ReplyEnd.PROGRAM, ReplyEnd.HUNKS}), reply
    expected: bytes | None = None
    if case.end in {ReplyEnd.PROGRAM, ReplyEnd.HUNKS}:
        expected = shown
        assert case.changed
        for change in case.changed:
            assert change.old.encode() in expected
            expected = expected.replace(change.old.encode(), change.new.encode())
    assert reply.text == expected
    assert [part for part in case.complaint if part not in reply.complaint] == [], reply.complaint
    assert case.rationale is None or reply.rationale == case.rationale


def test_there_are_enough_and_of_every_kind() -> None:
    cases = [_read(file)[0] for file in FILES]
    ends = Counter(case.end for case in cases)
    assert len(cases) >= 60
    assert set(ends) == set(ReplyEnd)
    assert len({case.model for case in cases}) >= 20
    assert all(case.complaint for case in cases if case.end not in {ReplyEnd.PROGRAM, ReplyEnd.HUNKS})
