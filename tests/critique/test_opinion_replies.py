"""What a reply with an opinion is worth: read, checked against the evidence and the code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from maxcode_lsp.critique.opinion import (
    EXAMPLE,
    LONGEST_MESSAGE,
    MOST_FINDINGS,
    MOST_LINES,
    Opinion,
    OpinionEnd,
    evidence_of,
    read_opinion,
)
from maxcode_lsp.messages.phrases import printable
from maxcode_lsp.model.model import Ending
from maxcode_lsp.records import Critique, Finding, Span
from tests.critique.opinions import GOOD, KNOWN, LINES, MARK, PROGRAM, WHY, answer, findings


def read(text: str, ending: Ending = Ending.STOP, known: Critique = KNOWN) -> Opinion:
    return read_opinion(answer(text, ending), "0" * 64, PROGRAM, known, MARK)


def test_lines_that_cost_next_to_nothing_are_no_evidence() -> None:
    assert [(item.id, item.first, item.source) for item in evidence_of(KNOWN)] == [
        ("E1", 13, "source"),
        ("E2", 6, "share of time: line 6"),
        ("E3", 13, "share of time: line 13"),
    ]


def test_an_earlier_opinion_is_no_evidence() -> None:
    mine = Finding("model-opinion:1", "model-opinion", Span(1, 1), "I think so.", "me")
    assert evidence_of(replace(KNOWN, findings=(mine, *KNOWN.findings))) == evidence_of(KNOWN)
    assert evidence_of(Critique(findings=(mine,))) == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"evidence": []},
        {"evidence": ["E9"]},
        {"evidence": ["e1", "the profile", ""]},
        {"evidence": "E1"},
        {"evidence": None},
        {"first": 0},
        {"first": -3},
        {"first": 8, "last": 4},
        {"last": LINES + 1},
        {"first": LINES + 1, "last": LINES + 1},
        {"first": 10**30, "last": 10**30},
        {"first": 1.5},
        {"first": True},
        {"first": "four"},
        {"first": None},
        {"message": EXAMPLE},
        {"message": "The vector  is searched 1000 times"},
        {"message": "The vector is searched 1000 times. (source)"},
        {"message": "70 % of the run is spent on this line (share of time)"},
        {"message": f"{EXAMPLE.capitalize()}."},
        {"message": ""},
        {"message": " \n\t "},
        {"message": 7},
        {"message": ["a", "b"]},
    ],
    ids=str,
)
def test_a_finding_that_does_not_hold_is_dropped_alone(wrong: dict[str, Any]) -> None:
    found = read(findings({**GOOD, **wrong}, GOOD))
    assert (found.end, found.dropped) == (OpinionEnd.FINDINGS, 1)
    assert [(one.span, one.message) for one in found.findings] == [(Span(4, 8), WHY)]
    assert read(findings({**GOOD, **wrong})).end is OpinionEnd.NOTHING


@pytest.mark.parametrize("missing", list(GOOD))
def test_nothing_in_a_finding_is_optional(missing: str) -> None:
    part = {name: value for name, value in GOOD.items() if name != missing}
    assert read(findings(part)).dropped == 1


def test_ids_that_are_known_are_enough() -> None:
    found = read(findings({**GOOD, "evidence": ["E7", "E2", "E2"]}))
    assert found.findings[0].evidence.count("share of time: line 6") == 1


def test_numbers_in_quotes_are_numbers() -> None:
    assert read(findings({**GOOD, "first": "4", "last": "8"})).findings[0].span == Span(4, 8)


@pytest.mark.parametrize(("lines", "dropped"), [(MOST_LINES, 0), (MOST_LINES + 1, 1)])
def test_a_finding_about_everything_is_none(lines: int, dropped: int) -> None:
    text = b"int x;\n" * (MOST_LINES + 20)
    found = read_opinion(answer(findings({**GOOD, "first": 1, "last": lines})), "", text, KNOWN, MARK)
    assert found.dropped == dropped


def test_more_than_was_asked_for_is_left_out() -> None:
    found = read(findings(*([GOOD] * (MOST_FINDINGS + 3))))
    assert (len(found.findings), found.dropped) == (MOST_FINDINGS, 3)


def test_the_last_line_counts_also_without_its_end() -> None:
    last = {**GOOD, "first": LINES, "last": LINES}
    for text in (PROGRAM, PROGRAM.rstrip(b"\n")):
        assert read_opinion(answer(findings(last)), "", text, KNOWN, MARK).end is OpinionEnd.FINDINGS


def test_the_share_is_that_of_the_lines_as_measured() -> None:
    whole = {**GOOD, "first": 1, "last": LINES}
    assert read(findings(whole)).findings[0].share == pytest.approx(0.904)
    over = replace(KNOWN, hot_lines={6: 0.8, 13: 0.7})
    assert read(findings(whole), known=over).findings[0].share == 1.0
    assert read(findings({**GOOD, "first": 1, "last": 2})).findings[0].share == 0
    assert read(findings(GOOD | {"evidence": ["E1"]}), known=replace(KNOWN, hot_lines={})).findings[0].share is None


@pytest.mark.parametrize(
    "text",
    [
        findings(GOOD),
        f"\n  {findings(GOOD)}  \n",
        f"```json\n{findings(GOOD)}\n```",
        f"Here is my analysis:\n\n```\n{findings(GOOD)}\n```\nI hope that helps!",
        f"````json\n{findings(GOOD)}\n````",
        f"```cpp\nint main() {{}}\n```\n\n```json\n{json.dumps({'findings': [GOOD]}, indent=2)}\n```",
        f"The findings are {findings(GOOD)} as you see.",
        f"{MARK.begin}\n{findings(GOOD)}\n{MARK.end}",
        f"1. So:\n\n   ~~~json\n   {findings(GOOD)}\n   ~~~\n",
        findings(GOOD)[:-1] + ', "confidence": 0.9}',
        f"\ufeff{findings(GOOD)}",
    ],
)
def test_where_the_list_may_be(text: str) -> None:
    assert [one.span for one in read(text).findings] == [Span(4, 8)]


@pytest.mark.parametrize(
    "text",
    [
        "The loop in line 6 is slow.",
        findings(GOOD)[:-2],
        findings(GOOD).replace(",", ""),
        json.dumps([GOOD]),
        json.dumps({"results": [GOOD]}),
        json.dumps({"findings": GOOD}),
        '{"findings": null}',
        '{"findings": [' + "[" * 20_000 + "]" * 20_000 + "]}",
        "{" * 50_000,
        "`" * 50_000 + "{}",
        "- " * 30_000,
        "}{",
        "null",
        "\ud800",
    ],
    ids=range(14),
)
def test_what_is_no_list(text: str) -> None:
    assert read(text).end is OpinionEnd.MALFORMED


def test_something_deep_in_a_finding_costs_that_one_only() -> None:
    deep = "[" * 20_000 + "]" * 20_000
    assert read('{"findings": [' + json.dumps(GOOD) + ', {"first": ' + deep + "}]}").end in {
        OpinionEnd.FINDINGS,
        OpinionEnd.MALFORMED,
    }


@pytest.mark.parametrize("ending", [end for end in Ending if end is not Ending.STOP])
def test_only_a_whole_answer_is_read(ending: Ending) -> None:
    found = read(findings(GOOD), ending)
    assert (found.end, found.findings) == (OpinionEnd.FAILED, ())


def test_an_empty_list_says_nothing() -> None:
    assert read(findings()) == Opinion(answer(findings()), "0" * 64, OpinionEnd.NOTHING)


@given(st.text(), st.booleans())
def test_any_text_is_read(text: str, wrapped: bool) -> None:
    found = read(findings({**GOOD, "message": text}) if wrapped else text)
    if wrapped and text.strip():
        [one] = found.findings
        assert one.message == printable(one.message)
        assert len(one.message) <= LONGEST_MESSAGE
        assert "\n" not in one.message
    else:
        assert found.findings == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(GOOD, json_values)), max_size=4))
def test_any_findings_are_read(some: list[dict[str, Any]]) -> None:
    found = read(findings(*some))
    assert len(found.findings) + found.dropped == len(some)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Run [this](command:terminal.new) now", "Run [this] (command:terminal.new) now"),
        ("See [it](https://evil.example/?leak)", "See [it] (https://evil.example/?leak)"),
        ("line one\nline two\r\n\tline three", "line one line two line three"),
        ("\x1b[31mred\x1b[0m\x07", "?[31mred?[0m?"),
        ("a\u202eb\u2066c\u200f", "a?b?c?"),
        ("x" * 1000, "x" * (LONGEST_MESSAGE - 1) + "…"),
    ],
    ids=["command", "link", "lines", "terminal", "order", "long"],
)  # fmt: skip
def test_what_a_message_may_not_do(message: str, shown: str) -> None:
    assert read(findings({**GOOD, "message": message})).findings[0].message == shown


def test_a_message_does_not_tell_a_key() -> None:
    key = "sk-opinion-planted-0123456789abcdef"
    shown = read(findings({**GOOD, "message": f"The key is {key}."})).findings[0].message
    assert key not in shown
