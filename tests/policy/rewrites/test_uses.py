from __future__ import annotations

import pytest

from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import is_written, loop_around, methods

HEAD = "void take(vector<int>& a) { a[0] = 1; } int look(const vector<int>& a) { return 1; }\n"


def last_use(statement: str):
    unit = Unit(f"{HEAD}void f(int x) {{ vector<int> v; {statement} }}".encode())
    [variable] = [variable for variable in unit.variables if variable.name == "v"]
    return unit, variable, variable.uses[-1]


@pytest.mark.parametrize(
    "statement",
    [
        "v = w;",
        "v[0]++;",
        "v[1].x = 3;",
        "cin >> v[0];",
        "g(&v[0]);",
        "auto& r = v[0];",
        "take(v);",
        "unknown(v);",
        "std::swap(v, w);",
        "begin(v);",
        "(v)[2] += 1;",
    ],
)
def test_written(statement: str) -> None:
    unit, _, leaf = last_use(statement)
    assert is_written(unit, leaf)


@pytest.mark.parametrize(
    "statement",
    [
        "x = v[0];",
        "a[v[0]] = 1;",
        "cout << v[0];",
        "look(v);",
        "x = max(x, v[0]);",
        "w.push_back(v[0]);",
        "auto r = v[0];",
        "const vector<int> w = v;",
        "if (v[0] < v[1]) return;",
        "x = static_cast<int>(v[1]);",
    ],
)
def test_only_read(statement: str) -> None:
    unit, _, leaf = last_use(statement)
    assert not is_written(unit, leaf)


def test_methods_of_a_variable_that_stays_here():
    unit, variable, _ = last_use("v.push_back(1); x = v[0]; for (int y : v) x += y;")
    assert methods(unit, variable) == {"push_back", "[]", "for"}


@pytest.mark.parametrize("statement", ["look(v);", "v = w;", "auto& r = v;", "[v] {};", "return v;"])
def test_a_variable_that_goes_elsewhere(statement: str) -> None:
    unit, variable, _ = last_use(statement)
    assert methods(unit, variable) is None


def test_loops_around():
    unit, _, leaf = last_use("for (int i = v[0]; i < 3; ++i) {}")
    assert loop_around(leaf) is None
    unit, _, leaf = last_use("for (int i = 0; i < v[0]; ++i) {}")
    loop = loop_around(leaf)
    assert loop is not None
    assert unit.text(loop).startswith("for")
    _, _, leaf = last_use("for (int y : v) {}")
    assert loop_around(leaf) is None
    _, _, leaf = last_use("while (x) { auto g = [&] { return v[0]; }; }")
    assert loop_around(leaf) is None
