from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.records import Hunk
from maxcode_lsp.text.declarations import Declarations

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
    return [data[found.start : found.end] for found in Declarations.of(data).found]


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
    assert Declarations.of(TEXT).touched((Hunk(inside, inside + 6, b""),)) == (
        b"template <class T>\nT twice(T t)\n{\n    return t + t;\n}\n",
    )
    assert Declarations.of(TEXT).touched((Hunk(before, before, b"int here;\n"),)) == ()
    assert Declarations.of(TEXT).touched((Hunk(before, before + 1, b""),)) != ()
    assert len(Declarations.of(TEXT).touched((Hunk(0, len(TEXT), b""),))) == 7


PIECES = [
    *[
        b"int a = 1;\n",
        b"void f() { g(); }\n",
        b"struct S { int x; };\n",
        b"namespace n {\n",
        b"namespace {",
        b"}\n",
        b"{",
    ],
    *[b'extern "C" {\n', b"template <class T>\n", b"T g(T t)\n{\n    return t;\n}\n", b"#define A {\n", b"#if B\n"],
    *[
        b"# \\\n { }\n",
        b"//",
        b"\n",
        b"/* } */",
        b"/*",
        b"*/",
        b'"',
        b'R"x(',
        b')x"',
        b"R",
        b"u8",
        b"'",
        b"\\",
        b" ",
        b"#",
    ],
    *[
        b"    // a comment that is longer than what is looked ahead\n",
        b"catch",
        b";",
        b"=",
        b",",
        b"(",
        b")",
        b"<%",
        b"%>",
    ],
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map(b"".join)
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.lists(st.sampled_from(PIECES), max_size=2)), max_size=5
)


@settings(deadline=None, max_examples=600)
@given(TEXTS, EDITS)
def test_reading_what_differs_is_reading_everything(text: bytes, changes: list[tuple[float, int, list[bytes]]]) -> None:
    known = Declarations.of(text)
    for place, size, new in changes:
        at = int(place * len(text))
        text = text[:at] + b"".join(new) + text[at + size :]
        known, fresh = known.after(text), Declarations.of(text)
        assert known.found == fresh.found
        assert known._steps == fresh._steps


FUNCTIONS = [b'int f%d() {\n    if (x) { return "{"; }\n    return %d; // }\n}\n\n' % (n, n) for n in range(12)]


@settings(deadline=None, max_examples=300)
@given(EDITS, st.sampled_from([b"", b"namespace a {\n", b'extern "C" { ']))
def test_so_is_it_where_brackets_match(changes: list[tuple[float, int, list[bytes]]], around: bytes) -> None:
    whole = text = around + b"".join(FUNCTIONS) + (b"}" if around else b"")
    known = Declarations.of(whole)
    for place, size, new in changes:
        at = int(place * len(text))
        edited = text[:at] + b"".join(new) + text[at + size :]
        assert known.after(edited)._steps == Declarations.of(edited)._steps
        if Declarations.of(edited)._steps is not None:
            known, text = known.after(edited), edited


def test_only_what_is_near_an_edit_is_read() -> None:
    text = b"".join(b"int f%d() { return %d; }\n" % (n, n) for n in range(20_000))
    known = Declarations.of(text)
    edited = text.replace(b"return 9000;", b"return 2 * 9000;")
    after = known.after(edited)
    assert after.found[:8990] == known.found[:8990]
    assert all(new is old for new, old in zip(after.found[:8990], known.found, strict=False))
    assert after.found == Declarations.of(edited).found


@settings(deadline=None)
@given(EDITS, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40)), max_size=3))
def test_touched_looks_only_where_it_must(
    changes: list[tuple[float, int, list[bytes]]], places: list[tuple[float, int]]
) -> None:
    text = b"".join(FUNCTIONS)
    for place, size, new in changes:
        at = int(place * len(text))
        text = text[:at] + b"".join(new) + text[at + size :]
    hunks = [Hunk(int(at * len(text)), min(int(at * len(text)) + size, len(text)), b"x") for at, size in places]
    known = Declarations.of(text)
    reached: list[bytes] = []
    for found in known.found:
        start, end = text.rfind(b"\n", 0, found.start) + 1, text.find(b"\n", found.end) + 1 or len(text)
        if any(h.start < end and (start < h.end or (h.start == h.end and start < h.start)) for h in hunks):
            reached.append(text[start:end])
    assert known.touched(hunks) == tuple(reached)
