from __future__ import annotations

import difflib
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.records import Hunk
from maxcode_lsp.text import edits

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"}\n", b"\n", b"\xff\f\n"]), max_size=12)
TEXT = st.tuples(LINES, st.sampled_from([b"", b"end", b"a"])).map(lambda parts: b"".join(parts[0]) + parts[1])


@st.composite
def hunks_for(draw: st.DrawFn, data: bytes) -> tuple[Hunk, ...]:
    """Valid hunks anywhere in the text, also inside lines."""
    size = len(data)
    count = draw(st.integers(0, 4))
    cuts = sorted(draw(st.lists(st.integers(0, size), min_size=2 * count, max_size=2 * count)))
    found: list[Hunk] = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        if not found or start > found[-1].end:
            found.append(Hunk(start, end, draw(st.sampled_from([b"", b"x", b"x\n", b"\n", b"one\ntwo\n"]))))
    return tuple(found)


@given(TEXT, TEXT)
def test_diff_makes_new_of_old(old: bytes, new: bytes) -> None:
    hunks = edits.diff(old, new)
    assert edits.apply(old, hunks) == new
    edits.check(hunks, len(old))
    assert (hunks == ()) == (old == new)


@given(TEXT, TEXT)
def test_what_agrees_at_the_ends_need_not_be_looked_at(old: bytes, new: bytes) -> None:
    a, b = edits.split_lines(old), edits.split_lines(new)
    starts = [sum(map(len, a[:line])) for line in range(len(a) + 1)]
    changes = edits._joined(a, edits._changes(a, b))
    assert edits.diff(old, new) == tuple(
        Hunk(starts[first], starts[last], b"".join(b[start:end])) for first, last, start, end in changes
    )


@given(TEXT, TEXT)
def test_diff_is_minimal_up_to_joining(old: bytes, new: bytes) -> None:
    a, b = edits.split_lines(old), edits.split_lines(new)
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            longest[i + 1][j + 1] = longest[i][j] + 1 if x == y else max(longest[i][j + 1], longest[i + 1][j])
    body = edits.unified(old, new, "f").split("\n")[2:]
    assert sum(row.startswith("-") for row in body) == len(a) - longest[-1][-1]
    assert sum(row.startswith("+") for row in body) == len(b) - longest[-1][-1]


@given(st.data(), TEXT)
def test_apply_equals_slicing(data: st.DataObject, text: bytes) -> None:
    hunks = data.draw(hunks_for(text))
    expected = text
    for hunk in reversed(hunks):
        expected = expected[: hunk.start] + hunk.replacement + expected[hunk.end :]
    assert edits.apply(text, hunks) == expected


def test_changes_apart_stay_apart_and_those_around_a_brace_join() -> None:
    old = b"a\nx\nkeep\ny\nb\n"
    assert edits.diff(old, b"a\nX\nkeep\nY\nb\n") == (Hunk(2, 4, b"X\n"), Hunk(9, 11, b"Y\n"))
    old = b"a\nx\n}\n\ny\nb\n"
    assert edits.diff(old, b"a\nX\n}\n\nY\nb\n") == (Hunk(2, 9, b"X\n}\n\nY\n"),)


@pytest.mark.parametrize(
    "hunks",
    [
        (Hunk(4, 6, b""), Hunk(5, 7, b"")),
        (Hunk(4, 3, b""),),
        (Hunk(-1, 0, b""),),
        (Hunk(0, 99, b""),),
        (Hunk(1, 1, b"a"), Hunk(1, 1, b"b")),
        (Hunk(0, 0, b"a\r\nb"),),
    ],
)
def test_bad_hunks_are_refused(hunks: tuple[Hunk, ...]) -> None:
    with pytest.raises(ValueError, match="hunk"):
        edits.apply(b"0123456789", hunks)


@given(TEXT, TEXT)
def test_unified_is_what_difflib_understands(old: bytes, new: bytes) -> None:
    shown = edits.unified(old, new, "dir/f.cpp")
    if old == new:
        assert shown == ""
        return
    assert shown.startswith("--- a/dir/f.cpp\n+++ b/dir/f.cpp\n@@ -")
    assert shown.endswith("\n")
    for row in shown.split("\n")[2:-1]:
        assert row[:1] in ("@", " ", "-", "+", "\\")


@pytest.mark.parametrize("name", ["solve.cpp", "with space.cpp", 'quo"te\\.cpp', "ümlaut.cpp", "tab\there.cpp"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", b"0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n12\n"),
        (b"a", b"a\n"),
        (b"a\n", b"a"),
        (b"a\nb", b"c\nb"),
        (b"", b"new\n"),
        (b"a\r\nb\r\n", b"a\r\nc\r\n"),
    ],
)
def test_git_applies_it(tmp_path: Path, name: str, old: bytes, new: bytes) -> None:
    (tmp_path / name).write_bytes(old)
    shown = edits.unified(old, new, name).encode()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=shown, check=True)
    assert (tmp_path / name).read_bytes() == new


def test_large_rewrite_is_one_hunk() -> None:
    old = b"".join(b"old %d\n" % i for i in range(5000))
    new = b"".join(b"new %d\n" % i for i in range(5000))
    assert edits.diff(b"head\n" + old + b"tail\n", b"head\n" + new + b"tail\n") == (Hunk(5, 5 + len(old), new),)


def test_agrees_with_difflib_on_code() -> None:
    old = b"int f() {\n    int s = 0;\n    for (int i = 0; i < 9; ++i)\n        s += i;\n    return s;\n}\n"
    new = old.replace(b"int s = 0;", b"long s = 0;").replace(b"    return s;\n", b"    s *= 2;\n    return s;\n")
    rows = difflib.unified_diff(old.decode().splitlines(True), new.decode().splitlines(True), "a/f", "b/f")
    assert edits.unified(old, new, "f") == "".join(rows)
