"""Reading the compiler's remarks and saying them in plain words."""

from __future__ import annotations

import pytest

from maxcode_lsp.critique.remarks import not_inlined, not_vectorised, plain_reason, read_remarks
from maxcode_lsp.critique.source import Source
from maxcode_lsp.executor.profile.profile import Work
from tests.critique.subjects import profile

SOURCE = Source(
    b"""int step(int);
int big(int x) { return x; }
void f(float* a, float* b, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = b[i] + a[n - i];
    if (a[i] > 100) break;
  }
}
int main() { return big(1); }
"""
)

GCC = """/usr/include/c++/12/bits/stl_tree.h:4:5: missed: not vectorized: control flow in loop.
unit.cpp:4:21: missed: couldn't vectorize loop
unit.cpp:4:21: missed: not vectorized: control flow in loop.
unit.cpp:5:10: missed:   not inlinable: int main()/44 -> int big(int)/36, --param max-inline-insns-auto limit reached
unit.cpp:5:10: missed:   not inlinable: int main()/44 -> double sqrt(double)/75, function body not available
unit.cpp:5:10: missed:   will not early inline: int main()/4465->int big(int)/12, growth 11 exceeds --param
unit.cpp:5:10: missed: splitting region at dominance boundary bb28
unit.cpp:5:11: optimized: loop vectorized using 16 byte vectors
"""

CLANG = """unit.cpp:4:3: remark: loop not vectorized: could not determine number of loop iterations [-Rpass-analysis]
unit.cpp:5:12: remark: 'big(int)' not inlined into 'main' because too costly to inline (cost=300) [-Rpass-missed=inline]
"""


def test_only_the_unit_is_read() -> None:
    remarks = list(read_remarks(GCC, "/src/unit.cpp"))
    assert {remark.line for remark in remarks} == {4, 5}
    assert len(remarks) == 6


def test_hot_loops_are_said_in_plain_words() -> None:
    (found,) = not_vectorised(SOURCE, profile({4: 0.1, 5: 0.3}), read_remarks(GCC, "/src/unit.cpp"))
    assert (found.span.first, found.span.last) == (4, 7)
    assert found.message == (
        "The compiler could not vectorise this loop: it branches or calls inside the loop; 40 % of the time is here."
    )


def test_cold_loops_and_library_work_are_not_said() -> None:
    remarks = list(read_remarks(GCC, "/src/unit.cpp"))
    assert not list(not_vectorised(SOURCE, profile({9: 1.0}), remarks))
    assert not list(not_vectorised(SOURCE, profile({5: 0.4}, {Work.INPUT: {5: 0.35}}), remarks))


@pytest.mark.parametrize("text", [GCC, CLANG])
def test_calls_of_own_functions_that_stay_calls(text: str) -> None:
    (found,) = not_inlined(SOURCE, profile({5: 0.3}), read_remarks(text, "/src/unit.cpp"))
    assert found.message == "The call of “big” stays a call: it is too large; 30 % of the time is on this line."


def test_clang_loops() -> None:
    (found,) = not_vectorised(SOURCE, profile({5: 0.3}), read_remarks(CLANG, "/src/unit.cpp"))
    assert "the number of rounds is not known when the loop starts" in found.message


@pytest.mark.parametrize(
    ("remark", "reason"),
    [
        ("not vectorized: multiple nested loops.", None),
        ("not vectorized: statement can throw an exception: resx 20", None),
        ("statement clobbers memory: _748 = sqrt (_747);", "it calls sqrt, which may change any memory"),
        ("not vectorized: complicated access pattern.", "it does not read memory in order"),
        (
            "not vectorized, possible dependence between data-refs *_5 and *_9",
            "a round may need the result of an earlier one",
        ),
        ("something new", None),
    ],
)
def test_reasons(remark: str, reason: str | None) -> None:
    assert plain_reason(remark) == reason
