from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.edits import apply, diff
from maxcode_lsp.text.rebase import closes, rebase, splice

OLD = b"a\nb\nc\nd\n"


def test_hunks_move_with_their_lines() -> None:
    new = b"x\ny\na\nb\nc\nd\n"
    moved = rebase([Hunk(4, 6, b"C\n")], OLD, new)
    assert moved is not None
    assert apply(new, moved) == b"x\ny\na\nb\nC\nd\n"


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
    moved = rebase(diff(old, new), old, other)
    if moved is not None:
        assert all(0 <= hunk.start <= hunk.end <= len(other) for hunk in moved)
        assert [other[h.start : h.end] for h in moved] == [old[h.start : h.end] for h in diff(old, new)]


def test_only_an_inserted_brace_closes_something() -> None:
    assert closes(Hunk(3, 3, b"}\n"))
    assert not closes(Hunk(0, 1, b"}"))
    assert not closes(Hunk(3, 3, b"x }"))
