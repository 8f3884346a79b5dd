from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from maxcode_lsp.cli import texts
from maxcode_lsp.engine.events import Progress
from maxcode_lsp.records import Outcome, Verdict
from tests.cli.recorded import IMPROVED, NO_IMPROVEMENT


@pytest.mark.parametrize(
    ("speedup", "shown"), [(1.0, "1.00×"), (2.314, "2.31×"), (9.996, "10.0×"), (14.23, "14.2×"), (130.4, "130×")]
)
def test_speedups_have_three_figures(speedup: float, shown: str) -> None:
    assert texts.times(speedup) == shown


def test_an_estimate_is_marked_as_one() -> None:
    assert texts.speedup_cell(1.9, (1.85, 1.95)) == "1.90× (1.85–1.95)"
    assert texts.speedup_cell(1.9, None) == "≈ 1.90×"
    assert texts.speedup_cell(None, None) == ""


def test_the_commit_line_is_one_plain_sentence() -> None:
    expected = "matmul: 2.31x faster (95% CI 2.24-2.39, n=24 pairs, g++ 12.2 -O3, Intel Core i7-8700)"
    assert texts.commit_line(IMPROVED) == expected
    assert texts.commit_line(IMPROVED).isascii()
    assert texts.commit_line(NO_IMPROVEMENT) == ""


def test_a_run_without_improvement_gives_its_reason_and_names_the_target_once() -> None:
    assert texts.verdict_line(NO_IMPROVEMENT).startswith("parse: No measurable difference.")
    refused = replace(NO_IMPROVEMENT, target="parse.cpp", reason="“parse” has no main function.")
    assert texts.verdict_line(refused) == "“parse” has no main function."


def test_progress_names_only_what_is_going_on() -> None:
    assert (
        texts.progress("matmul", 1.9, Progress("searching", 14, 64, building=2, measuring=1))
        == "matmul — best 1.9× · 14 of 64 · building 2, measuring 1"
    )
    assert texts.progress("matmul", None, Progress("preparing", 0, 64)) == "matmul — checking the original"
    assert texts.progress("matmul", None, None) == "matmul — starting"


def test_the_tally_adds_up_what_a_person_would() -> None:
    counts = {"compile_error": 2, "wrong_output": 10, "identical": 9, "no_difference": 20, "faster": 4}
    assert texts.tally(counts) == "12 not correct, 9 same machine code, 20 no difference, 4 faster"
    assert texts.tally({}) == ""


def test_every_end_of_a_candidate_has_words() -> None:
    for kind in (*Outcome, *Verdict):
        assert texts.fate(kind.value)


@given(st.binary(max_size=40))
def test_any_file_name_can_be_printed(name: bytes) -> None:
    shown = texts.printable(Path(os.fsdecode(name.replace(b"\0", b"") or b"x")))
    shown.encode()
    assert all(ord(char) >= 32 and not 127 <= ord(char) < 160 for char in shown)
