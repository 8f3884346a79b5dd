"""The one list of finding kinds. Each has a docs page ``docs/findings/KIND.md``."""

from __future__ import annotations

from enum import Enum


class Kind(str, Enum):
    """What a finding is about. The value is the code that people see and rules name."""

    HOT_FUNCTION = "hot-function"
    HOT_LINES = "hot-lines"
    EMPIRICAL_COMPLEXITY = "empirical-complexity"
    FLUSH_IN_LOOP = "flush-in-loop"
    STREAM_INPUT = "stream-input"
    STREAM_OUTPUT = "stream-output"
    ALLOCATION = "allocation"
    STRIDED_ACCESS = "strided-access"
    COPY_BY_VALUE = "copy-by-value"
    LINEAR_SEARCH = "linear-search"
    ORDERED_CONTAINER = "ordered-container"
    STRING_BUILDING = "string-building"
    REPEATED_RECURSION = "repeated-recursion"
    INVARIANT_IN_LOOP = "invariant-in-loop"
    SLOW_ARITHMETIC = "slow-arithmetic"
    NOT_VECTORISED = "not-vectorised"
    NOT_INLINED = "not-inlined"
    MODEL_OPINION = "model-opinion"
    CLANG_TIDY = "clang-tidy"


PLACES = frozenset({Kind.HOT_FUNCTION, Kind.HOT_LINES})
"""They say where the time goes, not why."""
HINTS = frozenset({Kind.MODEL_OPINION, Kind.CLANG_TIDY})
"""They say what is usually slow, or what a model makes of the evidence, not what was seen to be slow here."""

ORDER: tuple[Kind, ...] = (
    Kind.FLUSH_IN_LOOP,
    Kind.COPY_BY_VALUE,
    Kind.REPEATED_RECURSION,
    Kind.LINEAR_SEARCH,
    Kind.STRING_BUILDING,
    Kind.ORDERED_CONTAINER,
    Kind.STRIDED_ACCESS,
    Kind.INVARIANT_IN_LOOP,
    Kind.STREAM_INPUT,
    Kind.STREAM_OUTPUT,
    Kind.ALLOCATION,
    Kind.SLOW_ARITHMETIC,
    Kind.EMPIRICAL_COMPLEXITY,
    Kind.NOT_VECTORISED,
    Kind.NOT_INLINED,
    Kind.HOT_LINES,
    Kind.HOT_FUNCTION,
    Kind.MODEL_OPINION,
    Kind.CLANG_TIDY,
)
"""Which of two findings with the same share is named first: the one that says more precisely what to change."""

TITLES: dict[Kind, str] = {
    Kind.HOT_FUNCTION: "Much of the run is spent in this function",
    Kind.HOT_LINES: "Much of the run is spent on these lines",
    Kind.EMPIRICAL_COMPLEXITY: "How the time grows with the size of the input",
    Kind.FLUSH_IN_LOOP: "Output is flushed again and again",
    Kind.STREAM_INPUT: "Much of the run is spent reading formatted input",
    Kind.STREAM_OUTPUT: "Much of the run is spent writing formatted output",
    Kind.ALLOCATION: "Much of the run is spent allocating and freeing memory",
    Kind.STRIDED_ACCESS: "An inner loop jumps through memory",
    Kind.COPY_BY_VALUE: "A large object is copied where a reference would do",
    Kind.LINEAR_SEARCH: "A sequence is searched from the start again and again",
    Kind.ORDERED_CONTAINER: "A sorted tree is used where order seems not to matter",
    Kind.STRING_BUILDING: "A string is built through temporaries",
    Kind.REPEATED_RECURSION: "A recursive function solves the same case again and again",
    Kind.INVARIANT_IN_LOOP: "The same value is computed in each round of a loop",
    Kind.SLOW_ARITHMETIC: "Costly arithmetic on a hot line",
    Kind.NOT_VECTORISED: "The compiler could not vectorise a hot loop",
    Kind.NOT_INLINED: "The compiler did not inline a call on a hot line",
    Kind.MODEL_OPINION: "What a language model makes of the evidence",
    Kind.CLANG_TIDY: "A performance check of clang-tidy",
}
"""One line for people, for each kind."""
