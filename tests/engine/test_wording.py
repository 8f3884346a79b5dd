from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from maxcode_lsp.engine import wording
from maxcode_lsp.engine.board import Row
from maxcode_lsp.engine.events import Progress
from maxcode_lsp.messages import endings, phrases, preparing
from maxcode_lsp.records import Critique, Finding, Outcome, Span, Verdict
from maxcode_lsp.settings import RewriteSettings
from tests.cli.recorded import IMPROVED, NO_IMPROVEMENT


@pytest.mark.parametrize(
    ("speedup", "shown"), [(1.0, "1.00×"), (2.314, "2.31×"), (9.996, "10.0×"), (14.23, "14.2×"), (130.4, "130×")]
)
def test_speedups_have_three_figures(speedup: float, shown: str) -> None:
    assert phrases.times(speedup) == shown


def test_an_estimate_is_marked_as_one() -> None:
    assert wording.speedup_cell(1.9, (1.85, 1.95)) == "1.90× (1.85–1.95)"
    assert wording.speedup_cell(1.9, None) == "≈ 1.90×"
    assert wording.speedup_cell(None, None) == ""


def test_the_commit_line_is_one_plain_sentence() -> None:
    expected = "matmul: 2.31x faster (95% CI 2.24-2.39, n=24 pairs, g++ 12.2 -O3, Intel Core i7-8700)"
    assert wording.commit_line(IMPROVED) == expected
    assert wording.commit_line(IMPROVED).isascii()
    assert wording.commit_line(NO_IMPROVEMENT) == ""


def test_a_run_without_improvement_gives_its_reason_and_names_the_target_once() -> None:
    assert wording.verdict_line(NO_IMPROVEMENT).startswith("parse: No measurable difference.")
    refused = replace(NO_IMPROVEMENT, target="parse.cpp", reason="“parse” has no main function.")
    assert wording.verdict_line(refused) == "“parse” has no main function."


def test_progress_names_only_what_is_going_on() -> None:
    assert (
        wording.progress("matmul", 1.9, Progress("searching", 14, 64, building=2, measuring=1))
        == "matmul — best 1.9× · 14 of 64 · building 2, measuring 1"
    )
    assert wording.progress("matmul", None, Progress("preparing", 0, 64)) == "matmul — checking the original"
    assert wording.progress("matmul", None, None) == "matmul — starting"
    assert wording.standing(1.9, Progress("searching", 14, 64)) == "best 1.9× · 14 of 64"


def test_the_tally_adds_up_what_a_person_would() -> None:
    counts = {"compile_error": 2, "wrong_output": 10, "identical": 9, "no_difference": 20, "faster": 4}
    assert wording.tally(counts) == "12 not correct, 9 same machine code, 20 no difference, 4 faster"
    assert wording.tally({}) == ""


def test_every_end_of_a_candidate_has_words() -> None:
    for kind in (*Outcome, *Verdict):
        assert wording.fate(kind.value)


def test_what_was_measured_against_the_best_is_told_from_it() -> None:
    same = Row(1, "rule", Outcome.CORRECT, Verdict.NO_DIFFERENCE, 7.86, None, 1.0)
    assert wording.outcome(same) == "no better than the best"
    assert wording.outcome(replace(same, ci95=(0.99, 1.01))) == "no difference"
    assert wording.outcome(replace(same, verdict=Verdict.SLOWER)) == "slower"
    assert wording.outcome(replace(same, outcome=Outcome.TIMEOUT, verdict=None)) == "ran past its limit"


@pytest.mark.parametrize(
    ("reads", "fresh", "end"),
    [
        (True, True, "fresh measurements on inputs made for it."),
        (True, False, "fresh measurements on the given inputs."),
        (False, False, "fresh measurements; it reads no input."),
    ],
)
def test_what_confirmed_an_improvement(reads: bool, fresh: bool, end: str) -> None:
    assert endings.improved("x", 2.0, 1.9, 2.1, reads=reads, fresh_inputs=fresh).endswith(end)


def test_one_version_is_said_as_one() -> None:
    assert "1 version of “x” was tried; 1 was correct and" in endings.no_improvement("x", 1, 1, 1.05, None)
    assert preparing.no_generator_mutations(1).startswith("No generator: 1 further input was made")
    assert preparing.no_generator_mutations(2).startswith("No generator: 2 further inputs were made")
    assert "3 versions of “x” were tried; 0 were correct" in endings.no_improvement("x", 3, 0, 1.05, None)


def test_a_program_that_differs_by_itself_is_told_what_to_do() -> None:
    assert "print what differs to standard error" in preparing.original_not_deterministic("x", "line 1")


@given(st.binary(max_size=40))
def test_any_file_name_can_be_printed(name: bytes) -> None:
    shown = phrases.printable(Path(os.fsdecode(name.replace(b"\0", b"") or b"x")))
    shown.encode()
    assert all(ord(char) >= 32 and not 127 <= ord(char) < 160 for char in shown)


def test_a_held_back_input_reader_is_worth_a_sentence_only_where_it_could_help() -> None:
    reading = Finding("stream-input:3", "stream-input", Span(3, 3), "Reading takes 72 %.", "perf", 0.72)
    slow = replace(NO_IMPROVEMENT, critique=Critique((reading,)))
    assert 'rewrites.input = "fast"' in wording.advice(slow, RewriteSettings())
    assert wording.advice(slow, RewriteSettings(input="fast")) == ""
    assert wording.advice(NO_IMPROVEMENT, RewriteSettings()) == ""


@pytest.mark.parametrize("odd", ["\u202e", "\u2066", "\u200f", "\u2028", "\x1b", "\n"])
def test_a_name_cannot_turn_a_sentence_around(odd: str) -> None:
    assert phrases.printable(f"a{odd}b") == "a?b"
