from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode_lsp.engine.events import HunkReport
from maxcode_lsp.engine.format import (
    Formatted,
    Formatter,
    KeptError,
    changed_lines,
    map_reports,
    read_styles,
    with_white_space,
)
from maxcode_lsp.engine.pursue import Observer, pursue
from maxcode_lsp.engine.trim import Trimmed
from maxcode_lsp.errors import SandboxLost
from maxcode_lsp.executor.sandbox import Command, Exit, Mount, Sandbox, open_sandbox
from maxcode_lsp.records import Candidate, Change, Critique, Hunk, Origin, candidate_id
from maxcode_lsp.search import Budget, Node
from maxcode_lsp.testing.fakes import FakeClock, FakeExecutor, FakePolicy, fake_job
from maxcode_lsp.text.edits import apply, diff
from maxcode_lsp.text.source import SourceText
from maxcode_lsp.text.tokens import tokens

ORIGINAL = b"""#include <vector>
#include <algorithm>
int   untouched( int a ){return a ;}

int sum(const std::vector<int>& v) {
  int s = 0;
  for (int x : v) s += x;
  return s;
}
int main() { return sum({1, 2}); }
"""
EDITED = ORIGINAL.replace(
    b"  for (int x : v) s += x;\n",
    b"    const int*p=v.data( );\nfor(std::size_t i=0;i<v.size();++i){s+=p[i];}\n",
)


async def run_tool(mounts: tuple[Mount, ...], command: Callable[[Sandbox], Command]) -> Exit:
    box = await open_sandbox(mounts, toolchain=True, memory_bytes=3 << 30)
    try:
        return await box.run(command(box))
    finally:
        await box.close()


def trimmed_of(original: bytes, edited: bytes) -> Trimmed:
    source = SourceText(original)
    hunks = diff(source.data, edited)
    change = Change("a.cpp", source.sha256, hunks)
    candidate = Candidate(candidate_id(edited), change, None, 1, Origin("test", ("act",), "Because."))
    reports = tuple(
        HunkReport(hunk, source.line_at(hunk.start), ("act",), "Because.", 1.5, (1.4, 1.6)) for hunk in hunks
    )
    return Trimmed(candidate, reports)


def in_project(folder: Path, style: str | bytes | None, name: str = "a.cpp") -> Path:
    (folder / "maxcode.toml").touch()
    if style is not None:
        (folder / ".clang-format").write_bytes(style if isinstance(style, bytes) else style.encode())
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


async def formatted(file: Path, original: bytes = ORIGINAL, edited: bytes = EDITED) -> tuple[bytes, Formatted]:
    """The normalised text that is left, after what holds for every answer was checked."""
    source = SourceText(original)
    trimmed = trimmed_of(original, edited)
    result = await Formatter(file, run_tool).format(source, trimmed)
    candidate = result.trimmed.candidate
    text = apply(source.data, candidate.change.hunks)
    assert [token.text for token in tokens(text)] == [token.text for token in tokens(edited)]
    assert candidate.id == candidate_id(text)
    assert [report.hunk for report in result.trimmed.reports] == list(candidate.change.hunks)
    assert candidate.change.base_sha256 == source.sha256
    return text, result


GOOGLE = b"""  int s = 0;
  const int* p = v.data();
  for (std::size_t i = 0; i < v.size(); ++i) {
    s += p[i];
  }
  return s;
"""
LLVM = b"""  int s = 0;
  const int *p = v.data();
  for (std::size_t i = 0; i < v.size(); ++i) {
    s += p[i];
  }
  return s;
"""
TABS = b"""\tint s = 0;
\tconst int* p = v.data();
\tfor (std::size_t i = 0; i < v.size(); ++i)
\t{
\t\ts += p[i];
\t}
\treturn s;
"""


TAB_STYLE = """BasedOnStyle: Google
UseTab: Always
IndentWidth: 4
TabWidth: 4
BreakBeforeBraces: Allman
DerivePointerAlignment: false
"""


@pytest.mark.parametrize(
    ("style", "indent", "expected"),
    [
        ("BasedOnStyle: Google\n", b"  ", GOOGLE),
        ("BasedOnStyle: LLVM\n", b"  ", LLVM),
        (TAB_STYLE, b"\t", TABS),
    ],
)
async def test_changed_lines_alone_get_the_style_of_the_project(
    tmp_path: Path, style: str, indent: bytes, expected: bytes
) -> None:
    original, edited = (text.replace(b"\n  ", b"\n" + indent) for text in (ORIGINAL, EDITED))
    text, result = await formatted(in_project(tmp_path, style), original, edited)
    start, end = edited.index(indent + b"int s"), edited.index(b"}\nint main")
    assert text == edited[:start] + expected + edited[end:]
    assert result.notes == ()
    assert [(r.worth, r.worth_ci95, r.why) for r in result.trimmed.reports] == [(1.5, (1.4, 1.6), "Because.")]


@pytest.mark.parametrize("style", [None, "DisableFormat: true\n", "BasedOnStyle: Nope\n", "\t:::", b"\xff\x00\xfe"])
async def test_without_a_usable_style_the_edit_stays(tmp_path: Path, style: str | bytes | None) -> None:
    text, result = await formatted(in_project(tmp_path, style))
    assert text == EDITED
    if style is None:
        assert result.notes == ()
    else:
        (note,) = result.notes
        assert note.startswith("The edit is not formatted in the project's style: ")
        assert ("DisableFormat" in note) == (style == "DisableFormat: true\n")


async def test_the_nearest_style_holds_and_may_inherit(tmp_path: Path) -> None:
    file = in_project(tmp_path, "BasedOnStyle: LLVM\n", "deep/er/a.cpp")
    (tmp_path / "deep" / "_clang-format").write_text("BasedOnStyle: InheritParentConfig\nBreakBeforeBraces: Allman\n")
    text, result = await formatted(file)
    assert b"\n  const int *p = v.data();\n  for (std::size_t i = 0; i < v.size(); ++i)\n  {\n" in text
    assert result.notes == ()


async def test_a_style_above_the_project_does_not_hold(tmp_path: Path) -> None:
    (tmp_path / ".clang-format").write_text("BasedOnStyle: Google\n")
    inner = tmp_path / "project"
    inner.mkdir()
    text, result = await formatted(in_project(inner, None))
    assert (text, result.notes) == (EDITED, ())


async def test_what_the_project_has_ignored_stays(tmp_path: Path) -> None:
    file = in_project(tmp_path, "BasedOnStyle: Google\n", "vendored/a.cpp")
    (tmp_path / ".clang-format-ignore").write_text("vendored/*\n")
    text, result = await formatted(file)
    assert (text, result.notes) == (EDITED, ())


async def test_includes_keep_their_order(tmp_path: Path) -> None:
    edited = ORIGINAL.replace(b"#include <vector>\n", b"#include <vector>\n#include <array>\n")
    file = in_project(tmp_path, "BasedOnStyle: Google\nSortIncludes: CaseSensitive\nIncludeBlocks: Regroup\n")
    text, _ = await formatted(file, edited=edited)
    assert text == edited


async def test_settings_that_change_tokens_change_none(tmp_path: Path) -> None:
    style = (
        "BasedOnStyle: LLVM\nColumnLimit: 30\nInsertBraces: true\nRemoveParentheses: ReturnStatement\n"
        "QualifierAlignment: Right\nSortUsingDeclarations: true\nFixNamespaceComments: true\nReflowComments: Always\n"
        "RemoveSemicolon: true\nIntegerLiteralSeparator: {Decimal: 3}\n"
        "InsertNewlineAtEOF: true\nStandard: Cpp03\nLineEnding: CRLF\n"
    )
    put_in = (
        b"namespace q{using std::vector;using std::max;int k(){const int z=1234567;"
        b"std::vector<std::vector<int>>v;if(v.empty())return(z);// a comment longer than any line may be here\n"
        b'const char*s="a string longer than any line may be here";return(s[0]);};}\n'
    )
    text, result = await formatted(in_project(tmp_path, style), edited=ORIGINAL + put_in)
    assert b"const int z = 1234567;\n" in text
    assert b"\r" not in text
    assert result.notes == ()


async def test_macros_and_raw_strings_are_left_alone(tmp_path: Path) -> None:
    put_in = (
        b"#define  SWAP(a,b)  do{ auto t=a;\\\n a=b; b=t; }   while(0)\n"
        b'const char*raw=R"(  a\n      b  \n)" ;\n'
        b"  #  pragma   GCC  ivdep\nint z(){int a=1,b=2;SWAP(a,b) ;return a;}\n"
    )
    text, _ = await formatted(in_project(tmp_path, "BasedOnStyle: Google\n"), edited=ORIGINAL + put_in)
    assert b"#define  SWAP(a,b)  do{ auto t=a;\\\n a=b; b=t; }   while(0)\n" in text
    assert b'const char* raw = R"(  a\n      b  \n)";\n' in text
    assert b"int z() {\n  int a = 1, b = 2;\n" in text


async def test_a_file_with_crlf_keeps_its_line_ends(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf" + ORIGINAL.replace(b"\n", b"\r\n")
    text, result = await formatted(in_project(tmp_path, "BasedOnStyle: Google\n"), original=raw)
    assert GOOGLE in text
    rendered = SourceText(raw).render(result.trimmed.candidate.change.hunks)
    assert rendered == b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")


async def test_a_huge_hunk(tmp_path: Path) -> None:
    put_in = b"".join(b"int f%d(int a){return a+%d;}\n" % (n, n) for n in range(5000))
    text, result = await formatted(in_project(tmp_path, "BasedOnStyle: Google\n"), edited=ORIGINAL + put_in)
    assert text.count(b") { return a + ") == 5000
    assert len(result.trimmed.reports) == 1


async def test_a_style_file_that_cannot_be_used(tmp_path: Path) -> None:
    file = in_project(tmp_path, b"# " + b"x" * (1 << 20))
    _, result = await formatted(file)
    assert "larger than 1 MB" in result.notes[0]
    (tmp_path / ".clang-format").unlink()
    os.mkfifo(tmp_path / ".clang-format")
    assert read_styles(file) == {}


async def test_a_lost_sandbox_is_a_note(tmp_path: Path) -> None:
    async def lost(mounts: tuple[Mount, ...], command: Callable[[Sandbox], Command]) -> Exit:
        raise SandboxLost("The sandbox is gone.")

    trimmed = trimmed_of(ORIGINAL, EDITED)
    file = in_project(tmp_path, "BasedOnStyle: Google\n")
    result = await Formatter(file, lost).format(SourceText(ORIGINAL), trimmed)
    assert result.trimmed is trimmed
    assert "The sandbox is gone. It is right all the same" in result.notes[0]


@pytest.mark.parametrize("limit", ["timed_out", "overflowed"])
async def test_a_tool_past_its_limits_is_a_note(tmp_path: Path, limit: str) -> None:
    async def slow(mounts: tuple[Mount, ...], command: Callable[[Sandbox], Command]) -> Exit:
        reached = {"timed_out": limit == "timed_out", "overflowed": limit == "overflowed"}
        return Exit(
            code=None, signal=9, leftovers=0, wall_ns=1, cpu_ns=1, max_rss_bytes=1, stdout=b"", stderr=b"", **reached
        )

    trimmed = trimmed_of(ORIGINAL, EDITED)
    file = in_project(tmp_path, "BasedOnStyle: Google\n")
    result = await Formatter(file, slow).format(SourceText(ORIGINAL), trimmed)
    assert result.trimmed is trimmed
    assert "reached its limits" in result.notes[0]


def report(start: int, end: int, worth: float | None, *actions: str, why: str = "") -> HunkReport:
    return HunkReport(Hunk(start, end, b"x\n"), 1, actions, why or f"{actions[0]}.", worth, None)


def test_hunks_that_became_one_carry_all_that_is_known() -> None:
    source = SourceText(b"a\n" * 20)
    old = [report(4, 6, 1.2, "one"), report(8, 8, None, "two"), report(12, 14, 1.7, "three", "one")]
    (merged,) = map_reports(source, [Hunk(2, 16, b"y\n")], old)
    assert merged.actions == ("one", "two", "three")
    assert (merged.worth, merged.first_line, merged.why) == (1.7, 2, "one. two. three.")


def test_hunks_that_came_apart_are_told_the_same() -> None:
    source = SourceText(b"a\n" * 20)
    new = [Hunk(4, 6, b"y\n"), Hunk(10, 10, b"y\n"), Hunk(30, 32, b"y\n")]
    told = list(map_reports(source, new, [report(4, 12, 1.2, "one"), report(20, 22, None, "two")]))
    assert [(r.actions, r.worth) for r in told] == [(("one",), 1.2), (("one",), 1.2), (("two",), None)]
    assert [r.hunk for r in told] == new


def test_a_reason_is_given_once() -> None:
    old = [
        report(0, 2, 1.2, "one", why="A."),
        report(4, 6, 1.2, "one", "two", why="A. B."),
        report(8, 10, 1.2, "one", why="A."),
    ]
    (merged,) = map_reports(SourceText(b"a\n" * 20), [Hunk(0, 12, b"y\n")], old)
    assert merged.why == "A. B."


def test_lines_that_an_edit_puts_in() -> None:
    source = SourceText(b"1\n2\n3\n4\n5\n6\n")
    hunks = (Hunk(0, 2, b""), Hunk(4, 6, b"a\nb\nc\n"), Hunk(8, 8, b"d\n"), Hunk(10, 12, b"e"))
    assert apply(source.data, hunks) == b"2\na\nb\nc\n4\nd\n5\ne"
    assert changed_lines(hunks, source) == [range(2, 5), range(6, 7), range(8, 9)]
    assert changed_lines((Hunk(0, 2, b"a\n"), Hunk(2, 2, b"b\n")), source) == [range(1, 3)]


FRAGMENTS = st.sampled_from(
    [
        b"int a=1;\n",
        b"// say  it\n",
        b"/* a\n   b */",
        b'f("x  y");',
        b"if(a)b();else{c();}\n",
        b"#define M(x)  x+\\\n 1\n",
        b'R"(  \n )"',
        b"a- -b;",
        b"v<w<1> > q;",
        b"1'000",
        b"#if  A\n",
        b"\n\n\n",
        b"  ",
        b"\t",
        b"'\"'",
        b"}",
        b"{",
        b"\\\n",
        b"\xff",
        b"\x0c",
        b"template<class T>struct S{T t;};\n",
        b"x ? y:z;",
        b"[&](auto&&q){return q;}",
        b'"open',
        b"#",
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=25).map(b"".join)


@given(TEXTS, st.data())
def test_no_wish_for_white_space_changes_tokens(text: bytes, data: st.DataObject) -> None:
    places = st.integers(0, len(text))
    blanks = st.sampled_from([b"", b" ", b"\n", b"\n    ", b"\t"])
    pairs = data.draw(st.lists(st.tuples(places, places, blanks), max_size=6))
    wanted = [Hunk(min(a, b), max(a, b), blank) for a, b, blank in pairs]
    try:
        result = with_white_space(text, wanted)
    except KeptError:
        result = text
    assert [token.text for token in tokens(result)] == [token.text for token in tokens(text)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    original=TEXTS.map(lambda text: SourceText(text).data),
    put_in=TEXTS,
    style=st.sampled_from(["Google", "LLVM", "GNU", "WebKit", "Microsoft", "Mozilla", "Chromium"]),
)
async def test_tokens_never_change(tmp_path: Path, original: bytes, put_in: bytes, style: str) -> None:
    file = in_project(tmp_path, f"BasedOnStyle: {style}\nInsertBraces: true\nColumnLimit: 40\n")
    middle = len(original) // 2
    await formatted(file, original, original[:middle] + put_in + original[middle:])


async def test_what_is_confirmed_is_the_formatted_edit(tmp_path: Path) -> None:
    judged: list[Candidate] = []
    executor = FakeExecutor(lambda text: 50 if b"int*p" in text.replace(b" ", b"") else 100, on_evaluate=judged.append)
    base = await executor.prepare(fake_job(ORIGINAL))
    source = SourceText(ORIGINAL)
    old, new = (text[text.index(b"  int s = 0;\n") : text.index(b"  return s;")] for text in (ORIGINAL, EDITED))

    async def uncritical(node: Node) -> Critique:
        return Critique()

    pursuit = await pursue(
        executor,
        base,
        source,
        [FakePolicy({"pointer": (old, new)})],
        "greedy",
        Budget(FakeClock(), 8, 60),
        Observer(
            on_phase=lambda phase: None,
            on_trial=lambda trial: None,
            critique=uncritical,
            on_asked=lambda asked: asked.elapsed_s,
            on_decision=lambda decided: None,
        ),
        lambda: 60.0,
        Formatter(in_project(tmp_path, "BasedOnStyle: Google\n"), run_tool),
    )
    assert pursuit.winner is not None
    assert GOOGLE in apply(ORIGINAL, pursuit.winner.change.hunks)
    assert judged[-1] == pursuit.winner
    assert pursuit.confirmation is not None
    assert pursuit.confirmation.candidate == pursuit.winner.id
    assert [report.hunk for report in pursuit.reports] == list(pursuit.winner.change.hunks)
