"""The declarations at namespace level of a C or C++ text, told by its brackets. No syntax tree is needed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

from msgspec import Struct

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.edits import difference
from maxcode_lsp.text.tokens import LOOKAHEAD, tokens_from

_OPENS = frozenset({b"{", b"(", b"[", b"<%", b"<:"})
_CLOSES = frozenset({b"}", b")", b"]", b"%>", b":>"})
_GOES_ON = frozenset({b",", b"{", b";", b"=", b"catch"})
"""What may follow a closing brace within one declaration."""


class Stretch(Struct, frozen=True):
    """The bytes ``[start, end)`` of a normalised text."""

    start: int
    end: int


class _Step(Struct, frozen=True):
    """From one place between declarations to the next. What follows depends on ``spaces`` and the text behind."""

    at: int
    """Where it ends: the end of a token."""
    spaces: int
    """Namespaces that are open there."""
    found: Stretch | None
    """The declaration that it was; None: a namespace began or ended."""


class Declarations:
    """Functions, types, variables and directives outside them, in their order; comments between them are in none.

    Namespaces are seen through. A text whose brackets do not match is one declaration. Immutable.
    """

    def __init__(self, data: bytes, steps: list[_Step] | None) -> None:
        """``steps``: all from the start of the text; None: its brackets do not match. Others use ``of``."""
        self._data = data
        self._steps = steps
        whole = [Stretch(0, len(data))]
        self.found = whole if steps is None else [step.found for step in steps if step.found is not None]

    @classmethod
    def of(cls, data: bytes) -> Declarations:
        """Read a text."""
        return cls(data, _read(data))

    @property
    def matching(self) -> bool:
        """Whether the brackets do."""
        return self._steps is not None

    def after(self, data: bytes) -> Declarations:
        """Those of another text: equal to reading it whole, at the price of what differs."""
        return Declarations(data, self._reread(data))

    def touched(self, hunks: Sequence[Hunk]) -> tuple[bytes, ...]:
        """The whole lines of each that a hunk reaches into. Inserting right before or behind one does not."""
        if not hunks:
            return ()
        data, reached = self._data, list[bytes]()
        first = data.rfind(b"\n", 0, min(hunk.start for hunk in hunks)) + 1
        last = data.find(b"\n", max(hunk.end for hunk in hunks)) + 1 or len(data)
        begin = bisect_left(self.found, first, key=attrgetter("end"))
        for found in self.found[begin : bisect_right(self.found, last, key=attrgetter("start"))]:
            start = data.rfind(b"\n", 0, found.start) + 1
            end = data.find(b"\n", found.end) + 1 or len(data)
            if any(_reaches(hunk, start, end) for hunk in hunks):
                reached.append(data[start:end])
        return tuple(reached)

    def _reread(self, data: bytes) -> list[_Step] | None:
        known = self._steps
        if known is None:
            return _read(data)
        hunk = difference(self._data, data)
        end, moved = hunk.start + len(hunk.replacement), len(data) - len(self._data)
        # That a step has ended is known from the token behind it: one more than those that are kept stays as it is.
        kept = max(0, bisect_right(known, hunk.start - LOOKAHEAD, key=attrgetter("at")) - 1)
        steps = known[:kept]

        def hopeless(at: int, depth: int) -> bool:
            """Whether brackets stay open for ever: from here on all is as before, where it closes namespaces only."""
            if at <= end:
                return False
            same = bisect_left(known, at - moved, key=attrgetter("at"))
            return same < len(known) and known[same].at == at - moved and depth > known[same].spaces

        for step in _steps(data, *((steps[-1].at, steps[-1].spaces) if steps else (0, 0)), hopeless):
            if step is None:
                return None
            steps.append(step)
            if step.at > end:
                same = bisect_left(known, step.at - moved, key=attrgetter("at"))
                if [(there.at + moved, there.spaces) for there in known[same : same + 1]] == [(step.at, step.spaces)]:
                    return steps + [_shifted(later, moved) for later in known[same + 1 :]]
        return steps


def _read(data: bytes) -> list[_Step] | None:
    """All steps; None: brackets do not match."""
    steps: list[_Step] = []
    for step in _steps(data, 0, 0, lambda _at, _depth: False):
        if step is None:
            return None
        steps.append(step)
    return steps


def _steps(data: bytes, at: int, spaces: int, hopeless: Callable[[int, int], bool]) -> Iterator[_Step | None]:
    """Steps from the end of one on. None, the last: brackets do not match; ``hopeless`` may say so early."""
    words: list[bytes] = []
    start = end = at
    depth = 0
    closed = False
    for token in (found for found in tokens_from(data, at) if not found.text.startswith((b"//", b"/*"))):
        text = token.text
        if depth == 0 and words and closed and text not in _GOES_ON:
            yield _Step(end, spaces, Stretch(start, end))
            words = []
        if depth and hopeless(end, depth):
            yield None
            return
        start = start if words or depth else token.start
        end, closed = token.end, False
        if text in _CLOSES:
            depth -= 1
            closed = depth == 0 and text in {b"}", b"%>"}
            if depth < 0:
                spaces, depth = spaces - 1, 0
                if spaces < 0 or words:
                    yield None
                    return
                yield _Step(end, spaces, None)
                continue
        elif text in _OPENS:
            if depth == 0 and text in {b"{", b"<%"} and _is_namespace(words):
                spaces, words = spaces + 1, []
                yield _Step(end, spaces, None)
                continue
            depth += 1
        elif depth == 0 and (text == b";" or (text.startswith(b"#") and not words)):
            yield _Step(end, spaces, Stretch(start, end))
            words = []
            continue
        if depth <= 1:
            words.append(text)
    if depth or spaces or words:
        yield None if depth or spaces else _Step(end, spaces, Stretch(start, end))


def _shifted(step: _Step, by: int) -> _Step:
    found = step.found
    return _Step(step.at + by, step.spaces, Stretch(found.start + by, found.end + by) if found is not None else None)


def _reaches(hunk: Hunk, start: int, end: int) -> bool:
    if hunk.start == hunk.end:
        return start < hunk.start < end
    return hunk.start < end and start < hunk.end


def _is_namespace(words: Sequence[bytes]) -> bool:
    if len(words) == 2 and words[0] == b"extern":
        return words[1].startswith(b'"')
    return words[:1] == [b"namespace"] or words[:2] == [b"inline", b"namespace"]
