"""Judging one candidate: admit, build, verify, measure, re-verify; stops at the first no."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from maxcode_lsp.errors import MeasurementDisturbed, SandboxLost
from maxcode_lsp.executor.admit import refuse
from maxcode_lsp.executor.binary import identity
from maxcode_lsp.executor.build import Kind
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.executor import OnStage, Stage
from maxcode_lsp.executor.measure import Failure, measure
from maxcode_lsp.executor.original import Original
from maxcode_lsp.executor.rig import Rig, judge_exit, verify
from maxcode_lsp.executor.sandbox import Conduct
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.messages import phrases, troubles, verdicts
from maxcode_lsp.records import Candidate, Evaluation, Feedback, Measurement, Metric, Outcome

ATTEMPTS = 2
"""A measurement in which the reference failed was disturbed by the machine; it is taken again once."""


class Cost:
    """What one evaluation has cost so far."""

    def __init__(self) -> None:
        self.cpu_s = 0.0
        self._start = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Wall time since the evaluation began."""
        return time.monotonic() - self._start


class Ending(Struct, frozen=True):
    """How judging ended, before it is written down as an Evaluation."""

    outcome: Outcome
    feedback: Feedback
    measurement: Measurement | None = None
    timed: tuple[str, ...] = ()


class Rival(Struct, frozen=True):
    """The program that a candidate is paired with."""

    program: bytes
    candidate: str | None
    """Its id; None: the original."""


@asynccontextmanager
async def entered(on_stage: OnStage, stage: Stage) -> AsyncGenerator[None, None]:
    """Tell that an evaluation is in a stage."""
    on_stage(stage, 1)
    try:
        yield
    finally:
        on_stage(stage, -1)


async def judge(
    original: Original,
    candidate: Candidate,
    rival: Rival,
    test: PairedTest | None,
    on_stage: OnStage,
    *,
    among_all: bool = True,
) -> Evaluation:
    """Evaluate ``candidate`` against ``rival``; ``test`` None: correctness only.

    ``among_all``: machine code is looked up among all that was seen, else compared with the rival's only.
    """
    cost = Cost()
    seen = original.seen if among_all else {identity(rival.program): rival.candidate}
    end = await _judge(original, candidate, rival, seen, test, on_stage, cost)
    return Evaluation(
        candidate=candidate.id,
        outcome=end.outcome,
        feedback=end.feedback,
        measurement=end.measurement,
        reference=rival.candidate,
        timed=end.timed,
        cpu_s=cost.cpu_s,
        elapsed_s=cost.elapsed_s,
    )


async def not_admitted(original: Original, unit: bytes) -> Ending | None:
    """The end of a candidate that brings in what it may not; None: it is admitted."""
    reason = await asyncio.to_thread(refuse, original.source.raw, unit, original.answers)
    return None if reason is None else Ending(Outcome.REJECTED, Feedback(reason))


async def _judge(
    original: Original,
    candidate: Candidate,
    rival: Rival,
    seen: dict[str, str | None],
    test: PairedTest | None,
    on_stage: OnStage,
    cost: Cost,
) -> Ending:
    unit = original.source.render(candidate.change.hunks)
    if (end := await not_admitted(original, unit)) is not None:
        return end
    async with entered(on_stage, Stage.BUILDING):
        built = await original.room.builder.build(original.job, original.compiler, unit, Kind.SEARCH)
    cost.cpu_s += built.cpu_s
    if built.outcome is not Outcome.CORRECT:
        return Ending(built.outcome, Feedback(phrases.first_error(built.diagnostics), built.diagnostics))
    code = identity(built.program)
    if seen.setdefault(code, candidate.id) != candidate.id:
        return Ending(Outcome.IDENTICAL, Feedback(verdicts.same_machine_code(seen[code])))

    async def attempt() -> Ending:
        rig = await original.rig({"reference": rival.program, "candidate": built.program})
        try:
            conduct = original.conduct(rival.program, built.program)
            return await _run(original, rig, rival, conduct, test, on_stage)
        finally:
            cost.cpu_s += rig.cpu_ns / 1e9
            await rig.close()

    return await unless_brought_down(original, attempt)


async def unless_brought_down(original: Original, attempt: Callable[[], Awaitable[Ending]]) -> Ending:
    """Run a candidate; where its sandbox is lost, once more.

    Twice in a row, while the original runs well in one, it is the candidate's doing.
    """
    try:
        return await attempt()
    except SandboxLost:
        pass
    try:
        return await attempt()
    except SandboxLost:
        case, conduct = original.timed[0], original.conduct()
        rig = await original.rig({"original": original.program})
        try:
            async with original.place(conduct) as core:
                ended = await rig.run("original", case.stdin, original.full_limits, core)
        finally:
            await rig.close()
        if judge_exit(ended, case.name, original.full_limits) is not None:
            raise
        return Ending(Outcome.RUNTIME_ERROR, Feedback(verdicts.sandbox_brought_down()))


async def _run(
    original: Original, rig: Rig, rival: Rival, conduct: Conduct, test: PairedTest | None, on_stage: OnStage
) -> Ending:
    cases, limits, policy = original.cases, original.limits, original.job.output
    async with entered(on_stage, Stage.VERIFYING), original.place(conduct) as core:
        no = await verify(rig, "candidate", cases, policy, limits, core)
    if no is not None:
        return Ending(*no)
    if test is None:
        return Ending(Outcome.CORRECT, Feedback(verdicts.correct_untimed()))
    metric = Metric.WALL if conduct is Conduct.THREADED else Metric.CPU
    course = original.course(metric)
    try:
        async with entered(on_stage, Stage.MEASURING):
            taken = await undisturbed(
                original.room.cores,
                metric,
                lambda held: measure(rig, "reference", "candidate", course, held, test),
            )
    except Failure as failure:
        return Ending(failure.outcome, failure.feedback)
    except MeasurementDisturbed:
        if rival.candidate is None:
            raise
        return Ending(Outcome.CORRECT, Feedback(verdicts.rival_failed(rival.candidate)))
    # Whatever happened while it was timed, it must still be right.
    async with original.place(conduct) as core:
        no = await verify(rig, "candidate", cases[-1:], policy, limits, core)
    if no is not None:
        return Ending(*no)
    said = verdicts.measured(taken.speedup, *taken.ci95, len(taken.reference_ns))
    return Ending(Outcome.CORRECT, Feedback(said), taken, tuple(case.name for case in course.cases))


async def undisturbed(
    cores: Cores, metric: Metric, take: Callable[[int | None], Awaitable[Measurement]]
) -> Measurement:
    """Measure with the core (or, for wall time, all cores) held.

    Raises Failure if the candidate fails, MeasurementDisturbed if its reference does.
    """
    for attempt in range(ATTEMPTS):
        try:
            async with cores.measuring(all_cores=metric is Metric.WALL) as core:
                return await take(core)
        except Failure as failure:
            if failure.program != "reference":
                raise
            if attempt == ATTEMPTS - 1:
                raise MeasurementDisturbed(troubles.reference_failed(failure.feedback.message)) from failure
    raise AssertionError("every attempt returns or raises")
