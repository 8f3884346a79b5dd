from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types
from msgspec.structs import replace

from maxcode_lsp.engine.events import HunkReport, RunResult
from maxcode_lsp.records import Hunk, RunStatus
from maxcode_lsp.server.connection.editor import Abilities
from maxcode_lsp.server.runs.edits import Change, Fitted, Piece, change_of, difference, fit, workspace_edit
from maxcode_lsp.server.workspace.documents import Document, Documents
from maxcode_lsp.text import edits
from maxcode_lsp.text.declarations import Declarations
from maxcode_lsp.text.positions import Encoding
from maxcode_lsp.text.rebase import rebase
from maxcode_lsp.text.source import SourceText
from tests.server.model_text import applied

LINES = ["int x;", "\tf();", "é = \U0001f600;", "a\fb", "}", "", "  // \u2028 x", "{", "y\x85z"]
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
TEXT = st.tuples(
    st.sampled_from(["", "\ufeff"]),
    st.lists(st.tuples(st.sampled_from(LINES), ENDS), max_size=10),
    st.sampled_from(["", *LINES]),
).map(lambda parts: parts[0] + "".join(line + end for line, end in parts[1]) + parts[2])
ENCODINGS = st.sampled_from(list(Encoding))
EVERYTHING = Abilities(document_changes=True, annotations=True)


def document(text: str, encoding: Encoding = Encoding.UTF16, version: int = 7) -> Document:
    return Documents(encoding).open(types.TextDocumentItem("file:///w/a.cpp", "cpp", version, text))


def the_document(edit: types.WorkspaceEdit) -> types.TextDocumentEdit:
    assert edit.document_changes is not None and len(edit.document_changes) == 1
    one = edit.document_changes[0]
    assert isinstance(one, types.TextDocumentEdit)
    return one


def the_edits(edit: types.WorkspaceEdit) -> list[types.TextEdit | types.AnnotatedTextEdit]:
    if edit.changes is not None:
        assert len(edit.changes) == 1
        return list(next(iter(edit.changes.values())))
    one = the_document(edit)
    found = [each for each in one.edits if not isinstance(each, types.SnippetTextEdit)]
    assert len(found) == len(one.edits)
    return found


def change(base: SourceText, hunks: Iterable[Hunk]) -> Change:
    return Change(base, [Piece(hunk, "label", "why") for hunk in hunks])


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, tuple[Hunk, ...]]:
    """A text and hunks of it that start and end between characters."""
    text = draw(TEXT)
    data = SourceText(text.encode()).data
    between = [at for at in range(len(data) + 1) if at == len(data) or data[at] & 0xC0 != 0x80]
    cuts = sorted(draw(st.lists(st.sampled_from(between), max_size=6)))
    cuts = cuts[: len(cuts) // 2 * 2]
    hunks: list[Hunk] = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        if not hunks or start > hunks[-1].end:
            hunks.append(Hunk(start, end, draw(st.sampled_from(["", "q", "\n", "int é;\n\U0001f600\n"])).encode()))
    return text, tuple(hunks)


@given(cases(), ENCODINGS)
def test_an_editor_makes_exactly_the_rendered_text(case: tuple[str, tuple[Hunk, ...]], encoding: Encoding) -> None:
    text, hunks = case
    here = document(text, encoding)
    fitted = fit(change(here.source, hunks), here.source)
    assert fitted is not None
    for can in (EVERYTHING, Abilities(document_changes=True), Abilities()):
        made = applied(text, the_edits(workspace_edit(fitted, here, can)), encoding)
        assert made.encode() == fitted.after.raw
        assert SourceText(made.encode()).sha256 == fitted.after.sha256
    assert fitted.after.data == edits.apply(here.source.data, hunks)


@given(cases())
def test_edits_are_no_larger_than_their_hunks(case: tuple[str, tuple[Hunk, ...]]) -> None:
    text, hunks = case
    source = SourceText(text.encode())
    fitted = fit(change(source, hunks), source)
    assert fitted is not None
    for piece, hunk in zip(fitted.pieces, hunks, strict=True):
        assert hunk.start <= piece.hunk.start <= piece.hunk.end <= hunk.end
        assert len(piece.hunk.replacement) <= len(hunk.replacement)


@given(cases(), TEXT, TEXT, ENCODINGS)
def test_what_moved_is_changed_where_it_is_and_nothing_else(
    case: tuple[str, tuple[Hunk, ...]], before: str, after: str, encoding: Encoding
) -> None:
    text, hunks = case
    base = SourceText(text.encode())
    now = document(before + text.removeprefix("\ufeff") + after, encoding)
    fitted = fit(change(base, hunks), now.source)
    if fitted is None:
        return
    made = applied(now.text, the_edits(workspace_edit(fitted, now, EVERYTHING)), encoding)
    assert made.encode() == fitted.after.raw
    outside: list[bytes] = []
    at = 0
    for piece in fitted.pieces:
        outside.append(now.source.data[at : piece.hunk.start])
        at = piece.hunk.end
    outside.append(now.source.data[at:])
    pattern = rb"(?s:.*)".join(re.escape(kept) for kept in outside)
    assert re.fullmatch(pattern, fitted.after.data)


FUNCTIONS = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=8)
"""For each: the result changes it, the user changed it, the user put another one before it."""


@given(FUNCTIONS, ENDS, st.sampled_from(["", "\ufeff"]), ENCODINGS)
def test_functions_are_changed_wherever_they_are_unless_they_changed(
    functions: list[tuple[bool, bool, bool]], end: str, mark: str, encoding: Encoding
) -> None:
    base, edited, now, wanted = "", "", "", ""
    for number, (ours, theirs, before) in enumerate(functions):
        head, body = f"int f{number}()\n{{ // é\n", f"    return {number};\n}}\n\n"
        other = f"static int new{number} = {number};\n" if before else ""
        base += head + body
        edited += head + ("    \U0001f600();\n" if ours else "") + body
        now += other + head + ("    theirs();\n" if theirs else "") + body
        wanted += other + head + ("    \U0001f600();\n" if ours else "") + ("    theirs();\n" if theirs else "") + body
    here = document(mark + now.replace("\n", end), encoding)
    old = SourceText(base.encode())
    fitted = fit(difference(old, SourceText(edited.encode()), ""), here.source)
    if any(ours and theirs for ours, theirs, _ in functions):
        assert fitted is None
        return
    assert fitted is not None
    made = applied(here.text, the_edits(workspace_edit(fitted, here, EVERYTHING)), encoding)
    assert made == mark + wanted.replace("\n", end)


TYPED = st.sampled_from(
    ["x", "int a;\n", "{", "}", "/*", "*/", "\n", "// }\n", "(", 'R"(', "namespace n {\n", "#define A {\n"]
)
TYPING = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20), TYPED), min_size=1, max_size=6)


@settings(deadline=None, max_examples=300)
@given(TYPING, st.sampled_from(["", "namespace a {\n"]))
def test_whether_it_fits_is_told_as_by_reading_everything(typing: list[tuple[float, int, str]], around: str) -> None:
    body = "".join(f"int f{n}()\n{{\n    return {n}; // a line\n}}\n\n" for n in range(6))
    base = SourceText((around + body + ("}\n" if around else "")).encode())
    made = difference(base, SourceText(base.raw.replace(b"return 3;", b"return 1 + 2;")), "")
    text = base.raw
    for place, size, new in typing:
        at = int(place * len(text))
        text = text[:at] + new.encode() + text[at + size :]
        now = SourceText(text)
        hunks = rebase(made.hunks, base.data, now.data)
        whole = Declarations.of(now.data)
        same = hunks is not None and whole.touched(hunks) == Declarations.of(base.data).touched(made.hunks)
        fitted = fit(made, now)
        assert (fitted is not None) == (same or now.data == base.data)
        if fitted is not None and hunks is not None:
            assert fitted.after.data == edits.apply(now.data, hunks)


def test_a_change_can_be_taken_back() -> None:
    old, new = SourceText(b"a;\r\nb;\r\nc;\r\n"), SourceText(b"a;\r\nlong b;\r\nd;\r\nc;\r\n")
    there = fit(difference(old, new, "there"), old)
    assert there is not None and there.after.raw == new.raw
    back = fit(difference(there.after, old, "back"), there.after)
    assert back is not None and back.after.raw == old.raw


PROGRAM = """#include <cstdio>

int helper(int a) {
    return a * 2;
}

int main() {
    int total = 0;
    for (int i = 0; i < 3; ++i) total += helper(i);
    std::printf("%d\\n", total);
}
"""
FASTER = PROGRAM.replace("return a * 2;", "return a + a;").replace("++i) total += helper(i);", "++i) total += 2 * i;")


def result(base: str, edited: str, *, reports: bool = True) -> RunResult:
    old, new = SourceText(base.encode()), SourceText(edited.encode())
    hunks = edits.diff(old.data, new.data)
    worths = (1.8, None, 1.1)
    return RunResult(
        target="a.cpp",
        status=RunStatus.IMPROVED,
        speedup=2.0,
        ci95=(1.9, 2.1),
        evaluations=1,
        outcomes={},
        seconds=1.0,
        diff="",
        reason="",
        hunks=tuple(
            HunkReport(hunk, old.line_at(hunk.start), ("swap-loops", "restrict")[: 2 - n], f"Why {n}.", worth)
            for n, (hunk, worth) in enumerate(zip(hunks, worths, strict=False))
        )
        if reports
        else (),
        edited=new.raw,
    )


def fitted_to(now: str, base: str = PROGRAM, edited: str = FASTER) -> Fitted | None:
    source = SourceText(base.encode())
    made = change_of(result(base, edited), source)
    assert made is not None
    return fit(made, SourceText(now.encode()))


def test_the_same_text_gets_small_edits_with_their_worth() -> None:
    here = document(PROGRAM)
    fitted = fitted_to(PROGRAM)
    assert fitted is not None
    edit = workspace_edit(fitted, here, EVERYTHING)
    one = the_document(edit)
    assert (one.text_document.uri, one.text_document.version) == ("file:///w/a.cpp", 7)
    first, second = one.edits
    assert isinstance(first, types.AnnotatedTextEdit) and isinstance(second, types.AnnotatedTextEdit)
    assert (first.new_text, first.range.start) == ("+ a", types.Position(3, 13))
    assert second.new_text == "2 * i"
    assert edit.change_annotations == {
        first.annotation_id: types.ChangeAnnotation("MaxCode: swap loops + restrict (1.80× of it)", False, "Why 0."),
        second.annotation_id: types.ChangeAnnotation("MaxCode: swap loops", False, "Why 1."),
    }


def test_each_client_gets_what_it_can_take() -> None:
    here = document(PROGRAM)
    fitted = fitted_to(PROGRAM)
    assert fitted is not None
    plain = workspace_edit(fitted, here, Abilities(annotations=True))
    assert plain.document_changes is None and plain.change_annotations is None
    assert list(plain.changes or ()) == ["file:///w/a.cpp"]
    versioned = workspace_edit(fitted, here, Abilities(document_changes=True))
    assert versioned.change_annotations is None
    assert [type(edit) for edit in the_edits(versioned)] == [types.TextEdit] * 2
    closed = the_document(workspace_edit(fitted, here, EVERYTHING, is_open=False))
    assert closed.text_document.version is None


@pytest.mark.parametrize(
    "now",
    [
        "// new first line\n" + PROGRAM,
        PROGRAM.replace("int helper", "int unused() { return 1; }\n\nint helper"),
        PROGRAM + "\nint last() {\n    return 0;\n}\n",
        PROGRAM.replace("\n", "\r\n").replace("#include <cstdio>", "#include <cstdio>\r\n#include <vector>"),
    ],
)
def test_declarations_that_only_moved_are_changed_where_they_are(now: str) -> None:
    fitted = fitted_to(now)
    assert fitted is not None
    assert "return a + a;" in fitted.after.raw.decode()
    changed = now.replace("return a * 2;", "return a + a;").replace("helper(i)", "2 * i")
    assert fitted.after.raw.decode() == changed


@pytest.mark.parametrize(
    "now",
    [
        PROGRAM.replace("return a * 2;", "return a * 3;"),
        PROGRAM.replace("int total = 0;", "int total = 1;"),
        PROGRAM.replace("int helper(int a)", "int helper(long a)"),
        PROGRAM.replace("int helper", "template <int N>\nint helper"),
        PROGRAM.replace("int helper(int a) {\n    return a * 2;\n}\n", ""),
        PROGRAM.replace("    return a * 2;\n}", "    return a * 2;\n"),
        "",
    ],
)
def test_a_declaration_that_changed_is_left_alone(now: str) -> None:
    assert fitted_to(now) is None


def test_hunks_that_nobody_reported_take_the_words_of_their_neighbours() -> None:
    base = SourceText(PROGRAM.encode())
    told = result(PROGRAM, FASTER)
    formatted = FASTER.replace("return a + a;", "return (a + a);")
    other = result(PROGRAM, formatted, reports=False)
    mixed, bare = change_of(replace(told, edited=other.edited), base), change_of(other, base)
    assert mixed is not None and bare is not None
    assert [piece.label for piece in mixed.pieces] == [
        "MaxCode: swap loops + restrict (1.80× of it)",
        "MaxCode: swap loops",
    ]
    assert [piece.label for piece in bare.pieces] == ["MaxCode", "MaxCode"]
    fitted = fit(mixed, base)
    assert fitted is not None and fitted.after.raw == formatted.encode()


def test_the_worth_of_a_part_is_said_once() -> None:
    base, other = SourceText(PROGRAM.encode()), FASTER.replace("<cstdio>", "<cstdio>\n#include <array>")
    told = result(PROGRAM, other)
    part = HunkReport(Hunk(0, 0, b""), 1, ("swap-loops",), "Why.", 1.8)
    same = [replace(part, hunk=report.hunk, first_line=report.first_line) for report in told.hunks]
    assert len(same) == 3
    for worths, labels in {
        (1.8, 1.8, 1.8): ["1.80× of it", "part of the 1.80×", "part of the 1.80×"],
        (1.8, 1.2, 1.8): ["1.80× of it", "1.20× of it", "part of the 1.80×"],
    }.items():
        hunks = tuple(replace(report, worth=worth) for report, worth in zip(same, worths, strict=True))
        made = change_of(replace(told, hunks=hunks), base)
        assert made is not None
        assert [piece.label for piece in made.pieces] == [f"MaxCode: swap loops ({label})" for label in labels]


def test_pieces_side_by_side_stay_apart() -> None:
    source = SourceText(b"ab\ncd\n")
    fitted = fit(change(source, (Hunk(0, 3, b"ab\nx\n"), Hunk(3, 6, b"y\ncd\n"))), source)
    assert fitted is not None and fitted.after.raw == b"ab\nx\ny\ncd\n"


def test_what_is_not_utf8_fits_no_editor() -> None:
    base = SourceText(b'char a[] = "\xff";\nint b;\n')
    changed = SourceText(b'char a[] = "\xff";\nlong b;\n')
    assert fit(difference(base, changed, ""), base) is None
    shown = SourceText('char a[] = "ÿ";\nint b;\n'.encode())
    fitted = fit(difference(base, changed, ""), shown)
    assert fitted is not None and fitted.after.raw.decode() == 'char a[] = "ÿ";\nlong b;\n'
