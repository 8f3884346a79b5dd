from __future__ import annotations

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.declarations import declarations, touched

TEXT = b"""#include <vector>
// about Point
struct Point {
    int x; // }
} origin;

namespace deep { inline namespace v1 {
template <class T>
T twice(T t)
{
    return t + t;
}
int count = 0, more{1};
} }
extern "C" {
Point::Point() : x{1}, y{2} { go(); }
}
int main() try {
    for (int i = 0; i < 3; ++i) { ok("{"); }
} catch (...) {}
"""


def texts(data: bytes) -> list[bytes]:
    return [data[found.start : found.end] for found in declarations(data)]


def test_namespaces_are_seen_through() -> None:
    assert texts(TEXT) == [
        b"#include <vector>",
        b"struct Point {\n    int x; // }\n}",
        b"origin;",
        b"template <class T>\nT twice(T t)\n{\n    return t + t;\n}",
        b"int count = 0, more{1};",
        b"Point::Point() : x{1}, y{2} { go(); }",
        b'int main() try {\n    for (int i = 0; i < 3; ++i) { ok("{"); }\n} catch (...) {}',
    ]


def test_directives_inside_belong_to_their_declaration() -> None:
    assert texts(b"int f()\n#if A\n{\n#else\n{ ;\n#endif\n}") == [b"int f()\n#if A\n{\n#else\n{ ;\n#endif\n}"]
    assert texts(b"int f(\n#if A\nint\n#endif\n) { }\n#undef A\n") == [
        b"int f(\n#if A\nint\n#endif\n) { }",
        b"#undef A",
    ]


def test_brackets_that_do_not_match_leave_one_declaration() -> None:
    for data in (b"int f() { if (x) {\n}\nint g() { }", b"int a;\n}\nint b;", b"namespace x {\nint b;"):
        assert texts(data) == [data]
    assert texts(b"") == []


def test_touched_are_whole_lines() -> None:
    inside = TEXT.index(b"return t")
    before = TEXT.index(b"template")
    assert touched(TEXT, (Hunk(inside, inside + 6, b""),)) == (
        b"template <class T>\nT twice(T t)\n{\n    return t + t;\n}\n",
    )
    assert touched(TEXT, (Hunk(before, before, b"int here;\n"),)) == ()
    assert touched(TEXT, (Hunk(before, before + 1, b""),)) != ()
    assert len(touched(TEXT, (Hunk(0, len(TEXT), b""),))) == 7
