from __future__ import annotations

from functools import reduce

from msgspec.structs import replace

from maxcode_lsp.engine.board import Board, advance, ended_early, fate
from maxcode_lsp.records import RunStatus
from tests.cli.recorded import EVENTS, IMPROVED
from tests.engine.journal.samples import REPLIED

BOARD = reduce(advance, EVENTS, Board(target="matmul.cpp"))


def test_the_board_follows_the_events() -> None:
    assert BOARD.target == "matmul"
    assert [row.number for row in BOARD.rows] == [1, 2, 3, 4, 5]
    assert BOARD.best is not None
    assert BOARD.best.number == 5
    assert BOARD.progress is not None
    assert BOARD.progress.done == 5
    assert BOARD.critique is not None
    assert BOARD.result is None


def test_the_result_is_kept() -> None:
    assert advance(BOARD, IMPROVED).result is IMPROVED


def test_a_row_has_an_interval_only_where_it_was_measured_against_the_original() -> None:
    assert BOARD.rows[1].ci95 == (1.85, 1.95)
    assert BOARD.rows[4].ci95 is None
    assert BOARD.rows[4].speedup == 2.31


def test_candidates_are_counted_by_their_end() -> None:
    assert BOARD.tally == {"identical": 1, "faster": 2, "no_difference": 1, "wrong_output": 1}
    assert [fate(row) for row in BOARD.rows] == ["identical", "faster", "no_difference", "wrong_output", "faster"]


def test_a_critique_of_a_candidate_does_not_replace_that_of_the_original() -> None:
    from maxcode_lsp.engine.events import Critiqued
    from maxcode_lsp.records import Critique

    after = advance(BOARD, Critiqued("c00000000005", Critique()))
    assert after.critique is BOARD.critique


def test_replies_are_counted_also_where_a_run_ends_early() -> None:
    after = reduce(advance, [REPLIED, replace(REPLIED, reply="no_code"), REPLIED], BOARD)
    assert after.replies == {"program": 2, "no_code": 1}
    assert ended_early(after, RunStatus.CANCELLED, "Stopped.", 1.0).replies == after.replies
