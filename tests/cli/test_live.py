from __future__ import annotations

import io
from functools import reduce

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from maxcode_lsp.cli.live import Show, line, view
from maxcode_lsp.engine.board import Board, advance
from maxcode_lsp.engine.events import Prepared
from maxcode_lsp.records import Outcome
from tests.cli.drawing import drawn
from tests.cli.recorded import EVENTS, evaluated
from tests.engine.journal.samples import REPLIED

BOARD = reduce(advance, EVENTS, Board(target="matmul.cpp"))


def test_progress_comes_first_and_the_best_is_pinned_below_it() -> None:
    lines = drawn(view(BOARD, 100, 40))
    assert "matmul — best 2.3× · 5 of 64 · building 2, measuring 1" in lines[0]
    assert "candidate" in lines[1]
    assert "speedup in search" in lines[1]
    assert "best" in lines[2]
    assert "loop-order + restrict" in lines[2]
    assert "≈ 2.31×" in lines[2]
    assert sum("loop-order + restrict" in text for text in lines) == 1


def test_the_newest_candidate_comes_next() -> None:
    lines = drawn(view(BOARD, 100, 40))
    assert [text.split()[0] for text in lines[3:]] == ["4", "3", "2", "1"]
    assert "wrong output" in lines[3]
    assert "1.90× (1.85–1.95)" in lines[5]
    assert "same machine code" in lines[6]


@pytest.mark.parametrize("width", [60, 76, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    long = advance(BOARD, evaluated(6, ("a-rule-with-a-very-long-name",) * 5, Outcome.COMPILE_ERROR))
    lines = drawn(view(long, width, 40), width)
    assert all(cell_len(text.rstrip()) <= width for text in lines)
    assert len(lines) == 8
    assert any("does not compile" in text for text in lines)
    assert any("2.31×" in text for text in lines)


def test_a_small_window_shows_the_newest() -> None:
    lines = drawn(view(BOARD, 100, 8))
    assert len(lines) <= 8
    assert any("best" in text for text in lines)
    assert any("wrong output" in text for text in lines)
    assert not any("same machine code" in text for text in lines)


def test_code_is_not_read_as_markup() -> None:
    tricky = advance(BOARD, evaluated(6, ("[red]x[/]", ":smile:", "\x1b[2J"), Outcome.REJECTED))
    text = "\n".join(drawn(view(tricky, 100, 40)))
    assert "[red]x[/] + :smile: + ?[2J" in text


def test_before_the_first_candidate_the_findings_are_shown() -> None:
    board = reduce(advance, EVENTS[:4], Board(target="matmul.cpp"))
    text = "\n".join(drawn(view(board, 100, 40)))
    assert "0 of 64" in text
    assert "Inner loop strides by 8 kB" in text


def test_stopping_is_said() -> None:
    assert "Stopping" in drawn(view(BOARD, 100, 40, stopping=True))[0]


def shown(width: int = 100, *, terminal: bool) -> str:
    """What is written while all events come in."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=terminal, markup=False, highlight=False)
    show = Show("matmul.cpp")
    with show.live(console):
        for event in EVENTS:
            show.on_event(event)
    assert show.board == BOARD
    return out.getvalue()


def test_one_candidate_is_said_as_one() -> None:
    prepared = next(event for event in EVENTS if isinstance(event, Prepared))
    said = line(Board(target="x"), replace(prepared, budget=1))
    assert said is not None and "1 candidate or 60 s" in said


def test_without_a_terminal_there_are_plain_lines() -> None:
    text = shown(60, terminal=False)
    assert "\x1b" not in text
    assert text.splitlines() == [
        "matmul: one run takes 184 ms, 64 candidates or 60 s",
        "2 inputs from files.",
        "1 finding",
        "#1  stream-sync  same machine code",
        "#2  loop-order  faster  1.90× (1.85–1.95)  (best so far)",
        "#3  restrict  no difference  1.00× (0.99–1.01)",
        "#4  memoise  wrong output",
        "#5  loop-order + restrict  faster  ≈ 2.31×  (best so far)",
    ]


def test_on_a_terminal_the_view_moves_and_leaves_nothing_behind() -> None:
    text = shown(terminal=True)
    assert "5 of 64" in text
    assert text.endswith("\x1b[2K")


def test_quiet_says_nothing_without_a_terminal() -> None:
    out = io.StringIO()
    show = Show("matmul.cpp")
    with show.live(Console(file=out, force_terminal=False), quiet=True):
        for event in EVENTS:
            show.on_event(event)
    assert out.getvalue() == ""


def test_a_phase_is_told_once() -> None:
    from maxcode_lsp.engine.events import Progress

    board = BOARD
    told: list[str | None] = []
    for done in range(3):
        event = Progress("confirming", done, 64)
        told.append(line(board, event))
        board = advance(board, event)
    assert told == ["matmul — best 2.3× · confirming the best", None, None]


def test_what_a_model_answered_is_a_line() -> None:
    board = Board(target="matmul")
    assert line(board, REPLIED) == "openai/m answered after 2 s: a version to try"
    assert line(board, replace(REPLIED, reply="unchanged", cached=True)) == (
        "openai/m answered from before: changed nothing"
    )
    assert line(board, replace(REPLIED, asked_by="critic", reply="findings")) is None
