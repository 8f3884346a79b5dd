from __future__ import annotations

import hashlib
import re

from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.records import Hunk
from maxcode_lsp.text import edits
from maxcode_lsp.text.source import BOM, SourceText, normalise

PIECES = st.sampled_from([b"a", b"int x;", b"\f", b"\n", b"\r\n", b"\r", b"\xff", b"\xc3\xbc", b"\t"])
RAW = st.tuples(st.sampled_from([b"", BOM]), st.lists(PIECES, max_size=14)).map(
    lambda parts: parts[0] + b"".join(parts[1])
)


@st.composite
def edited(draw: st.DrawFn) -> tuple[SourceText, tuple[Hunk, ...]]:
    source = SourceText(draw(RAW))
    count = draw(st.integers(0, 3))
    places = st.integers(0, len(source.data))
    cuts = sorted(draw(st.lists(places, min_size=2 * count, max_size=2 * count)))
    hunks: list[Hunk] = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        if not hunks or start > hunks[-1].end:
            hunks.append(Hunk(start, end, draw(st.sampled_from([b"", b"y", b"\n", b"y\nz\n"]))))
    return source, tuple(hunks)


@given(RAW)
def test_normalised(raw: bytes) -> None:
    source = SourceText(raw)
    assert b"\r" not in source.data
    assert source.data == re.sub(b"\r\n|\r", b"\n", raw.removeprefix(BOM))
    assert source.sha256 == hashlib.sha256(source.data).hexdigest()
    assert b"\n".join(source.lines) == source.data
    assert source.render(()) == raw


@given(edited())
def test_render_is_apply_on_the_raw_bytes(case: tuple[SourceText, tuple[Hunk, ...]]) -> None:
    source, hunks = case
    assert normalise(source.render(hunks)) == edits.apply(source.data, hunks)


@given(edited())
def test_bytes_outside_the_hunks_stay(case: tuple[SourceText, tuple[Hunk, ...]]) -> None:
    source, hunks = case
    rendered = source.render(hunks)
    assert rendered.startswith(BOM) == source.raw.startswith(BOM)
    if hunks:
        head = source.data[: hunks[0].start]
        assert normalise(rendered).startswith(head)
        ends = [m.group() for m in re.finditer(b"\r\n?|\n", source.raw)][: head.count(b"\n")]
        kept = [m.group() for m in re.finditer(b"\r\n?|\n", rendered)][: head.count(b"\n")]
        assert kept == ends


@given(RAW, st.integers(0, 40))
def test_lines_and_offsets(raw: bytes, offset: int) -> None:
    source = SourceText(raw)
    offset = min(offset, len(source.data))
    line = source.line_at(offset)
    assert line == source.data.count(b"\n", 0, offset) + 1
    assert source.line_start(line) <= offset
    assert source.data[source.line_start(line) :].startswith(source.lines[line - 1])


def test_new_text_takes_the_line_end_of_its_place() -> None:
    source = SourceText(BOM + b"one\r\ntwo\nthree\rfour")
    assert source.data == b"one\ntwo\nthree\nfour"
    assert source.render((Hunk(0, 0, b"new\n"),)) == BOM + b"new\r\none\r\ntwo\nthree\rfour"
    assert source.render((Hunk(4, 8, b"2\n2\n"),)) == BOM + b"one\r\n2\n2\nthree\rfour"
    assert source.render((Hunk(8, 8, b"2\n"),)) == BOM + b"one\r\ntwo\n2\rthree\rfour"
    assert source.render((Hunk(14, 18, b"4\n5"),)) == BOM + b"one\r\ntwo\nthree\r4\r5"


def test_text_without_line_ends() -> None:
    assert SourceText(b"x").render((Hunk(1, 1, b"\ny\n"),)) == b"x\ny\n"
    assert SourceText(b"").render((Hunk(0, 0, b"y\n"),)) == b"y\n"
    assert SourceText(b"").lines == (b"",)


def test_lone_cr_and_lf_brought_together_stay_two_line_ends() -> None:
    source = SourceText(b"a\rx\nb")
    assert normalise(source.render((Hunk(2, 3, b""),))) == b"a\n\nb"


def test_form_feeds_and_odd_bytes_stay() -> None:
    raw = b"\f\nint \xe9;\x0b\x85\r\n\xe2\x80\xa8x"
    assert SourceText(raw).data == raw.replace(b"\r\n", b"\n")
    assert len(SourceText(raw).lines) == 3
