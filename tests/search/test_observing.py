"""Each part of an observation is a switch of its own: what is off is not shown, and all else stays."""

from __future__ import annotations

import pytest

from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.records import Critique, Finding, Origin, Outcome, Overhead, Span
from maxcode_lsp.search import Budget, Node, Parts, Plan, Trials, Watcher
from maxcode_lsp.search.observing import observe
from maxcode_lsp.search.process.rewards import Scheme
from maxcode_lsp.testing.fakes import FakeClock, FakeExecutor, FakePolicy, fake_job
from maxcode_lsp.text.source import SourceText

TEXT = b"a a\nb b\nc c\n"
CRITIQUE = Critique((Finding("hot-lines:1", "hot-lines", Span(1, 1), "Hot.", "perf", 0.8),), {1: 0.8}, "share of time")
OVERHEAD = Overhead(10**8, 10**6, 0.5)


class Model(FakePolicy):
    again = True


async def made(plan: Plan) -> tuple[Trials, Node]:
    """A search that went one step and failed twice there, and knows something faster elsewhere."""

    def outcome(text: bytes) -> Outcome:
        return Outcome.COMPILE_ERROR if b"C" in text else Outcome.CORRECT

    executor = FakeExecutor(lambda text: 100 - 50 * text.count(b"B") - 20 * text.count(b"A"), outcome)

    async def critique(node: Node) -> Critique:
        return CRITIQUE

    base = await executor.prepare(fake_job(TEXT))
    watcher = Watcher(lambda _: None, critique)
    trials = Trials(base, SourceText(TEXT), executor, [Model({})], Budget(FakeClock(), 20, 100.0), watcher, plan)

    async def judge(parent: Node, old: bytes, new: bytes) -> Node:
        proposal = Proposal(parent.text.replace(old, new), Origin("fake", (new.decode(),), "An idea."))
        return (await trials.evaluate(trials.admit(proposal, parent), proposal.text, parent)).node

    here = await judge(trials.root, b"a a", b"A")
    await judge(trials.root, b"b b", b"B")
    await judge(here, b"c c", b"C")
    return trials, here


async def seen(**switches: bool) -> Observation:
    trials, here = await made(Plan(parts=Parts(**switches)))
    return observe(trials, here, CRITIQUE, OVERHEAD)


async def test_all_of_it() -> None:
    shown = await seen()
    assert shown.text == b"A\nb b\nc c\n" and shown.original == TEXT
    assert (shown.speedup, shown.best_speedup, shown.u) == (pytest.approx(1.25), 2.0, 2.0)
    assert shown.best == b"a a\nB\nc c\n"
    assert shown.critique == CRITIQUE and shown.overhead == OVERHEAD
    assert [attempt.actions for attempt in shown.attempts] == [("B",), ("C",)]
    assert shown.attempts[1].feedback == "compile_error"
    assert [one.actions for one in shown.experience] == [("A",), ("B",), ("C",)]


@pytest.mark.parametrize(
    ("part", "hidden"),
    [
        ("code", {"text": TEXT, "speedup": 1.0, "attempts": None}),
        ("feedback", {"speedup": 1.0, "attempts": None}),
        ("profile", {"overhead": None, "critique": None}),
        ("critique", {"critique": None}),
        ("trajectory", {"attempts": None, "experience": ()}),
        ("best", {"best": b"", "best_speedup": 1.0}),
        ("u", {"u": 1.0}),
        ("rerank", {}),
    ],
)
async def test_one_of_them_off(part: str, hidden: dict[str, object]) -> None:
    whole, less = await seen(), await seen(**{part: False})
    for field in Observation.__struct_fields__:
        if field not in hidden:
            assert getattr(less, field) == getattr(whole, field), field
        elif hidden[field] is not None:
            assert getattr(less, field) == hidden[field], field
        else:
            assert getattr(less, field) != getattr(whole, field), field


async def test_what_is_left_of_a_critique() -> None:
    assert (await seen(critique=False)).critique.hot_lines == {1: 0.8}
    assert (await seen(critique=False)).critique.findings == ()
    assert (await seen(profile=False)).critique.hot_lines == {}
    assert (await seen(profile=False)).critique.findings == CRITIQUE.findings


async def test_without_feedback_it_is_known_that_but_not_how() -> None:
    shown = await seen(feedback=False)
    assert [attempt.feedback for attempt in shown.attempts] == ["", ""]
    bare = await seen(feedback=False, trajectory=False)
    assert bare.attempts == ()


async def test_without_the_trajectory_only_what_was_made_from_here_is_shown() -> None:
    shown = await seen(trajectory=False)
    assert [attempt.actions for attempt in shown.attempts] == [("C",)]


async def test_u_is_as_seen_from_the_version() -> None:
    trials, here = await made(Plan(gamma=0.5))
    # Found with one action, so worth half of it from the original, and all of it from here.
    assert trials.u == pytest.approx(2.0)
    assert trials.u_at(here) == pytest.approx(4.0)
    trials, here = await made(Plan(scheme=Scheme.CLASSES))
    assert trials.u == pytest.approx(trials.worth(2.0))
    assert trials.worth(0.0) == 0.0 < trials.worth(0.5) < trials.worth(1.0)
