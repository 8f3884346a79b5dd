"""Judging one candidate: admit, build, verify, measure, re-verify; stops at the first no."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from maxcode_lsp import messages
from maxcode_lsp.errors import SandboxLost
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
from maxcode_lsp.records import Candidate, Evaluation, Feedback, Measurement, Metric, Outcome

ATTEMPTS = 2
"""A measurement in which the *reference* failed was disturbed by the machine; it is taken again once."""


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
    reference: bytes,
    against: str | None,
    test: PairedTest | None,
    on_stage: OnStage,
    *,
    among_all: bool = True,
) -> Evaluation:
    """Evaluate ``candidate`` against the program ``reference``; ``test`` None: correctness only.

    ``among_all``: machine code is looked up among all that was seen, else compared with ``reference`` only.
    """
    cost = Cost()
    seen = original.seen if among_all else {identity(reference): against}
    try:
        end = await _judge(original, candidate, reference, seen, test, on_stage, cost)
    except SandboxLost:
        end = await _again(original, candidate, reference, seen, test, on_stage, cost)
    return Evaluation(
        candidate=candidate.id,
        outcome=end.outcome,
        feedback=end.feedback,
        measurement=end.measurement,
        reference=against,
        cpu_s=cost.cpu_s,
        elapsed_s=cost.elapsed_s,
    )


async def _again(
    original: Original,
    candidate: Candidate,
    reference: bytes,
    seen: dict[str, str | None],
    test: PairedTest | None,
    on_stage: OnStage,
    cost: Cost,
) -> Ending:
    """A sandbox was lost. Twice in a row, while the original runs well in one, it is the candidate's doing."""
    try:
        return await _judge(original, candidate, reference, seen, test, on_stage, cost)
    except SandboxLost:
        rig = await original.rig({"original": original.program})
        try:
            case = original.timed[0]
            ended = await rig.run("original", case.stdin, original.full_limits, None)
        finally:
            await rig.close()
        if judge_exit(ended, case.name, original.full_limits) is not None:
            raise
        return Ending(Outcome.RUNTIME_ERROR, Feedback(messages.sandbox_brought_down()))


async def _judge(
    original: Original,
    candidate: Candidate,
    reference: bytes,
    seen: dict[str, str | None],
    test: PairedTest | None,
    on_stage: OnStage,
    cost: Cost,
) -> Ending:
    unit = original.source.render(candidate.change.hunks)
    if (reason := refuse(original.source.raw, unit, original.answers)) is not None:
        return Ending(Outcome.REJECTED, Feedback(reason))
    async with entered(on_stage, Stage.BUILDING):
        built = await original.room.builder.build(original.job, original.compiler, unit, Kind.SEARCH)
    cost.cpu_s += built.cpu_s
    if built.outcome is not Outcome.CORRECT:
        return Ending(built.outcome, Feedback(messages.first_error(built.diagnostics), built.diagnostics))
    code = identity(built.program)
    if seen.setdefault(code, candidate.id) != candidate.id:
        return Ending(Outcome.IDENTICAL, Feedback(messages.same_machine_code(seen[code])))
    rig = await original.rig({"reference": reference, "candidate": built.program})
    try:
        metric = Metric.WALL if original.conduct(reference, built.program) is Conduct.THREADED else Metric.CPU
        return await _run(original, rig, metric, test, on_stage)
    finally:
        cost.cpu_s += rig.cpu_ns / 1e9
        await rig.close()


async def _run(original: Original, rig: Rig, metric: Metric, test: PairedTest | None, on_stage: OnStage) -> Ending:
    cores = original.room.cores
    cases = [*original.given, *original.timed, *original.held_out]
    limits = original.limits(cases)
    async with entered(on_stage, Stage.VERIFYING), cores.any() as core:
        no = await verify(rig, "candidate", cases, original.job.output, limits, core)
    if no is not None:
        return Ending(*no)
    if test is None:
        return Ending(Outcome.CORRECT, Feedback(messages.correct_untimed()))
    course = original.course(metric)
    try:
        async with entered(on_stage, Stage.MEASURING):
            taken = await undisturbed(
                cores, metric, lambda held: measure(rig, "reference", "candidate", course, held, test)
            )
    except Failure as failure:
        return Ending(failure.outcome, failure.feedback)
    # Whatever happened while it was timed, it must still be right.
    async with cores.any() as core:
        no = await verify(rig, "candidate", cases[-1:], original.job.output, limits, core)
    if no is not None:
        return Ending(*no)
    said = messages.measured(taken.speedup, *taken.ci95, len(taken.reference_ns))
    return Ending(Outcome.CORRECT, Feedback(said), taken)


async def undisturbed(
    cores: Cores, metric: Metric, take: Callable[[int | None], Awaitable[Measurement]]
) -> Measurement:
    """Measure with the core (or, for wall time, all cores) held. Raises Failure if the candidate fails."""
    for attempt in range(ATTEMPTS):
        try:
            async with cores.measuring(all_cores=metric is Metric.WALL) as core:
                return await take(core)
        except Failure as failure:
            if failure.program != "reference":
                raise
            if attempt == ATTEMPTS - 1:
                raise SandboxLost(messages.reference_failed(failure.feedback.message)) from failure
    raise AssertionError("every attempt returns or raises")
