from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lsprotocol import types
from tree_sitter import Parser

from maxcode_lsp.server.workspace import documents, syntax
from maxcode_lsp.server.workspace.documents import Document, Documents
from maxcode_lsp.server.workspace.syntax import Function, Syntax
from maxcode_lsp.target import program
from maxcode_lsp.text.positions import Encoding

URI = "file:///folder/program.cpp"
PROGRAM = """\
#include <vector>
namespace math {
struct Matrix {
    Matrix() : size(0) {}
    ~Matrix() {}
    int row(int i) const { return i; }
    operator bool() const { return size > 0; }
    Matrix& operator=(const Matrix&) = default;
    friend bool operator==(const Matrix& a, const Matrix& b) { return a.size == b.size; }
    struct Cell { void clear() {} };
    int size;
};
}
math::Matrix operator+(math::Matrix a, math::Matrix) { return a; }
template <class T>
T identity(T t) { return t; }
template <> int identity<int>(int t) { return t; }
template <class T> struct Box { template <class U> void put(U) {} void get(); };
template <class T> void Box<T>::get() {}
int declared(int);
static int *pointer(void) { return nullptr; }
int (*pick(int a))(int) { return nullptr; }
extern "C" { int plain() { return 1; } }
#if 0
int left_out() { return 1; }
#else
int kept() { return 2; }
#endif
auto late() -> int try { return 1; } catch (...) { return 2; }
int main() {
    auto inner = [] { return 1; };
    return inner();
}
"""


def opened(text: str, encoding: Encoding = Encoding.UTF16, uri: str = URI, language: str = "cpp") -> Document:
    return Documents(encoding).open(types.TextDocumentItem(uri, language, 1, text))


def functions(document: Document) -> tuple[Function, ...]:
    return document._syntax.functions(document.source.data, document.name)


def partial(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), text)


def test_tree_sitter_waits_until_functions_are_asked_for() -> None:
    code = """
import sys
from lsprotocol import types
from maxcode_lsp.server.workspace.documents import Documents
document = Documents().open(types.TextDocumentItem("file:///a.cpp", "cpp", 1, "int main() {}"))
assert document.inactive == "" and document.source.data
assert not {"tree_sitter", "scipy", "rich", "typer", "diskcache"} & set(sys.modules)
assert document.main() and "tree_sitter" in sys.modules and "scipy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_names() -> None:
    document = opened(PROGRAM)
    assert [function.name for function in functions(document)] == [
        "math::Matrix::Matrix",
        "math::Matrix::~Matrix",
        "math::Matrix::row",
        "math::Matrix::operator bool",
        "math::Matrix::operator==",
        "math::Matrix::Cell::clear",
        "operator+",
        "identity",
        "identity<int>",
        "Box::put",
        "Box<T>::get",
        "pointer",
        "pick",
        "plain",
        "kept",
        "late",
        "main",
    ]
    data = document.source.data
    for function in functions(document):
        written = data[function.name_start : function.name_end].decode()
        assert function.name.endswith(written)
        assert data[function.start : function.end].endswith(b"}")
    identity = functions(document)[7]
    assert data[identity.start :].startswith(b"template <class T>\nT identity")


def test_around_an_offset() -> None:
    document = opened(PROGRAM)
    main = document.main()
    assert main is not None
    assert document.function_at(document.source.data.index(b"inner()")) == main
    assert document.function_at(main.end) == main
    assert document.function_at(0) is None
    row = document.function_at(document.source.data.index(b"row(int"))
    assert row is not None and row.name == "math::Matrix::row"
    assert opened("int f() {}int g() {}").function_at(10) == Function("g", 14, 15, 10, 20)


def test_no_main() -> None:
    assert opened("namespace a { int main() { return 0; } }").main() is None
    assert opened("struct A { int main() { return 0; } };").main() is None
    assert opened("int main();").main() is None
    assert opened("#if 0\nint main() {}\n#endif\n").main() is None
    assert opened("").main() is None
    assert opened("#ifdef X\nint main() {}\n#endif\n").main() is not None


def test_conversions() -> None:
    named = opened("A::operator char*() { return 0; }\nB<int>::operator   bool() const { return 1; }\n")
    assert [f.name for f in functions(named)] == ["A::operator char*", "B<int>::operator bool"]


def test_odd_declarators() -> None:
    odd = opened("int (f)(int a) { return a; }\nvoid (*(*g(int))(int))(int) { return 0; }\nclass EXPORT X {};\n")
    assert [f.name for f in functions(odd)] == ["f", "g"]


def test_incremental_like_fresh() -> None:
    """Edits that leave the text without syntax errors: there, both parses must say the same."""
    chance = random.Random(3)
    whole = ["int f{}() {{ return 1; }}\n", "struct S{} {{ void m() {{}} }};\n", "// {{\n", "int x{} = 1;\n"]
    known = Documents(Encoding.UTF8)
    document = known.open(types.TextDocumentItem(URI, "cpp", 1, PROGRAM))
    compared = 0
    for version in range(120):
        rows = document.text.split("\n")
        at = chance.randrange(len(rows))
        if version % 3 == 2:  # something half typed, and away again
            broken = partial((at, 0), (at, 0), chance.choice(["{", "}", "(", '"', "/*", "#if 0\n", "template <"]))
            known.change(URI, version, [broken])
            assert isinstance(functions(document), tuple)
            known.change(URI, version, [types.TextDocumentContentChangeWholeDocument("\n".join(rows))])
        else:
            new = chance.choice(whole).format(version)
            known.change(URI, version, [partial((at, 0), (at + chance.choice([0, 0, 1]), 0), new)])
        data = document.source.data
        assert (
            Syntax().functions(data, "") == functions(document) or Parser(program.CPP).parse(data).root_node.has_error
        )
        compared += not Parser(program.CPP).parse(data).root_node.has_error
    assert compared > 40


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 600), st.integers(0, 30), st.sampled_from(["", "{", "}", "f()", "😀"]))))
@example([(329, 17, "f()")])
def test_offsets_stay_in_the_text_whatever_is_typed(edits: list[tuple[int, int, str]]) -> None:
    known = Documents(Encoding.UTF32)
    document = known.open(types.TextDocumentItem(URI, "cpp", 1, PROGRAM))
    for start, size, text in edits:
        places = types.Range(document.position(start), document.position(start + size))
        known.change(URI, 1, [types.TextDocumentContentChangePartial(places, text)])
        for function in functions(document):
            assert 0 <= function.start <= function.name_start < function.name_end < function.end
            assert function.end <= len(document.source.data)


@pytest.mark.parametrize("nest", ["(", "{", "[](){", "namespace a {"])
def test_nested_too_deeply(nest: str) -> None:
    known = Documents()
    document = known.open(types.TextDocumentItem(URI, "cpp", 1, nest * 50_000))
    assert functions(document) == ()
    assert "more than 1,000 brackets" in document.inactive
    known.change(URI, 2, [types.TextDocumentContentChangeWholeDocument("int main() {}")])
    assert document.main() is not None
    assert document.inactive == ""


@pytest.mark.parametrize("edited", [False, True])
def test_what_is_not_parsed_in_its_time(edited: bool) -> None:
    known, slow = Documents(), "a<" * 900_000
    document = known.open(types.TextDocumentItem(URI, "cpp", 1, "int main() {}\n" if edited else slow))
    if edited:
        assert document.main() is not None
        known.change(URI, 2, [partial((9, 0), (9, 0), slow)])
    assert functions(document) == ()
    assert "could not be parsed within" in document.inactive
    known.change(URI, 3, [types.TextDocumentContentChangeWholeDocument("int main() {}")])
    assert functions(document) == ()  # still resting
    document._syntax._rest_until_s = 0.0
    known.change(URI, 4, [])
    assert document.main() is not None
    assert document.inactive == ""


def test_limits_fit_the_engine() -> None:
    assert documents.LARGEST_BYTES == program.LARGEST_BYTES
    assert syntax.AGAIN_LIMIT_S < syntax.FIRST_LIMIT_S < program.PARSING_LIMIT_S


PARTS = [
    *[
        "int f() { return 1; }",
        "struct S { void m() {} int x; };",
        "namespace n {",
        "}",
        "template <class T> ",
        "T g(T t) { }",
    ],
    *["template <class T> struct B { template <class U> void put(U) {} void get() {} };", "int main() { int main; }"],
    *[
        "#if 0\n",
        "#else\n",
        "#endif\n",
        "// main\n",
        "main",
        "(",
        "{",
        ";",
        "/*",
        "*/",
        "\n",
        " ",
        'extern "C" {',
        "static int a;",
    ],
    *[
        "auto p = [] { return 1; };",
        "A::operator bool() { return 1; }",
        "friend int h() { return 1; }",
        "int x = main();",
        "é",
    ],
]


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(PARTS), max_size=20), st.lists(st.integers(0, 400), max_size=20))
def test_what_is_around_a_place_is_what_the_full_walk_says(parts: list[str], places: list[int]) -> None:
    data = "".join(parts).encode()
    whole, there = Syntax(), Syntax()
    known = whole.functions(data, "")
    for place in [at % (len(data) + 1) for at in places]:
        last = min(place + place % 5, len(data))
        wanted = tuple(f for f in known if f.start <= last and place <= f.end)
        assert there.functions(data, "", place, last) == wanted
    assert Syntax().main(data, "") == next((f for f in known if f.name == "main"), None)


def test_main_among_many_places_with_its_name() -> None:
    many = "int x = main + main;\n" * 500
    assert opened(many).main() is None
    found = opened(many + "int main() {}\n").main()
    assert found is not None and found.start == len(many)
