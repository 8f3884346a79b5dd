"""Prompts: all of the observation, what others wrote as data, never longer than the model's context."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from maxcode_lsp.policy.llm.directions import direction
from maxcode_lsp.policy.llm.prompt import Form, Prompt, Request, compose
from maxcode_lsp.policy.policy import Attempt, Observation
from maxcode_lsp.records import Critique, Finding, Outcome, Overhead, Span
from tests.policy.llm.observations import BEST, CURRENT, FINDINGS, INITIAL, observation, outside

SECRET = b"secret"


def count(text: str) -> int:
    return -(-len(text) // 3)


def asked(seen: Observation, *, most_tokens: int = 1 << 20, **more: object) -> Prompt | None:
    parts: dict[str, object] = {"observation": seen, "direction": "Try a hash table."} | more
    request = Request(**parts)  # pyright: ignore[reportArgumentType]: by name
    return compose(request, secret=SECRET, most_tokens=most_tokens, count=count)


def text_of(seen: Observation, **more: object) -> str:
    prompt = asked(seen, most_tokens=1 << 20, **more)
    assert prompt is not None
    return prompt.messages[1].text


def test_what_a_run_costs_is_shown_where_it_is_known() -> None:
    costs = Overhead(elapsed_ns=123_456_789, peak_bytes=34_500_000, memory_time_mbs=1.25)
    said = "What one run of it costs: 0.123 s, at most 34.5 MB of memory, 1.250 MB·s of memory over time."
    assert said in text_of(replace(observation(), overhead=costs))
    assert "What one run of it costs" not in text_of(observation())


def test_u_is_told_without_the_best_and_the_best_without_u() -> None:
    no_best = text_of(replace(observation(), best=b"", best_speedup=1.0))
    assert "Best discounted reward so far: 2.31." in no_best and "The fastest version" not in no_best
    no_u = text_of(replace(observation(), u=1.0))
    assert "Best discounted reward" not in no_u and "The fastest version so far is 2.31" in no_u


def test_it_shows_the_whole_observation() -> None:
    text = text_of(observation(), compiler="g++ 12.2", complaint="Hunk 2 fits nowhere.")
    for part in (
        CURRENT.decode(),
        "g++ 12.2 -O3 -std=c++20",
        "lines 4 to 6: std::map “seen” is filled. [perf, 812 samples: 61 %]",
        "line 6, 60 % of the run: while (std::cin >> x) seen[x]++;",
        "It is 1.50 times as fast as the initial program.",
        "+    for (auto& [key, n] : seen) std::cout << key << ' ' << n << '\\n';",
        "The fastest version so far is 2.31 times as fast as the initial program. Yours must be faster.",
        "Best discounted reward so far: 2.31.",
        "+    std::ios::sync_with_stdio(false);",
        "1. Uses a hash table.\nResult: does not compile\nerror: ‘unordered_map’ is not a member of ‘std’\n--- a/a.cpp",
        "2. Sorts at the end.\nResult: correct, slower; 0.81 times as fast as the initial program\nCorrect; 0.81×.",
        "Your last reply could not be used. Why:",
        "Hunk 2 fits nowhere.",
        "Idea to try this time: Try a hash table.",
        "in one ```cpp block",
    ):
        assert part in text


def test_at_the_start_it_is_short() -> None:
    text = text_of(Observation(INITIAL, (), Critique(), original=INITIAL, best=INITIAL))
    lines = outside(text).splitlines()
    assert lines[:3] == ["The program:", "<data>", ""]
    assert lines[3].startswith("Idea to try this time: Try a hash table. If it does not apply, ")
    assert lines[5].startswith("Write the whole new program in one ```cpp block")
    assert len(lines) == 6


def test_the_best_version_needs_no_difference_to_itself() -> None:
    text = text_of(observation(BEST, speedup=2.31))
    assert "The fastest version so far is this one" in text
    assert "How the fastest version differs" not in text


def test_long_programs_are_answered_in_hunks() -> None:
    text = text_of(observation(), form=Form.HUNKS)
    assert "<<<<<<< SEARCH\n" in text
    assert "whole new program" not in text


@pytest.mark.parametrize(
    ("flags", "standard"),
    [((), "C++17"), (("-std=gnu++2a",), "C++20"), (("-std=c++11", "-std=c++14"), "C++14"), (("-std=x y",), "C++17")],
)
def test_the_standard_is_that_of_the_flags(flags: tuple[str, ...], standard: str) -> None:
    prompt = asked(replace(observation(), flags=flags))
    assert prompt is not None
    assert f" in {standard} with only the standard library" in prompt.messages[0].text


def test_threads_only_where_the_build_has_them() -> None:
    without, threaded = asked(observation()), asked(replace(observation(), flags=("-fopenmp",)))
    assert without is not None
    assert threaded is not None
    assert "- No threads, files, network" in without.messages[0].text
    assert "- Threads only as the build flags allow them. No files, network" in threaded.messages[0].text


def test_templates_in_the_code_are_text() -> None:
    code = INITIAL + b"// {{ 7 * 7 }} {% include 'system.j2' %} {# gone #}\n"
    text = text_of(Observation(code, (), Critique()))
    assert code.decode() in text


def test_line_numbers_hold_where_the_program_begins_with_blank_lines() -> None:
    prompt = asked(Observation(b"\n\n" + INITIAL, (), Critique()))
    assert prompt is not None
    assert f"{prompt.marker.begin}\n\n\n#include" in prompt.messages[1].text


def test_questions_about_one_program_begin_alike() -> None:
    """A server keeps what it has read already."""
    first, second = text_of(observation(attempts=())), text_of(observation(), complaint="No code.")
    shared = first.index("What was changed since")
    assert first[:shared] == second[:shared]


def test_what_is_no_unicode_can_be_sent() -> None:
    prompt = asked(replace(observation(b"// \xff\xfe\n"), flags=("-DNAME=\udcff",)), complaint="\ud800")
    assert prompt is not None
    assert prompt.messages[1].text.encode()
    assert len(prompt.sha256) == 64


ODD = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\n\r\0`<>/|{}%\u202e\u2066"), max_size=60)
TRIED = st.builds(
    Attempt,
    actions=st.just(("llm",)),
    rationale=ODD,
    diff=ODD,
    outcome=st.sampled_from(Outcome),
    verdict=st.none(),
    speedup=st.none() | st.floats(0.1, 10),
    feedback=ODD,
)
FOUND = st.builds(
    Finding,
    id=ODD,
    kind=ODD | st.sampled_from([finding.kind for finding in FINDINGS]),
    span=st.builds(Span, st.integers(1, 99), st.integers(1, 99)),
    message=ODD,
    evidence=ODD,
    share=st.none() | st.floats(0, 1),
)
SEEN = st.builds(
    Observation,
    text=ODD.map(str.encode),
    flags=st.lists(ODD).map(lambda odd: ("-O2", *odd)),
    critique=st.builds(
        Critique, st.lists(FOUND, max_size=5).map(tuple), st.dictionaries(st.integers(0, 9), st.floats(0, 1))
    ),
    original=ODD.map(str.encode),
    best=ODD.map(str.encode),
    speedup=st.floats(0.5, 3),
    best_speedup=st.floats(0.5, 3),
    u=st.floats(0.5, 3),
    attempts=st.lists(TRIED, max_size=5).map(tuple),
)


@settings(max_examples=60)
@given(seen=SEEN, complaint=ODD, number=st.integers(0, 30), room=st.integers(0, 3000), more=st.integers(0, 500))
def test_it_is_never_too_long_and_the_program_is_whole(
    seen: Observation, complaint: str, number: int, room: int, more: int
) -> None:
    def made(most_tokens: int) -> Prompt | None:
        idea = direction(seen.critique, number).text
        return asked(seen, most_tokens=most_tokens, complaint=complaint, direction=idea)

    prompt, larger = made(room), made(room + more)
    if prompt is None:
        least = asked(replace(seen, attempts=(), critique=Critique(), original=b"", best=b""), direction="Try.")
        assert least is not None
        assert room < least.tokens + 400, "only where the program alone does not fit"
        return
    assert sum(count(message.text) for message in prompt.messages) < prompt.tokens <= room
    program = prompt.marker.around(seen.text.decode())
    assert f"The program:\n{program}\n" in prompt.messages[1].text
    assert larger is not None
    assert larger.tokens >= prompt.tokens
    assert made(room) == prompt, "the same observation gives the same prompt"


@settings(max_examples=60)
@given(SEEN, ODD, st.integers(0, 30))
def test_whatever_others_wrote_is_data(seen: Observation, complaint: str, number: int) -> None:
    """What is outside of the data is made of our words and of numbers alone: it is the same for other texts."""

    def words(of: Observation, why: str) -> list[str]:
        prompt = asked(of, complaint=why, direction=direction(of.critique, number).text)
        assert prompt is not None
        return [outside(message).replace(prompt.marker.token, "") for message in prompt.messages]

    def plain(text: str) -> str:
        return "x" if text else ""

    findings = tuple(replace(f, id="x", message="x", evidence="x") for f in seen.critique.findings)
    tame = replace(
        seen,
        flags=("-O2",),
        critique=replace(seen.critique, findings=findings),
        attempts=tuple(replace(a, rationale="x", diff="x", feedback="x") for a in seen.attempts),
    )
    assert words(seen, complaint) == words(tame, plain(complaint))
