from __future__ import annotations

from maxcode_lsp.policy.rewrites.unit import Unit

TEXT = b"""#include <map>
typedef long long ll;
using Table = std::map<int, ll>;
struct Box { Table inner; int n, *p; void put(int k) { inner[k] = n; this->n++; } };
Table table;
int f(const std::string& s, int a[], int n = 3) {
    int x = n, y(4), &r = x;
    std::vector<int> v(n), w{1, 2};
    for (int x = 0; x < n; ++x) table[x]++;
    for (auto [k, value] : table) x += k;
    auto g = [&](int x) { return x; };
    int h(int);
    Box b;
    b.n = x;
    return x;
}
"""


def declared(name: str, text: bytes = TEXT):
    return [variable for variable in Unit(text).variables if variable.name == name]


def test_kinds_and_forms():
    assert [(v.kind, v.form) for v in declared("inner")] == [("field", "value")]
    assert [(v.kind, v.form) for v in declared("table")] == [("global", "value")]
    assert [(v.kind, v.form) for v in declared("s")] == [("parameter", "reference")]
    assert [(v.kind, v.form) for v in declared("a")] == [("parameter", "array")]
    assert [(v.kind, v.form) for v in declared("p")] == [("field", "pointer")]
    assert [(v.kind, v.form) for v in declared("r")] == [("local", "reference")]
    assert [v.kind for v in declared("value")] == ["local"]


def test_a_constructor_call_in_a_block_is_no_function():
    assert [v.kind for v in declared("v")] == ["local"]
    assert declared("h") == []


def test_inner_names_hide_outer_ones():
    unit = Unit(TEXT)
    outer, loop, parameter = [v for v in unit.variables if v.name == "x"]
    assert [unit.line(use) for use in outer.uses] == [7, 10, 14, 15]
    assert [unit.line(use) for use in loop.uses] == [9, 9, 9]
    assert [unit.line(use) for use in parameter.uses] == [11]


def test_fields_are_found_through_objects_and_this():
    unit = Unit(TEXT)
    field, parameter = [v for v in unit.variables if v.name == "n"]
    assert [unit.line(use) for use in field.uses] == [4, 4, 14]
    assert {unit.line(use) for use in parameter.uses} == {7, 8, 9}


def test_initial_values():
    unit = Unit(TEXT)
    values = {v.name: unit.text(v.initial) for v in unit.variables if v.initial is not None}
    assert values["y"] == "(4)"
    assert values["v"] == "(n)"
    assert values["w"] == "{1, 2}"
    assert "table" not in values


def test_types_through_aliases():
    unit = Unit(TEXT)
    types = {v.name: str(unit.type_of(v)) for v in unit.variables}
    assert types["inner"] == "map<int,long long>"
    assert types["s"] == "string"
    assert types["v"] == "vector<int>"


def test_only_name_of_its_declaration():
    assert declared("table")[0].alone
    assert not declared("v")[0].alone
