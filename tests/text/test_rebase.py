from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.edits import apply, diff
from maxcode_lsp.text.rebase import closes, moved, rebase, splice

OLD = b"a\nb\nc\nd\n"


def test_hunks_move_with_their_lines() -> None:
    new = b"x\ny\na\nb\nc\nd\n"
    hunks = rebase([Hunk(4, 6, b"C\n")], OLD, new)
    assert hunks is not None
    assert apply(new, hunks) == b"x\ny\na\nb\nC\nd\n"


def test_hunks_in_what_differs_cannot_move() -> None:
    assert rebase([Hunk(2, 4, b"B\n")], OLD, b"a\nother\nc\nd\n") is None
    assert rebase([Hunk(3, 3, b"B\n")], OLD, b"a\nother\nc\nd\n") is None
    assert rebase([Hunk(0, 8, b"")], OLD, b"a\nother\nc\nd\n") is None


def test_insertions_at_one_place_follow_each_other() -> None:
    assert splice(b"ab", [Hunk(1, 1, b"1"), Hunk(1, 1, b"2"), Hunk(0, 1, b"A")]) == b"A12b"


lines = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n"]), max_size=12).map(b"".join)


@given(lines, lines)
def test_onto_the_same_text_nothing_moves(old: bytes, new: bytes) -> None:
    hunks = diff(old, new)
    assert rebase(hunks, old, old) == hunks


@given(lines, lines, lines)
def test_moved_hunks_stay_in_the_text(old: bytes, new: bytes, other: bytes) -> None:
    hunks = rebase(diff(old, new), old, other)
    if hunks is not None:
        assert all(0 <= hunk.start <= hunk.end <= len(other) for hunk in hunks)
        assert [other[h.start : h.end] for h in hunks] == [old[h.start : h.end] for h in diff(old, new)]


def test_only_an_inserted_brace_closes_something() -> None:
    assert closes(Hunk(3, 3, b"}\n"))
    assert not closes(Hunk(0, 1, b"}"))
    assert not closes(Hunk(3, 3, b"x }"))


def test_stretches_move_with_their_lines_and_are_lost_with_them() -> None:
    assert moved([(0, 1), (2, 3), (2, 7), (4, 7)], OLD, b"x\na\nb\nother\nd\n") == [(2, 3), (4, 5), None, None]


@given(lines, lines, st.integers(0, 24), st.integers(0, 24))
def test_a_stretch_that_moved_has_its_text(old: bytes, new: bytes, one: int, other: int) -> None:
    start, end = sorted((min(one, len(old)), min(other, len(old))))
    (found,) = moved([(start, end)], old, new)
    if found is not None:
        assert new[found[0] : found[1]] == old[start:end]
