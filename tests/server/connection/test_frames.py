from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.server.connection.frames import LARGEST_BYTES, Frames, Garbled, decoded, frame

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def taken(chunks: list[bytes]) -> list[bytes | Garbled]:
    frames = Frames()
    return [body for chunk in chunks for body in frames.feed(chunk)]


@given(st.lists(VALUES, max_size=5), st.lists(st.integers(0, 400), max_size=12))
def test_messages_arrive_whole_however_they_are_cut(values: list[object], cuts: list[int]) -> None:
    stream = b"".join(frame(value) for value in values)
    at = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    bodies = taken([stream[a:b] for a, b in pairwise(at)])
    assert [decoded(body) for body in bodies if isinstance(body, bytes)] == values
    assert len(bodies) == len(values)


@given(st.binary(max_size=200))
def test_nothing_that_comes_before_keeps_a_message_from_arriving(junk: bytes) -> None:
    junk = junk.lower().replace(b"content-length", b"")
    # What looks like the start of the header's own line belongs to it.
    stream = junk + b"\r\n\r\n" + frame({"after": "junk"})
    bodies = [body for body in taken([stream]) if isinstance(body, bytes)]
    assert bodies == [b'{"after":"junk"}']


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: -1",
        b"Content-Length: 99999999999999999999999",
        b"Content-Length: " + str(LARGEST_BYTES + 1).encode(),
        b"Content-Length: ten",
        b"Content-Length:",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8",
    ],
)
def test_an_unusable_length_is_told_once_and_the_next_message_arrives(header: bytes) -> None:
    found = taken([header + b"\r\n\r\n" + b'{"lost":1}' + frame({"next": 2})])
    assert [type(body) for body in found] == [Garbled, bytes]
    assert found[1] == b'{"next":2}'


@pytest.mark.parametrize(
    "header",
    [
        b"content-length:  2\r\n\r\n",
        b"Content-Type: x\r\nCONTENT-LENGTH: 2\r\n\r\n",
        b"Content-Length: 2\r\nContent-Type: x\r\n\r\n",
        b"Content-Length: 2\n\n",
    ],
)
def test_headers_may_be_written_in_many_ways(header: bytes) -> None:
    assert taken([header + b"{}"]) == [b"{}"]


def test_an_endless_header_takes_no_memory() -> None:
    frames = Frames()
    told = [body for _ in range(200) for body in frames.feed(b"x" * 1000)]
    assert told and all(isinstance(body, Garbled) for body in told)
    assert len(frames._buffer) < 8000


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' + b"1" * 5000 + b"}", b"nul"])
def test_what_is_no_json_is_garbled(body: bytes) -> None:
    with pytest.raises(Garbled):
        decoded(body)


def test_broken_utf8_in_a_string_loses_only_that_character() -> None:
    assert decoded(b'{"id":1,"x":"a\xffb"}') == {"id": 1, "x": "a\ufffdb"}


@given(st.text(st.characters(), max_size=30))
def test_halves_of_surrogate_pairs_are_replaced_and_whole_pairs_are_not(text: str) -> None:
    message = {"id": text, "params": {text: [text, 1]}}
    read = decoded(json.dumps(message).encode())
    # A high half before a low one are a pair in JSON.
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert read["params"] == {paired: [paired, 1]}
    assert len(paired.encode("utf-16-le")) == len(text.encode("utf-16-le", "surrogatepass"))
    assert read["id"] == json.loads(json.dumps(text))


def test_what_is_written_is_ascii_and_counted_in_bytes() -> None:
    head, _, body = frame({"text": "ü\ud800"}).partition(b"\r\n\r\n")
    assert head == b"Content-Length: %d" % len(body)
    assert json.loads(body) == {"text": "ü\ud800"}


def test_what_has_no_json_is_not_written() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        frame({"x": float("nan")})
