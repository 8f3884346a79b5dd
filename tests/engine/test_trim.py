from __future__ import annotations

from collections.abc import Callable

import pytest

from maxcode_lsp.engine.trim import Trimmed, trim
from maxcode_lsp.records import Candidate, Change, Hunk, Origin, Outcome, Part, candidate_id
from maxcode_lsp.search.trials import Node
from maxcode_lsp.testing.fakes import FakeExecutor, fake_job
from maxcode_lsp.text.edits import apply, diff
from maxcode_lsp.text.source import SourceText

TEXT = b"one\nkeep\ntwo\nkeep\nthree\nkeep\nfour\n"
WINNER = b"ONE\nkeep\nTWO\nkeep\nTHREE\nkeep\nfour\n"


def node(parent: Node, text: bytes, action: str, parts: tuple[Part, ...] = ()) -> Node:
    change = Change("a.cpp", "", diff(TEXT, text))
    origin = Origin("test", (action,), f"Because of {action}.", (), parts)
    return Node(Candidate(candidate_id(text), change, parent.id, parent.depth + 1, origin), text, 2.0, parent)


def lineage() -> Node:
    root = Node(None, TEXT, 1.0)
    first = node(root, b"ONE\nkeep\ntwo\nkeep\nthree\nkeep\nfour\n", "first")
    second = node(first, b"ONE\nkeep\nTWO\nkeep\nthree\nkeep\nfour\n", "second")
    return node(second, WINNER, "third")


async def trimmed(
    winner: Node,
    time_ns: Callable[[bytes], int],
    outcome: Callable[[bytes], Outcome] = lambda text: Outcome.CORRECT,
    left_s: float = 9.0,
) -> Trimmed:
    executor = FakeExecutor(time_ns, outcome)
    base = await executor.prepare(fake_job(TEXT))
    return await trim(executor, base, SourceText(TEXT), winner, lambda: left_s)


def text_of(result: Trimmed) -> bytes:
    return apply(TEXT, result.candidate.change.hunks)


async def test_what_is_worth_nothing_is_dropped() -> None:
    result = await trimmed(lineage(), lambda text: 100 - 50 * (b"ONE" in text) - 20 * (b"THREE" in text))
    assert text_of(result) == b"ONE\nkeep\ntwo\nkeep\nTHREE\nkeep\nfour\n"
    assert [(r.first_line, r.actions, r.why) for r in result.reports] == [
        (1, ("first",), "Because of first."),
        (5, ("third",), "Because of third."),
    ]
    assert [r.worth for r in result.reports] == [pytest.approx(80 / 30), pytest.approx(50 / 30)]


async def test_what_is_needed_stays_without_a_number() -> None:
    def outcome(text: bytes) -> Outcome:
        return Outcome.CORRECT if (b"ONE" in text) == (b"TWO" in text) else Outcome.COMPILE_ERROR

    result = await trimmed(lineage(), lambda text: 100 - 50 * (b"ONE" in text), outcome)
    assert text_of(result) == b"ONE\nkeep\nTWO\nkeep\nthree\nkeep\nfour\n"
    assert [r.worth for r in result.reports] == [None, None]


async def test_what_the_next_step_is_built_on_cannot_be_taken_out() -> None:
    root = Node(None, TEXT, 1.0)
    first = node(root, TEXT.replace(b"one", b"ONE"), "first")
    second = node(first, first.text.replace(b"ONE", b"ONE!"), "second")
    result = await trimmed(second, lambda text: 100 - 50 * (b"ONE!" in text))
    assert text_of(result) == second.text
    assert result.reports[0].actions == ("first", "second")


async def test_two_that_do_the_same_are_not_both_dropped() -> None:
    result = await trimmed(lineage(), lambda text: 100 - 50 * (b"ONE" in text or b"TWO" in text))
    assert (b"ONE" in text_of(result)) != (b"TWO" in text_of(result))
    assert b"THREE" not in text_of(result)


async def test_small_losses_do_not_add_up() -> None:
    """Each part alone is worth 1.5 %; all three together are not dropped."""
    result = await trimmed(lineage(), lambda text: 1000 + 15 * sum(word in text for word in (b"one", b"two", b"three")))
    assert len(result.reports) >= 2


async def test_many_lines_must_be_worth_more() -> None:
    root = Node(None, TEXT, 1.0)
    first = node(root, TEXT.replace(b"one\n", b"ONE\n"), "short")
    second = node(first, first.text.replace(b"two\n", b"TWO\n" * 30), "long")
    result = await trimmed(second, lambda text: 1000 - 500 * (b"ONE" in text) - 15 * (b"TWO" in text))
    assert text_of(result) == first.text
    kept = await trimmed(second, lambda text: 1000 - 500 * (b"ONE" in text) - 100 * (b"TWO" in text))
    assert text_of(kept) == second.text


async def test_the_last_hunk_is_never_dropped() -> None:
    result = await trimmed(lineage(), lambda text: 100)
    assert len(result.reports) == 1


async def test_without_time_everything_is_kept() -> None:
    result = await trimmed(lineage(), lambda text: 100, left_s=0.0)
    assert text_of(result) == WINNER


async def test_parts_of_a_combined_step_keep_their_own_names() -> None:
    root = Node(None, TEXT, 1.0)
    hunks = diff(TEXT, WINNER)
    parts = tuple(Part((name,), f"Why {name}.", (hunk,)) for name, hunk in zip(("x", "y", "z"), hunks, strict=True))
    winner = node(root, WINNER, "all", parts)
    result = await trimmed(winner, lambda text: 100 - 20 * sum(word in text for word in (b"ONE", b"TWO", b"THREE")))
    assert [(r.actions, r.why) for r in result.reports] == [(("x",), "Why x."), (("y",), "Why y."), (("z",), "Why z.")]


async def test_many_hunks_are_left_out_by_action() -> None:
    lines = b"".join(b"line %d\nkeep\n" % i for i in range(20))
    changed = lines.replace(b"line 1", b"LINE 1").replace(b"line 5", b"Line 5")
    root = Node(None, lines, 1.0)
    hunks = diff(lines, changed)
    asked: list[Candidate] = []
    executor = FakeExecutor(lambda text: 100 - 50 * (b"LINE" in text), on_evaluate=asked.append)
    base = await executor.prepare(fake_job(lines))
    parts = (
        Part(("big",), "Big.", tuple(h for h in hunks if h.replacement.startswith(b"LINE"))),
        Part(("small",), "Small.", tuple(h for h in hunks if h.replacement.startswith(b"Line"))),
    )
    origin = Origin("test", ("big", "small"), "Both.", (), parts)
    winner = Node(Candidate(candidate_id(changed), Change("a.cpp", "", hunks), None, 1, origin), changed, 2.0, root)
    result = await trim(executor, base, SourceText(lines), winner, lambda: 9.0)
    assert len(asked) == 2
    assert {r.actions for r in result.reports} == {("big",)}
    assert all(isinstance(r.hunk, Hunk) for r in result.reports)
