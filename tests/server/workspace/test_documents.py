from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from maxcode_lsp.server.workspace.documents import Document, Documents
from maxcode_lsp.text.positions import Encoding, Position, Positions, encoded

URI = "file:///folder/program.cpp"
PIECES = st.sampled_from(["a", "int x;", "é", "😀", "\ufeff", "\f", "\x85", "\u2028", "\r\n", "\r", "\n", "\ud83d"])
TEXTS = st.lists(PIECES, max_size=10).map("".join)
PLACES = st.builds(types.Position, st.integers(0, 8), st.integers(0, 2**31 - 1) | st.integers(0, 12))
PARTIAL = st.builds(types.TextDocumentContentChangePartial, st.builds(types.Range, PLACES, PLACES), TEXTS)
WHOLE = st.builds(types.TextDocumentContentChangeWholeDocument, TEXTS)
CHANGES = st.lists(PARTIAL | PARTIAL | WHOLE, max_size=6)
PROGRAM = "struct A { int row(int i) { return i; } };\nint main() {\n    return 0;\n}\n"


def opened(text: str, encoding: Encoding = Encoding.UTF16, uri: str = URI, language: str = "cpp") -> Document:
    return Documents(encoding).open(types.TextDocumentItem(uri, language, 1, text))


def partial(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), text)


def model(text: str, change: types.TextDocumentContentChangeEvent, encoding: Encoding) -> str:
    new = encoded(change.text).decode()
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return new
    positions = Positions(text, encoding)
    places = (change.range.start, change.range.end)
    start, end = sorted(positions.index(Position(place.line, place.character)) for place in places)
    return text[:start] + new + text[end:]


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.sampled_from(Encoding), st.lists(CHANGES, max_size=4))
def test_changes_give_the_text_that_the_editor_has(
    text: str, encoding: Encoding, messages: list[list[types.TextDocumentContentChangeEvent]]
) -> None:
    known = Documents(encoding)
    document = known.open(types.TextDocumentItem(URI, "cpp", 1, text))
    text = encoded(text).decode()
    for version, changes in enumerate(messages):
        assert known.change(URI, version, changes) is document
        for change in changes:
            text = model(text, change, encoding)
        assert document.text == text
        assert document.source.raw == text.encode()
        assert document.version == version
        fresh = Positions(text, encoding)
        for at in range(len(document.source.data) + 1):
            place = document.position(at)
            assert Position(place.line, place.character) == fresh.position(at)
            assert document.offset(place) == fresh.offset(fresh.position(at))


def test_the_faults_of_stock_documents() -> None:
    documents_ = Documents(Encoding.UTF16)
    document = documents_.open(types.TextDocumentItem(URI, "cpp", 1, "a\fb\nint x;"))
    documents_.change(URI, 2, [partial((1, 0), (1, 3), "long")])
    assert document.text == "a\fb\nlong x;"
    documents_.change(URI, 3, [partial((0, 0), (99, 99), "abc")])
    documents_.change(URI, 4, [partial((0, 0), (0, 99), "Z")])
    assert document.text == "Z"
    documents_.change(URI, 5, [partial((0, 0), (0, 1), "😀😀"), partial((7, 0), (7, 0), "!")])
    assert document.text == "😀😀!"
    assert document.position(99) == types.Position(0, 5)


def test_a_range_that_is_reversed() -> None:
    known = Documents()
    document = known.open(types.TextDocumentItem(URI, "cpp", 1, "one\ntwo\n"))
    known.change(URI, 2, [partial((1, 3), (0, 3), " ")])
    assert document.text == "one \n"


def test_open_close_and_spellings() -> None:
    known = Documents()
    assert known.change(URI, 2, []) is None
    assert known.close(URI) is None
    first = known.open(types.TextDocumentItem("FILE://localhost/folder/%70rogram.cpp", types.LanguageKind.Cpp, 1, "x"))
    assert (first.uri, first.path, first.language_id) == (URI, Path("/folder/program.cpp"), "cpp")
    assert known.get("file:/folder/./program.cpp") is first
    mark = first.mark(0, 1)
    second = known.open(types.TextDocumentItem(URI, "c", 7, "y"))
    assert not mark.alive
    assert known.get(URI) is second
    assert known.close(URI) is second
    assert known.get(URI) is None


def test_the_source_is_made_once_a_version() -> None:
    known = Documents()
    document = known.open(types.TextDocumentItem(URI, "cpp", 1, PROGRAM))
    source, main = document.source, document.main()
    assert document.source is source
    assert document.main() is main
    known.change(URI, 2, [partial((0, 0), (0, 0), "\n")])
    assert document.source is not source
    after = document.main()
    assert main is not None and after is not None and after.start == main.start + 1


def test_versions_may_be_anything() -> None:
    known = Documents()
    versions: list[Any] = [7, 7, -1, None, "3"]
    document = known.open(types.TextDocumentItem(URI, "cpp", 2**31 - 1, ""))
    for version in versions:
        known.change(URI, version, [partial((0, 0), (0, 0), "x")])
        assert document.version == version
    assert document.text == "xxxxx"


class TestInactive:
    @pytest.mark.parametrize(
        ("uri", "language", "text", "why"),
        [
            (URI, "cuda", "", "CUDA targets are coming"),
            (URI, "cuda-cpp", "", "CUDA targets are coming"),
            ("file:///a/kernel.cu", "cpp", "", "CUDA targets are coming"),
            (URI, "python", "", "“python”"),
            ("untitled:Untitled-1", "cpp", "", "Save it"),
            ("git:/a/b.cpp", "cpp", "", "not a file on this machine"),
            (URI, "cpp", "int main() {}\n" * 150_000, "larger than 2 MB"),
            (URI, "cpp", "i\0n\0t\0", "zero bytes"),
        ],
    )
    def test_says_why(self, uri: str, language: str, text: str, why: str) -> None:
        document = opened(text, uri=uri, language=language)
        assert why in document.inactive
        assert document.function_at(4) is None
        assert document.main() is None

    @pytest.mark.parametrize("language", ["c", "cpp"])
    def test_served(self, language: str) -> None:
        document = opened(PROGRAM, language=language)
        assert document.main() is not None
        assert document.inactive == ""

    def test_huge_text_stays_exact(self) -> None:
        known = Documents()
        document = known.open(types.TextDocumentItem(URI, "cpp", 1, "int x; // é\r\n" * 4_000_000))
        assert "larger than" in document.inactive
        known.change(URI, 2, [partial((3_999_999, 11), (3_999_999, 99), "!")])
        assert document.text.endswith("int x; // é!\r\n")
        known.change(URI, 3, [partial((1, 0), (4_000_000, 0), "int main() {}\n")])
        assert document.inactive == ""
        assert document.text == "int x; // é\r\nint main() {}\n"
        assert document.main() is not None


class TestMarks:
    @settings(deadline=None, max_examples=300)
    @given(
        st.text("ab\n", max_size=12),
        st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=3),
        st.lists(st.tuples(st.integers(0, 14), st.integers(0, 4), st.text("ab\n", max_size=3)), max_size=5),
    )
    def test_like_the_model(
        self, text: str, stretches: list[tuple[int, int]], edits: list[tuple[int, int, str]]
    ) -> None:
        """The model: each character has a name, and a mark is the names of its characters."""
        known = Documents(Encoding.UTF8)
        document = known.open(types.TextDocumentItem(URI, "cpp", 1, text))
        names, fresh = list(range(len(text))), len(text)
        marks = [(m, names[m.start : m.end]) for m in (document.mark(*stretch) for stretch in stretches)]
        for at, size, new in edits:
            start, end = (min(place, len(names)) for place in (at, at + size))
            places = types.Range(document.position(start), document.position(end))
            known.change(URI, 2, [types.TextDocumentContentChangePartial(places, new)])
            names[start:end] = range(fresh, fresh + len(new))
            fresh += len(new)
            for mark, marked in marks:
                whole = any(names[i : i + len(marked)] == marked for i in range(len(names) + 1))
                assert mark.alive is False or (whole and names[mark.start : mark.end] == marked)
                assert mark.alive or not marked or not whole

    @settings(deadline=None)
    @given(TEXTS, st.sampled_from(Encoding), CHANGES, st.tuples(st.integers(0, 30), st.integers(0, 30)))
    def test_a_living_mark_has_its_text(
        self,
        text: str,
        encoding: Encoding,
        changes: list[types.TextDocumentContentChangeEvent],
        stretch: tuple[int, int],
    ) -> None:
        known = Documents(encoding)
        document = known.open(types.TextDocumentItem(URI, "cpp", 1, text))
        mark = document.mark(*stretch)
        marked = document.source.data[mark.start : mark.end]
        known.change(URI, 2, changes)
        assert not mark.alive or document.source.data[mark.start : mark.end] == marked

    def test_edits_around_leave_it(self) -> None:
        known = Documents()
        document = known.open(types.TextDocumentItem(URI, "cpp", 1, "one two three\r\nfour"))
        mark, gone = document.mark(4, 7), document.mark(0, 3)
        known.change(URI, 2, [partial((0, 4), (0, 4), "x"), partial((0, 8), (0, 8), "two")])
        assert (mark.start, mark.end, mark.alive) == (5, 8, True)
        document.unmark(gone)
        known.change(URI, 3, [partial((0, 0), (0, 5), "")])
        assert (mark.start, mark.end, mark.alive) == (0, 3, True)
        assert (gone.start, gone.alive) == (0, True)  # forgotten
        known.change(URI, 4, [partial((0, 1), (0, 1), "!")])
        assert not mark.alive

    def test_a_whole_new_text_touches_what_differs(self) -> None:
        known = Documents()
        document = known.open(types.TextDocumentItem(URI, "cpp", 1, "alpha\nbeta\ngamma\n"))
        alpha, beta, gamma = document.mark(0, 5), document.mark(6, 10), document.mark(11, 16)
        known.change(URI, 2, [types.TextDocumentContentChangeWholeDocument("alpha\r\nBETTER\r\ngamma\r\n")])
        assert (alpha.start, alpha.alive) == (0, True)
        assert not beta.alive
        assert (gamma.start, gamma.end, gamma.alive) == (13, 18, True)
        known.change(URI, 3, [types.TextDocumentContentChangeWholeDocument("alpha\nBETTER\ngamma\n")])
        assert gamma.alive  # line ends are no text

    def test_out_of_range(self) -> None:
        document = opened("abc")
        mark = document.mark(-4, 99)
        assert (mark.start, mark.end) == (0, 3)
        backwards = document.mark(2, 1)
        assert (backwards.start, backwards.end) == (2, 2)


def test_ranges_of_lines() -> None:
    document = opened("\tint x;\r\n    int 😀; \n\nlast")
    assert document.lines(1, 1) == types.Range(types.Position(0, 1), types.Position(0, 7))
    assert document.lines(1, 2) == types.Range(types.Position(0, 1), types.Position(1, 12))
    assert document.lines(3, 3) == types.Range(types.Position(2, 0), types.Position(2, 0))
    assert document.lines(0, 99) == types.Range(types.Position(0, 1), types.Position(3, 4))
    assert document.lines(4, 2) == types.Range(types.Position(3, 0), types.Position(3, 4))


def test_cpp_has_another_spelling() -> None:
    item = types.TextDocumentItem(uri="file:///a.cpp", language_id="c++", version=1, text="int main() {}")
    document = Documents().open(item)
    assert (document.language_id, document.inactive) == ("cpp", "")
