"""Confirming a winner: the only source of what is reported to the user.

Rebuilt from the edited file's exact bytes with the user's exact command; verified on everything seen
and on inputs made just now; checked with sanitizers; timed by a number of fresh pairs that was fixed
beforehand, so that having picked the best of many does not inflate the claim.
"""

from __future__ import annotations

import asyncio
import random

from msgspec import Struct

from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.binary import identity
from maxcode_lsp.executor.build import Kind
from maxcode_lsp.executor.executor import OnStage, Stage
from maxcode_lsp.executor.generator import InputSource
from maxcode_lsp.executor.judging import Cost, Ending, entered, not_admitted, undisturbed, unless_brought_down
from maxcode_lsp.executor.measure import Failure, measure_fixed
from maxcode_lsp.executor.original import Original
from maxcode_lsp.executor.prepare import fresh, fresh_timed, mutated_cases
from maxcode_lsp.executor.rig import Case, Rig, verify
from maxcode_lsp.executor.sandbox import Conduct
from maxcode_lsp.executor.sanitize import first_report
from maxcode_lsp.messages import phrases, verdicts
from maxcode_lsp.records import Candidate, Evaluation, Feedback, Metric, Outcome

PAIRS = 20
"""Ours: fresh pairs behind a reported speedup."""
FRESH_INPUTS = 4
"""Ours: inputs made for the confirmation alone."""
SANITIZED_NS = 2_000_000_000
"""Ours: inputs are given to the sanitizer build, shortest first, until the original's time on them adds up to this."""


class Confirming(Struct, frozen=True):
    """How a confirmation is made."""

    timed: bool
    """The original is long enough to be timed."""
    threshold: float
    pairs: int
    on_stage: OnStage


async def confirm(original: Original, candidate: Candidate, rng: random.Random, way: Confirming) -> Evaluation:
    """Judge a winner against the original; see the module."""
    cost = Cost()
    end = await _confirm(original, candidate, rng, way, cost)
    return Evaluation(
        candidate=candidate.id,
        outcome=end.outcome,
        feedback=end.feedback,
        measurement=end.measurement,
        timed=end.timed,
        cpu_s=cost.cpu_s,
        elapsed_s=cost.elapsed_s,
    )


async def _confirm(original: Original, candidate: Candidate, rng: random.Random, way: Confirming, cost: Cost) -> Ending:
    builder, job, compiler = original.room.builder, original.job, original.compiler
    unit = original.source.render(candidate.change.hunks)
    if (end := await not_admitted(original, unit)) is not None:
        return end
    async with entered(way.on_stage, Stage.BUILDING):
        built = await builder.build(job, compiler, unit, Kind.PLAIN)
        plain = await builder.build(job, compiler, original.source.raw, Kind.PLAIN)
    for result in (built, plain):
        cost.cpu_s += result.cpu_s
        if result.outcome is not Outcome.CORRECT:
            return Ending(result.outcome, Feedback(phrases.first_error(result.diagnostics), result.diagnostics))
    if identity(built.program) == identity(plain.program):
        return Ending(Outcome.IDENTICAL, Feedback(verdicts.same_machine_code(None)))

    async def attempt() -> Ending:
        programs = {"original": plain.program, "reference": plain.program, "candidate": built.program}
        rig = await original.rig(programs)
        try:
            conduct = original.conduct(plain.program, built.program)
            return await _run(original, unit, rig, rng, conduct, way, cost)
        except Failure as failure:
            return Ending(failure.outcome, failure.feedback)
        finally:
            cost.cpu_s += rig.cpu_ns / 1e9
            await rig.close()

    return await unless_brought_down(original, attempt)


async def _run(
    original: Original, unit: bytes, rig: Rig, rng: random.Random, conduct: Conduct, way: Confirming, cost: Cost
) -> Ending:
    cases, timed = await fresh_cases(original, rig, rng)
    every = list({case.name: case for case in (*original.cases, *cases)}.values())
    async with entered(way.on_stage, Stage.VERIFYING), original.place(conduct) as core:
        no = await verify(rig, "candidate", every, original.job.output, original.limits, core)
    no = no or await _undefined(original, unit, every, cost)
    if no is not None:
        return Ending(*no)
    if not way.timed:
        return Ending(Outcome.CORRECT, Feedback(verdicts.correct_untimed()))
    metric = Metric.WALL if conduct is Conduct.THREADED else Metric.CPU
    course = original.course(metric, timed)
    async with entered(way.on_stage, Stage.MEASURING):
        taken = await undisturbed(
            original.room.cores,
            metric,
            lambda core: measure_fixed(rig, "reference", "candidate", course, core, way.pairs, way.threshold),
        )
    said = verdicts.measured(taken.speedup, *taken.ci95, len(taken.reference_ns))
    return Ending(Outcome.CORRECT, Feedback(said), taken, tuple(case.name for case in timed))


async def fresh_cases(original: Original, rig: Rig, rng: random.Random) -> tuple[list[Case], list[Case]]:
    """Inputs nobody has seen, and those to be timed (fresh ones wherever they can be had)."""
    generator = original.job.generator
    if generator is None:
        if not any(case.stdin for case in original.given):
            return [], original.timed
        cases = await mutated_cases(original, rig, rng, FRESH_INPUTS)
        timed = await fresh_timed(original, rig, rng)
        return [*cases, *timed], timed
    room = original.room
    source = await InputSource.open(
        room.scratch, original.job, generator, allow_unconfined=room.allow_unconfined, cores=room.cores
    )
    made: list[Case] = []
    try:
        size = original.generated_size
        for part in dict.fromkeys((size, max(1, size // 3), max(1, size // 10), max(1, size // 50))):
            try:
                made.append(await fresh(original, rig, source, rng, part))
            except Refused:
                continue
    finally:
        await source.close()
    # Given inputs that are long enough are the user's own workload: they stay what is timed.
    given = any(case in original.given for case in original.timed)
    return made, original.timed if given or not made else made[:1]


async def _undefined(original: Original, unit: bytes, cases: list[Case], cost: Cost) -> tuple[Outcome, Feedback] | None:
    """Undefined behaviour that the candidate has on an input where the original has none."""
    own_program, built = await asyncio.gather(
        original.sanitized(), original.room.builder.build(original.job, original.compiler, unit, Kind.SANITIZED)
    )
    cost.cpu_s += built.cpu_s
    if own_program is None:
        return None
    if built.outcome is not Outcome.CORRECT:
        return built.outcome, Feedback(verdicts.no_sanitizer_build(), built.diagnostics)
    chosen: list[Case] = []
    total = 0
    for case in sorted(cases, key=lambda c: original.times_ns.get(c.name, 0)):
        total += original.times_ns.get(case.name, 0)
        if chosen and total > SANITIZED_NS:
            break
        chosen.append(case)
    passed_over: set[str] = set()
    while True:
        rest = [case for case in chosen if case.name not in passed_over]
        found = await first_report(original, built.program, rest)
        if found is None:
            return None
        case, said = found
        if await first_report(original, own_program, [case]) is None:
            return Outcome.RUNTIME_ERROR, Feedback(verdicts.sanitizer_says(case.name, said))
        # The original is no better there: this input says nothing.
        passed_over.add(case.name)
