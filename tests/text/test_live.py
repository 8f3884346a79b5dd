from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.text import edits
from maxcode_lsp.text.live import LiveText
from maxcode_lsp.text.positions import Encoding, Position, Positions, encoded
from maxcode_lsp.text.source import normalise

PIECES = st.sampled_from(["a", "int x;", "é", "😀", "\ufeff", "\f", "\x85", "\u2028", "\r\n", "\r", "\n", "\ud83d"])
TEXTS = st.lists(PIECES, max_size=10).map("".join)
PLACES = st.builds(Position, st.integers(-1, 8), st.integers(-1, 12))
CHANGES = st.lists(st.tuples(PLACES, PLACES, TEXTS, st.booleans()), max_size=8)


@settings(deadline=None, max_examples=400)
@given(TEXTS, st.sampled_from(Encoding), CHANGES)
def test_any_changes_give_the_text_of_the_model(
    text: str, encoding: Encoding, changes: list[tuple[Position, Position, str, bool]]
) -> None:
    live, text = LiveText(text, encoding), encoded(text).decode()
    for start, end, new, asked in changes:
        model = Positions(text, encoding)
        first, last = sorted((model.index(start), model.index(end)))
        before = normalise(live.raw)
        hunk = live.replace(start, end, new)
        text = text[:first] + encoded(new).decode() + text[last:]
        assert live.raw.decode() == text
        assert live.size == len(live.raw)
        assert edits.apply(before, [hunk]) == normalise(live.raw)
        if asked:  # what is known of the lines before an edit is kept, so ask now and then
            assert live.position(len(live.raw) // 2) == Positions(text, encoding).position(len(live.raw) // 2)
    fresh = Positions(text, encoding)
    for at in range(len(encoded(text)) + 2):
        assert live.position(at) == fresh.position(at)
    for start, end, _, _ in changes:
        assert live.offset(start) == fresh.offset(start)
        assert live.index(end) == fresh.index(end)


@settings(deadline=None)
@given(st.text("ab\n", max_size=12), st.tuples(PLACES, PLACES), st.text("ab\n", max_size=3))
def test_the_hunk_is_the_edit_itself(text: str, places: tuple[Position, Position], new: str) -> None:
    """Not one that gives the same text elsewhere: an “a” after an “a” is where it was typed."""
    live = LiveText(text, Encoding.UTF16)
    start, end = sorted(live.offset(place) for place in places)
    hunk = live.replace(*places, new)
    assert (hunk.start, hunk.end, hunk.replacement) == (start, end, new.encode())


def test_carriage_return_and_line_feed_come_together_and_part() -> None:
    live = LiveText("a\rX\nb", Encoding.UTF16)
    live.replace(Position(1, 0), Position(1, 1), "")
    assert live.raw == b"a\r\nb"
    assert live.offset(Position(1, 0)) == 2
    live.replace(Position(0, 1), Position(0, 1), "\r")
    assert live.raw == b"a\r\r\nb"
    assert live.offset(Position(2, 0)) == 3
    live.replace(Position(1, 0), Position(1, 0), "\n")
    assert live.raw == b"a\r\n\r\nb"
    assert live.offset(Position(2, 0)) == 3


def test_end_columns_beyond_everything() -> None:
    live = LiveText("abc", Encoding.UTF16)
    live.replace(Position(0, 0), Position(0, 99), "Z")
    assert live.raw == b"Z"


def test_difference() -> None:
    assert edits.difference(b"", b"") == edits.Hunk(0, 0, b"")
    assert edits.difference(b"abcd", b"abcd") == edits.Hunk(4, 4, b"")
    assert edits.difference(b"abcd", b"abXd") == edits.Hunk(2, 3, b"X")
    assert edits.difference(b"aaa", b"aaaa") == edits.Hunk(3, 3, b"a")


@settings(deadline=None)
@given(st.binary(max_size=20), st.binary(max_size=20), st.binary(max_size=5), st.binary(max_size=5))
def test_difference_leads_from_one_to_the_other(head: bytes, tail: bytes, old: bytes, new: bytes) -> None:
    a, b = head + old + tail, head + new + tail
    hunk = edits.difference(a, b)
    assert a[: hunk.start] + hunk.replacement + a[hunk.end :] == b
    assert hunk.start >= len(head)
    assert hunk.end - hunk.start <= len(old)
    assert len(hunk.replacement) <= len(new)
