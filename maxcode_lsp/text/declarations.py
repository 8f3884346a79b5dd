"""The declarations at namespace level of a C or C++ text, told by its brackets. No syntax tree is needed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.tokens import tokens

_OPENS = frozenset({b"{", b"(", b"[", b"<%", b"<:"})
_CLOSES = frozenset({b"}", b")", b"]", b"%>", b":>"})
_GOES_ON = frozenset({b",", b"{", b";", b"=", b"catch"})
"""What may follow a closing brace within one declaration."""


class Stretch(Struct, frozen=True):
    """The bytes ``[start, end)`` of a normalised text."""

    start: int
    end: int


def declarations(data: bytes) -> tuple[Stretch, ...]:
    """Functions, types, variables and directives outside them, in their order; comments between them are in none.

    Namespaces are seen through. A text whose brackets do not match is one declaration.
    """
    found: list[Stretch] = []
    words: list[bytes] = []
    start = end = depth = spaces = 0
    closed = False
    for token in tokens(data):
        text = token.text
        if text.startswith((b"//", b"/*")):
            continue
        if depth == 0 and words and closed and text not in _GOES_ON:
            found.append(Stretch(start, end))
            words = []
        start = start if words or depth else token.start
        end, closed = token.end, False
        if text in _CLOSES:
            depth -= 1
            closed = depth == 0 and text in {b"}", b"%>"}
            if depth < 0:
                spaces, depth = spaces - 1, 0
                if spaces < 0 or words:
                    return (Stretch(0, len(data)),)
                continue
        elif text in _OPENS:
            if depth == 0 and text in {b"{", b"<%"} and _is_namespace(words):
                spaces, words = spaces + 1, []
                continue
            depth += 1
        elif depth == 0 and (text == b";" or (text.startswith(b"#") and not words)):
            found.append(Stretch(start, end))
            words = []
            continue
        if depth <= 1:
            words.append(text)
    if depth or spaces:
        return (Stretch(0, len(data)),)
    return (*found, Stretch(start, end)) if words else tuple(found)


def touched(data: bytes, hunks: Sequence[Hunk]) -> tuple[bytes, ...]:
    """The whole lines of each declaration that a hunk reaches into. Inserting right before or behind one does not."""
    reached: list[bytes] = []
    for found in declarations(data):
        start = data.rfind(b"\n", 0, found.start) + 1
        end = data.find(b"\n", found.end) + 1 or len(data)
        if any(_reaches(hunk, start, end) for hunk in hunks):
            reached.append(data[start:end])
    return tuple(reached)


def _reaches(hunk: Hunk, start: int, end: int) -> bool:
    if hunk.start == hunk.end:
        return start < hunk.start < end
    return hunk.start < end and start < hunk.end


def _is_namespace(words: Sequence[bytes]) -> bool:
    if len(words) == 2 and words[0] == b"extern":
        return words[1].startswith(b'"')
    return words[:1] == [b"namespace"] or words[:2] == [b"inline", b"namespace"]
