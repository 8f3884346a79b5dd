from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.unit import Unit

from .conftest import BehavesAlike, HoldsBack


def test_programs_behave_alike(behaves_alike: BehavesAlike) -> None:
    behaves_alike("membership")


def test_the_set_is_qualified_and_included():
    unit = Unit(
        b"#include <vector>\nvoid f(int n) {\n    std::vector<std::string> v;\n"
        b"    for (;;) if (std::find(v.begin(), v.end(), g(n)) == v.end()) v.push_back(g(n));\n}\n"
    )
    [rewrite] = RULES["set-beside-vector"].find(unit)
    text = apply(unit.data, rewrite.hunks).decode()
    assert "#include <unordered_set>\n" in text
    assert "    std::unordered_set<std::string> v_set;\n" in text
    assert "if (v_set.count(g(n)) == 0) v.push_back(g(n)), v_set.insert(v.back());" in text


@pytest.mark.parametrize(
    "use",
    [
        "v[0] = 3;",
        "v.pop_back();",
        "v.erase(v.begin());",
        "for (int& x : v) x++;",
        "int& r = v[0]; r = 3;",
        "g(v);",
        "v = w;",
        "auto it = v.begin(); *it = 1;",
    ],
)
def test_held_back(holds_back: HoldsBack, use: str) -> None:
    found = "for (;;) if (find(v.begin(), v.end(), 3) == v.end()) v.push_back(3);"
    holds_back("set-beside-vector", f"void f() {{ vector<int> v; {found} {use} }}")


def test_held_back_for_a_parameter_that_may_change(holds_back: HoldsBack) -> None:
    text = "void f(vector<int>& v) { for (;;) if (find(v.begin(), v.end(), 3) == v.end()) v.push_back(3); }"
    holds_back("set-beside-vector", text)


def test_held_back_without_a_loop(holds_back: HoldsBack) -> None:
    holds_back("set-beside-vector", "bool f() { vector<int> v; return find(v.begin(), v.end(), 3) == v.end(); }")
