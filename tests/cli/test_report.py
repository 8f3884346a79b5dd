from __future__ import annotations

import difflib
import io
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console

from maxcode_lsp.cli.report import announced, conclusion, diff_lines, diff_view, print_report, report
from maxcode_lsp.engine.board import Board, advance
from maxcode_lsp.engine.events import HunkReport, RunResult
from maxcode_lsp.records import Critique, Finding, Hunk, RunStatus, Span
from maxcode_lsp.settings import RewriteSettings
from tests.cli.drawing import drawn
from tests.cli.recorded import DIFF, EVENTS, IMPROVED, NO_IMPROVEMENT

BOARD = reduce(advance, EVENTS, Board(target="matmul.cpp"))


def test_each_hunk_says_above_its_lines_what_it_is_worth_and_why() -> None:
    assert drawn(diff_view(IMPROVED), 80) == [
        "         @@ -1,4 +1,5 @@",
        "       1  #include <iostream>",
        "         std::vector needs its header.  restrict",
        "         +#include <vector>",
        "       2",
        "       3  using namespace std;",
        "       4",
        "         @@ -5,5 +6,5 @@",
        "       5  int main() {",
        " 2.12×   Swapping j and k makes the reads contiguous.  loop-order",
        "       6 -    for (int j = 0; j < n; ++j)",
        "       7 -        for (int k = 0; k < n; ++k)",
        "         +    for (int k = 0; k < n; ++k)",
        "         +        for (int j = 0; j < n; ++j)",
        "       8              work(j, k);",
        "       9  }",
    ]


def test_what_a_part_is_worth_is_said_once() -> None:
    diff = "".join(f"@@ -{line} +{line} @@\n-old\n+new\n" for line in (1, 11, 21, 31, 41, 51))
    swap, hoist = (("swap",), "Swapped."), (("hoist",), "Hoisted.")
    both = (("swap", "hoist"), "Swapped. Hoisted.")
    given = [
        (1, swap, 1.62),
        (11, hoist, None),
        (21, swap, 1.62),
        (31, both, 1.62),
        (41, hoist, None),
        (51, hoist, 1.2),
    ]
    hunks = tuple(HunkReport(Hunk(line, line, b""), line, *part, worth) for line, part, worth in given)
    shown = drawn(diff_view(replace(IMPROVED, diff=diff, hunks=hunks)))
    assert [line.strip().replace("×    ", "×   ") for line in shown if line.endswith(("swap", "hoist"))] == [
        "1.62×   Swapped.  swap",
        "Hoisted.  hoist",
        "Part of the 1.62× above.  swap",
        "Swapped. Hoisted. Part of the 1.62× above.  swap, hoist",
        "Part of the same change as above.  hoist",
        "1.20×   Hoisted.  hoist",
    ]


def test_a_hunk_that_the_diff_shows_elsewhere_goes_to_the_nearest_change() -> None:
    lines = list(diff_lines(DIFF))
    hunks = [HunkReport(Hunk(at, at, b""), line, ("rule",), "why", 1.1) for at, line in ((0, 1), (50, 8), (60, 9))]
    above = announced(lines, hunks)
    assert {lines[index].text: [hunk.first_line for hunk in found] for index, found in above.items()} == {
        "+#include <vector>": [1],
        "-    for (int j = 0; j < n; ++j)": [8, 9],
    }


@given(
    st.lists(st.sampled_from(["a\n", "b\n", "--x\n", "++y\n", "@@\n"])),
    st.lists(st.sampled_from(["a\n", "--x\n", "c\n"])),
)
def test_every_changed_line_of_a_diff_is_shown_with_its_number(old: list[str], new: list[str]) -> None:
    lines = list(diff_lines("".join(difflib.unified_diff(old, new, "a.cpp", "a.cpp"))))
    gone = [(line.old, line.text[1:]) for line in lines if line.text.startswith("-")]
    assert all(old[number - 1].rstrip("\n") == text for number, text in gone)
    assert len(gone) - sum(line.text.startswith("+") for line in lines) == len(old) - len(new)
    put_in = [line.old for line in lines if line.text.startswith("+")]
    assert all(1 <= number <= len(old) + 1 for number in put_in)


@pytest.mark.parametrize("width", [60, 100])
def test_the_report_says_what_was_tried_found_and_changed(width: int) -> None:
    text = "\n".join(drawn(report(BOARD, IMPROVED, width), width))
    assert "Tried 5: 1 not correct, 1 same machine code, 1 no difference, 2 faster." in text.replace("\n", " ")
    assert "line 6" in text
    assert "Inner loop strides by 8 kB" in text
    assert all(len(line) <= width for line in text.splitlines())


def test_without_an_improvement_there_is_a_reason_and_no_diff() -> None:
    assert drawn(report(Board(target="parse"), NO_IMPROVEMENT, 100)) == []
    text = conclusion(NO_IMPROVEMENT).plain
    assert text == "parse: No measurable difference. 1 version was tried and it has the same machine code."


READING = Finding("stream-input:3", "stream-input", Span(3, 3), "Reading takes long.", "perf: 72 %", 0.72)


def advised(result: RunResult, **rewrites: Any) -> bool:
    out = io.StringIO()
    print_report(Console(file=out, width=60, markup=False), Board("x"), result, RewriteSettings(**rewrites))
    return 'Allow it with rewrites.input = "fast"' in out.getvalue()


def test_a_faster_reader_is_offered_only_where_it_was_held_back_and_could_help() -> None:
    slow = replace(NO_IMPROVEMENT, critique=Critique((READING,)))
    assert advised(slow)
    assert not advised(slow, input="fast")
    assert not advised(replace(IMPROVED, critique=slow.critique))
    assert not advised(replace(slow, status=RunStatus.REFUSED))
    assert not advised(NO_IMPROVEMENT)
    for other in (replace(READING, share=0.24), replace(READING, share=None), replace(READING, kind="stream-output")):
        assert not advised(replace(slow, critique=Critique((other,))))


NOTE = "Worth: how much slower the result is without that part alone"


@pytest.mark.parametrize(
    ("worths", "noted"), [((2.3,), False), ((2.3, None), False), ((), False), ((4.78,), True), ((1.5, 1.6), True)]
)
def test_worths_that_are_no_factors_of_the_result_are_explained(worths: tuple[float | None, ...], noted: bool) -> None:
    hunks = tuple(HunkReport(Hunk(at, at, b""), at + 1, ("rule",), "why", worth) for at, worth in enumerate(worths))
    text = "\n".join(drawn(report(BOARD, replace(IMPROVED, hunks=hunks), 120), 120))
    assert (NOTE in text) == noted


def test_wide_line_ends_are_not_shown() -> None:
    wide = replace(IMPROVED, diff=IMPROVED.diff.replace("\n", "\r\n"))
    assert [line.rstrip() for line in drawn(diff_view(wide))] == [line.rstrip() for line in drawn(diff_view(IMPROVED))]


def test_the_commit_line_is_printed_unwrapped() -> None:
    out = io.StringIO()
    print_report(Console(file=out, width=60, markup=False), BOARD, IMPROVED, RewriteSettings())
    assert "matmul: 2.31x faster (95% CI 2.24-2.39, n=24 pairs, g++ 12.2 -O3, Intel Core i7-8700)" in (
        out.getvalue().splitlines()
    )
    assert "Proof: maxcode verify proofs/matmul-1" in out.getvalue()


def test_control_codes_in_code_reach_no_terminal() -> None:
    odd = replace(IMPROVED, diff="@@ -1 +1 @@\n-\x1b[31mold\n+[bold]new\x07\n", hunks=())
    text = "\n".join(drawn(diff_view(odd)))
    assert "-?[31mold" in text
    assert "+[bold]new?" in text
    assert "\x1b" not in text
