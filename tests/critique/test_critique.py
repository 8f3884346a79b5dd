"""Running critics, merging what they say, and what a failing critic does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from maxcode_lsp.critique.critic import Report, finding
from maxcode_lsp.critique.critique import CRITICS, critique, merge
from maxcode_lsp.critique.evidence import Evidence, Subject
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.source import Source
from maxcode_lsp.errors import SandboxLost
from maxcode_lsp.executor.profile.workbench import Program
from tests.critique.subjects import EmptyBench, job_of

TEXT = b"int f() {\n  return 1;\n}\nint main() {\n  return f();\n}\n"


class Said:
    """A critic that does as it is told."""

    def __init__(self, name: str, act: Callable[[Evidence], Awaitable[Report]]) -> None:
        self.name = name
        self._act = act

    async def criticise(self, evidence: Evidence) -> Report:
        return await self._act(evidence)


def subject(bench: EmptyBench | None = None) -> Subject:
    return Subject(text=TEXT, job=job_of(TEXT), bench=bench or EmptyBench(), inputs=(None,))


async def fails(_: Evidence) -> Report:
    raise ZeroDivisionError


async def loses_its_sandbox(_: Evidence) -> Report:
    raise SandboxLost("The sandbox died.")


async def hangs(_: Evidence) -> Report:
    await asyncio.Event().wait()
    raise AssertionError


async def finds(_: Evidence) -> Report:
    return Report((finding(Kind.HOT_LINES, (2, 2), "Hot.", "seen", 0.5),), ("One note.",))


async def test_failing_critics_become_notes() -> None:
    critics = [Said("a", fails), Said("b", loses_its_sandbox), Said("c", hangs), Said("d", finds)]
    said = await critique(subject(), critics, limit_s=0.05)
    assert [finding.kind for finding in said.findings] == ["hot-lines"]
    assert said.notes == (
        "The critic for a failed: ZeroDivisionError.",
        "The critic for b could not work: The sandbox died.",
        "The critic for c was stopped after 0.05 s.",
        "One note.",
    )


async def test_all_critics_on_a_text_that_does_not_build() -> None:
    said = await critique(subject())
    assert said.findings == ()
    assert said.hot_lines == {}
    assert said.profile_source == ""
    assert "The profile build failed, so there is no profile." in said.notes


async def test_cancelling_ends_what_is_gathered() -> None:
    ended = asyncio.Event()

    class Slow(EmptyBench):
        async def build(self, name: str, flags: tuple[str, ...]) -> Program:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError

    task = asyncio.create_task(critique(subject(Slow())))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_at_most_two_work_at_once() -> None:
    working = 0
    most = 0

    async def works(_: Evidence) -> Report:
        nonlocal working, most
        working += 1
        most = max(most, working)
        await asyncio.sleep(0.005)
        working -= 1
        return Report()

    await critique(subject(), [Said(str(n), works) for n in range(6)])
    assert most == 2


async def test_evidence_is_gathered_once() -> None:
    builds: list[str] = []

    class Counting(EmptyBench):
        async def build(self, name: str, flags: tuple[str, ...]) -> Program:
            builds.append(name)
            return await super().build(name, flags)

    await critique(subject(Counting()))
    assert len(builds) == 1


def test_names_are_unique_and_registered_under_themselves() -> None:
    assert all(name == critic.name for name, critic in CRITICS.items())


def test_merge_keeps_the_costliest_of_a_kind_and_function() -> None:
    findings = [
        finding(Kind.NOT_INLINED, (2, 2), "Less.", "", 0.1),
        finding(Kind.NOT_INLINED, (3, 3), "More.", "", 0.4),
        finding(Kind.NOT_INLINED, (5, 5), "Elsewhere.", "", 0.2),
        finding(Kind.CLANG_TIDY, (2, 2), "Unweighed.", ""),
        finding(Kind.HOT_LINES, (2, 2), "Another kind.", "", 0.3),
    ]
    merged = merge(Source(TEXT), findings)
    assert [finding.message for finding in merged] == ["More.", "Another kind.", "Elsewhere.", "Unweighed."]


def test_what_costs_the_same_is_ordered_by_how_much_it_says() -> None:
    kinds = (Kind.CLANG_TIDY, Kind.HOT_FUNCTION, Kind.HOT_LINES, Kind.ALLOCATION, Kind.COPY_BY_VALUE)
    same = [finding(kind, (5, 5), "Same.", "", 0.970 + number / 1000) for number, kind in enumerate(kinds)]
    more = finding(Kind.NOT_INLINED, (5, 5), "More.", "", 0.98)
    merged = merge(Source(TEXT), [*same, more])
    assert [found.kind for found in merged] == [more.kind, *(kind.value for kind in reversed(kinds))]


def test_ids_are_unique() -> None:
    text = b"int a() { return 1; } int b() { return 2; }\n"
    first = finding(Kind.HOT_FUNCTION, (1, 1), "a", "", 0.6)
    outside = [finding(Kind.CLANG_TIDY, (line, line), "x", "") for line in (2, 2, 3)]
    ids = [finding.id for finding in merge(Source(text), [first, *outside])]
    assert len(set(ids)) == len(ids)
    assert ids[0] == "hot-function:1"


async def test_the_limit_is_for_all_critics_together() -> None:
    started: list[str] = []

    def hanging(name: str) -> Said:
        async def act(_: Evidence) -> Report:
            started.append(name)
            await asyncio.Event().wait()
            raise AssertionError

        return Said(name, act)

    said = await critique(subject(), [Said("d", finds), *map(hanging, "abcefg")], limit_s=0.05)
    assert started == ["a", "b"]  # those that still wait for their turn are not begun
    assert len(said.findings) == 1
    assert said.notes == ("One note.", *(f"The critic for {name} was stopped after 0.05 s." for name in "abcefg"))


async def test_what_a_critic_says_after_the_limit_is_too_late() -> None:
    async def stubborn(evidence: Evidence) -> Report:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return await finds(evidence)

    said = await critique(subject(), [Said("a", stubborn)], limit_s=0.01)
    assert said.findings == ()
    assert said.notes == ("The critic for a was stopped after 0.01 s.",)


async def test_no_critics_say_nothing() -> None:
    assert (await critique(subject(), [])).findings == ()
