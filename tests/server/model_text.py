"""A text as an editor has it: the simplest model, written from the specification of LSP and from nothing of ours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

UNIT = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def index(text: str, position: types.Position, encoding: str) -> int:
    """The index of a position, which must be one that is there."""
    name, size = UNIT[encoding]
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    at = starts[position.line]
    end = re.compile(r"\r\n|\r|\n|\Z").search(text, at)
    assert end is not None
    columns = 0
    for place in range(at, end.start() + 1):
        if columns == position.character:
            return place
        columns += len(text[place].encode(name)) // size if place < end.start() else 0
    raise AssertionError(f"{position} is no place in {text!r}")


def applied(text: str, edits: Sequence[types.TextEdit | types.AnnotatedTextEdit], encoding: str) -> str:
    """The text after edits, all of which are about the text as it is; they may not overlap."""
    found = sorted(
        (index(text, edit.range.start, encoding), index(text, edit.range.end, encoding), edit.new_text)
        for edit in edits
    )
    pieces: list[str] = []
    at = 0
    for start, end, new in found:
        assert at <= start <= end, "edits overlap"
        pieces += (text[at:start], new)
        at = end
    return "".join((*pieces, text[at:]))
