from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.text.positions import Encoding, Position, Positions, encoded
from maxcode_lsp.text.source import SourceText, normalise

PIECES = st.sampled_from(
    [
        "a",
        "int x;",
        "é",
        "€",
        "😀",
        "\ufeff",
        "\f",
        "\v",
        "\x85",
        "\u2028",
        "\t",
        "\r\n",
        "\r",
        "\n",
        "\ud83d",
        "\ude00",
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)
ENCODINGS = st.sampled_from(Encoding)
PLACES = st.builds(Position, st.integers(-2, 12), st.integers(-2, 24))


def columns(character: str, encoding: Encoding) -> int:
    if encoding is Encoding.UTF8:
        return len(encoded(character))
    return 2 if encoding is Encoding.UTF16 and ord(character) > 0xFFFF else 1


def lines(text: str) -> list[tuple[int, str]]:
    """Index and content of each line."""
    ends = [(0, 0), *((end.start(), end.end()) for end in re.finditer("\r\n|\r|\n", text)), (len(text), len(text))]
    return [(start, text[start:end]) for (_, start), (end, _) in pairwise(ends)]


def index(text: str, place: Position, encoding: Encoding) -> int:
    """The model: walk the characters of the line."""
    rows = lines(text)
    if place.line < 0:
        return 0
    if place.line >= len(rows):
        return len(text)
    at, content = rows[place.line]
    column = 0
    for character in content:
        column += columns(character, encoding)
        if column > place.column:
            break
        at += 1
    return at


def offset(text: str, at: int) -> int:
    return len(normalise(encoded(text[:at])))


@settings(deadline=None)
@given(TEXTS, ENCODINGS, PLACES)
def test_like_the_model(text: str, encoding: Encoding, place: Position) -> None:
    positions = Positions(text, encoding)
    at = index(text, place, encoding)
    assert positions.index(place) == at
    assert positions.offset(place) == offset(text, at)


@settings(deadline=None)
@given(TEXTS, ENCODINGS)
def test_every_place_of_a_character_comes_back(text: str, encoding: Encoding) -> None:
    positions = Positions(text, encoding)
    for line, (start, content) in enumerate(lines(text)):
        column = 0
        for at, character in enumerate([*content, ""]):
            place = Position(line, column)
            assert positions.index(place) == start + at
            if start + at > 0 or not text.startswith("\ufeff"):  # before and after the mark are one offset
                assert positions.position(positions.offset(place)) == place
            column += columns(character, encoding) if character else 0


@settings(deadline=None)
@given(TEXTS, ENCODINGS)
def test_every_offset_comes_back_or_is_inside_a_character(text: str, encoding: Encoding) -> None:
    positions = Positions(text, encoding)
    data = SourceText(encoded(text)).data
    before = Position(0, 0)
    for at in range(len(data) + 1):
        place = positions.position(at)
        back = positions.offset(place)
        assert place >= before
        assert back == at or (back < at and data[at] & 0xC0 == 0x80)
        assert place.line == data.count(b"\n", 0, at)
        before = place
    assert positions.position(len(data) + 7) == before
    assert positions.position(-3) == positions.position(0)


@settings(deadline=None)
@given(TEXTS, ENCODINGS, PLACES, PLACES)
def test_order_is_kept(text: str, encoding: Encoding, one: Position, other: Position) -> None:
    positions = Positions(text, encoding)
    first, second = sorted((one, other))
    assert positions.offset(first) <= positions.offset(second)


@settings(deadline=None)
@given(TEXTS, st.lists(st.tuples(ENCODINGS, PLACES), max_size=4))
def test_lines_are_those_of_source_text(text: str, places: list[tuple[Encoding, Position]]) -> None:
    source = SourceText(encoded(text))
    for encoding, place in places:
        at = Positions(text, encoding).offset(place)
        assert 0 <= at <= len(source.data)
        if 0 <= place.line < len(source.lines):
            assert source.line_at(at) == place.line + 1


def test_a_column_past_the_end_of_the_last_line() -> None:
    for encoding in Encoding:
        assert Positions("abc", encoding).offset(Position(0, 99)) == 3
        assert Positions("abc\n", encoding).offset(Position(0, 99)) == 3
        assert Positions("abc\n", encoding).offset(Position(9, 9)) == 4


def test_form_feeds_do_not_end_lines() -> None:
    positions = Positions("a\fb\nint x;", Encoding.UTF16)
    assert positions.offset(Position(1, 0)) == 4
    assert positions.position(4) == Position(1, 0)


def test_columns_of_each_encoding() -> None:
    text = "\ufeffé😀x\r\ny"
    expected = {Encoding.UTF8: (3, 5, 9, 10), Encoding.UTF16: (1, 2, 4, 5), Encoding.UTF32: (1, 2, 3, 4)}
    for encoding, (e, smile, x, end) in expected.items():
        positions = Positions(text, encoding)
        assert [positions.offset(Position(0, column)) for column in (0, e, smile, x, end)] == [0, 0, 2, 6, 7]
        assert positions.position(0) == Position(0, e)  # edits at the start stay behind the byte order mark
        assert positions.position(4) == Position(0, smile)
        assert positions.position(8) == Position(1, 0)


def test_half_a_pair_is_one_replacement_character() -> None:
    assert encoded("a\ud83db") == "a\ufffdb".encode()
    for encoding in Encoding:
        broken, whole = Positions("a\ud83db", encoding), Positions("a\ufffdb", encoding)
        assert [broken.position(at) for at in range(6)] == [whole.position(at) for at in range(6)]
