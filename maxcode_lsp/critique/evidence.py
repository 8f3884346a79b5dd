"""The subject of a critique, and the evidence about it that critics share: gathered once, when first asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from maxcode_lsp.critique.source import Source
from maxcode_lsp.executor.profile.profile import Profile
from maxcode_lsp.executor.profile.take import REMARKS, Portrait, Profiler, portray, profile_flags
from maxcode_lsp.executor.profile.workbench import Program, Workbench
from maxcode_lsp.target.job import EvaluationJob

T = TypeVar("T")


class TidyRemark(Protocol):
    """One diagnostic of clang-tidy in the unit."""

    @property
    def check(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def message(self) -> str: ...


class TidyReport(Protocol):
    """What clang-tidy said about one text, and why it could not."""

    @property
    def remarks(self) -> Sequence[TidyRemark]: ...
    @property
    def notes(self) -> Sequence[str]: ...


class Tidy(Protocol):
    """Runs clang-tidy, once for each text however often it is asked."""

    async def report(self, text: bytes) -> TidyReport: ...


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One version of a target, ready to be looked at."""

    text: bytes
    """Normalised text (UTF-8, LF) of the unit."""
    job: EvaluationJob
    bench: Workbench
    """Holds this very text."""
    inputs: tuple[bytes | None, ...]
    """Standard inputs, the typical timed one first; None: no input."""
    scaled: tuple[tuple[int, bytes], ...] = ()
    """Generated inputs by their size, ascending, for the growth of the time."""
    sources: tuple[Profiler, ...] = ("perf", "callgrind")
    """Profilers to try, in order."""
    tidy: Tidy | None = None
    """None: clang-tidy is not asked."""


class Evidence:
    """Costly facts about a subject. Close it: what is still being gathered ends then."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._gathering: dict[str, asyncio.Task[object]] = {}

    @cached_property
    def source(self) -> Source:
        """The parsed text."""
        return Source(self.subject.text)

    async def program(self) -> Program:
        """The profile build, whose compiler also left its remarks."""
        return await self._once("program", self._build)

    async def portrait(self) -> Portrait:
        """The profile of a run on the typical input."""
        return await self._once("portrait", self._portray)

    def profile_so_far(self) -> Profile | None:
        """The profile if it was asked for and could be taken."""
        task = self._gathering.get("portrait")
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        portrait = task.result()
        return portrait.profile if isinstance(portrait, Portrait) else None

    async def _build(self) -> Program:
        bench = self.subject.bench
        return await bench.build("program", profile_flags(self.subject.job.flags, remark_flags(bench)))

    async def _portray(self) -> Portrait:
        program = await self.program()
        if program.path is None:
            return Portrait(None, None, ("The profile build failed, so there is no profile.",))
        subject = self.subject
        return await portray(
            subject.bench,
            program.path,
            subject.inputs or (None,),
            limit_s=subject.job.limits.run_s,
            code=self.source.code_lines,
            sources=subject.sources,
        )

    async def _once(self, name: str, gather: Callable[[], Awaitable[T]]) -> T:
        task = self._gathering.get(name)
        if task is None:
            task = asyncio.ensure_future(gather())
            self._gathering[name] = task
        # One critic's limit must not take the evidence away from the others.
        return await asyncio.shield(task)  # type: ignore[return-value]

    async def close(self) -> None:
        """End what is still being gathered."""
        for task in self._gathering.values():
            task.cancel()
        await asyncio.gather(*self._gathering.values(), return_exceptions=True)


def remark_flags(bench: Workbench) -> tuple[str, ...]:
    """Flags that make the compiler say what it did not vectorise or inline."""
    if "clang" in bench.compiler:
        return ("-Rpass-missed=inline", "-Rpass-analysis=loop-vectorize")
    return (f"-fopt-info-vec-inline-missed={bench.path(REMARKS)}",)
