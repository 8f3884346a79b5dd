from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.unit import Unit


def test_walk_gives_document_order():
    unit = Unit(b"int f() { while (1) { for (;;) {} } while (0) ; }")
    kinds = [node.type for node in unit.walk("for_statement", "while_statement")]
    assert kinds == ["while_statement", "for_statement", "while_statement"]
    inner = next(unit.walk("while_statement"))
    assert [node.type for node in unit.walk("for_statement", "while_statement", under=inner)] == kinds[:2]


def test_includes_are_added_once_after_the_others():
    text = b'#include <a>\n#include "b.h"\nint x;\n#include <late>\n'
    unit = Unit(text)
    assert apply(text, unit.include_hunk("c")) == text.replace(b'"b.h"\n', b'"b.h"\n#include <c>\n')
    assert unit.include_hunk("a") == ()
    assert unit.include_hunk("late") == ()


def test_includes_of_a_file_without_any():
    assert apply(b"int x;\n", Unit(b"int x;\n").include_hunk("c")) == b"#include <c>\nint x;\n"


def test_everything_is_included_by_the_wide_header():
    assert Unit(b"#include <bits/stdc++.h>\n").include_hunk("map") == ()


@pytest.mark.parametrize(
    ("flags", "year"),
    [((), 17), (("-std=c++11",), 11), (("-std=c++98", "-std=gnu++2a"), 20), (("-std=c++26",), 26), (("-O2",), 17)],
)
def test_standard(flags: tuple[str, ...], year: int) -> None:
    assert Unit(b"", flags).standard == year


def test_faults():
    assert Unit(b"int main() { return 0; }").faults == 0
    assert Unit(b"int main( { return 0; ").faults > 0


def test_aliases():
    unit = Unit(b"typedef long long ll;\nusing V = std::vector<ll>;\n#define ii pair<int, int>\n#define N 100\n")
    assert unit.aliases == {"ll": "long long", "V": "std::vector<ll>", "ii": "pair<int, int>"}


def test_names_in_macros_are_known():
    unit = Unit(b"#define ADD(x) table[x]++\nint table[9];\n")
    assert unit.in_macro("table")
    assert not unit.in_macro("other")


def test_fresh_names():
    unit = Unit(b"int slot, slot_2;\n#define M slot_3\n")
    taken = set[str]()
    assert unit.fresh("slot", taken) == "slot_4"
    assert unit.fresh("slot", taken) == "slot_5"
    assert unit.fresh("other", taken) == "other"
