"""Hot functions and lines from a profile."""

from __future__ import annotations

from maxcode_lsp.critique.hot_code import hot_functions, hot_lines
from maxcode_lsp.critique.source import Source
from tests.critique.subjects import profile

SOURCE = Source(
    b"int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i)\n    s += i;\n"
    b"  return s;\n}\nint main() {\n  return f(9);\n}\n"
)


def test_functions_add_up_their_lines() -> None:
    found = hot_functions(SOURCE, profile({3: 0.3, 4: 0.4, 8: 0.2, 9: 0.01}))
    assert [(finding.message, finding.span.first, finding.span.last) for finding in found] == [
        ("“f” itself takes 70 % of the time.", 1, 6),
        ("“main” itself takes 21 % of the time.", 7, 9),
    ]
    assert found[0].evidence == "perf cpu-clock, 100 samples: 70 %"


def test_lines_are_shown_with_their_hot_neighbours() -> None:
    (found,) = hot_lines(SOURCE, profile({1: 0.01, 3: 0.3, 4: 0.4, 8: 0.05}))
    assert (found.span.first, found.span.last) == (3, 4)
    assert found.message == "70 % of the time is on lines 3–4, most of it on line 4: s += i;"


def test_nothing_is_hot_in_a_flat_profile() -> None:
    assert hot_functions(SOURCE, profile({8: 0.05})) == ()
    assert hot_lines(SOURCE, profile({8: 0.05})) == ()
