from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.text.blame import Blame
from maxcode_lsp.text.edits import apply, diff, split_lines

TEXT = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n", b"}\n"]), max_size=10).map(b"".join)
STEPS = st.lists(TEXT, max_size=4)

ORIGINAL = b"#include <a>\n\nint f() {\n    x;\n    y;\n    z;\n}\n"


def test_each_hunk_has_its_own_actions() -> None:
    one = ORIGINAL.replace(b"    x;\n", b"    X;\n")
    two = one.replace(b"#include <a>\n", b"#include <a>\n#include <b>\n")
    three = two.replace(b"    z;\n", b"")
    blame = Blame.start(ORIGINAL).step(one, ("big-x",)).step(two, ("use-b",)).step(three, ("no-z",))
    assert [blame.of(hunk) for hunk in diff(ORIGINAL, three)] == [("use-b",), ("big-x",), ("no-z",)]


def test_a_line_written_twice_is_owed_to_both_in_order() -> None:
    one = ORIGINAL.replace(b"    x;\n", b"    X;\n")
    two = one.replace(b"    X;\n", b"    XX;\n    XXX;\n")
    blame = Blame.start(ORIGINAL).step(one, ("second",)).step(two, ("first",))
    (hunk,) = diff(ORIGINAL, two)
    assert blame.of(hunk) == ("second", "first")


def test_a_part_of_the_hunks_still_finds_its_actions() -> None:
    one = ORIGINAL.replace(b"    x;\n", b"    X;\n    X2;\n")
    two = one.replace(b"    z;\n", b"    Z;\n")
    blame = Blame.start(ORIGINAL).step(one, ("a",)).step(two, ("b",))
    hunks = diff(ORIGINAL, two)
    trimmed = apply(ORIGINAL, hunks[1:])
    assert [blame.of(hunk) for hunk in diff(ORIGINAL, trimmed)] == [("b",)]


def test_an_insertion_at_the_end() -> None:
    blame = Blame.start(b"a\n").step(b"a\nb\n", ("tail",))
    (hunk,) = diff(b"a\n", b"a\nb\n")
    assert blame.of(hunk) == ("tail",)


@given(TEXT, STEPS)
def test_every_hunk_has_actions_and_only_known_ones(original: bytes, steps: list[bytes]) -> None:
    blame = Blame.start(original)
    for number, text in enumerate(steps):
        blame = blame.step(text, (f"action-{number}",))
        assert len(blame.lines) == len(split_lines(text))
    final = steps[-1] if steps else original
    changed = {f"action-{n}" for n, (old, new) in enumerate(zip([original, *steps], steps, strict=False)) if old != new}
    for hunk in diff(original, final):
        actions = blame.of(hunk)
        assert actions and set(actions) <= changed
        assert list(actions) == sorted(actions)


@given(TEXT, STEPS)
def test_unwritten_lines_are_the_original_ones(original: bytes, steps: list[bytes]) -> None:
    blame = Blame.start(original)
    for text in steps:
        blame = blame.step(text, ("x",))
    before, now = split_lines(original), split_lines(blame.text)
    for line, text in zip(blame.lines, now, strict=True):
        if not line.actions:
            assert before[line.anchor] == text
