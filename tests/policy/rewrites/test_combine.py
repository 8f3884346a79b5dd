from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.policy.rewrites.combine import Combination, apply, overlap
from maxcode_lsp.records import Hunk


def replaced(start: int, length: int, text: bytes) -> Hunk:
    return Hunk(start, start + length, text)


hunks = st.builds(replaced, st.integers(0, 30), st.integers(0, 6), st.binary(max_size=3))


def test_same_hunk_counts_once():
    combination = Combination()
    include = Hunk(3, 3, b"i")
    assert combination.add([include, Hunk(5, 6, b"a")])
    assert combination.add([include, Hunk(7, 8, b"b")])
    assert combination.hunks == (include, Hunk(5, 6, b"a"), Hunk(7, 8, b"b"))


def test_all_or_nothing():
    combination = Combination()
    assert combination.add([Hunk(5, 8, b"")])
    assert not combination.add([Hunk(1, 2, b"x"), Hunk(7, 9, b"")])
    assert combination.hunks == (Hunk(5, 8, b""),)


def test_insertions_at_one_place_keep_their_order():
    combination = Combination()
    assert combination.add([Hunk(2, 2, b"2")])
    assert combination.add([Hunk(2, 2, b"1")])
    assert apply(b"ab|", combination.hunks) == b"ab21|"


@given(st.lists(st.lists(hunks, max_size=3), max_size=8))
def test_what_was_taken_never_overlaps(groups: list[list[Hunk]]) -> None:
    combination = Combination()
    for group in groups:
        before = combination.hunks
        if not combination.add(group):
            assert combination.hunks == before
            everything = [*before, *group]
            assert any(overlap(a, b) for i, a in enumerate(everything) for b in everything[i + 1 :] if a != b)
    taken = combination.hunks
    assert not any(overlap(a, b) for i, a in enumerate(taken) for b in taken[i + 1 :])
    assert all(a.end <= b.start for a, b in pairwise(taken))
