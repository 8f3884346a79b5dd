"""Measuring: interleaved pairs of reference and candidate in one rig, alone on their core."""

from __future__ import annotations

from msgspec import Struct

from maxcode_lsp.executor.rig import Case, Rig, RunLimits, judge_exit, judge_output
from maxcode_lsp.executor.statistics import PairedTest, fixed_verdict, logs_of, measurement
from maxcode_lsp.messages import verdicts
from maxcode_lsp.records import Feedback, Measurement, Metric, Outcome
from maxcode_lsp.target.comparison import OutputPolicy


class Failure(Exception):
    """A timed run failed or was wrong; carried as data to the caller of :func:`measure`."""

    def __init__(self, program: str, outcome: Outcome, feedback: Feedback) -> None:
        super().__init__(feedback.message)
        self.program = program
        self.outcome = outcome
        self.feedback = feedback


class Course(Struct, frozen=True):
    """What is timed and how."""

    cases: tuple[Case, ...]
    """One sample is the sum over these."""
    metric: Metric
    policy: OutputPolicy
    limits: RunLimits


async def sample(rig: Rig, name: str, course: Course, core: int | None) -> int:
    """Nanoseconds of one sample. Each timed run's output is checked. Raises Failure."""
    total = 0
    for case in course.cases:
        ended = await rig.run(name, case.stdin, course.limits, core)
        no = judge_exit(ended, case.name, course.limits) or await judge_output(ended, case, course.policy)
        if no is not None:
            outcome, feedback = no
            if outcome is Outcome.WRONG_OUTPUT:
                feedback = Feedback(verdicts.wrong_while_timed(case.name, feedback.message), feedback.detail)
            raise Failure(name, outcome, feedback)
        total += ended.cpu_ns if course.metric is Metric.CPU else ended.wall_ns
    return total


async def pair(
    rig: Rig, reference: str, candidate: str, index: int, course: Course, core: int | None
) -> tuple[int, int]:
    """One pair; the order changes from pair to pair (ABBA)."""
    if index % 2 == 0:
        first = await sample(rig, reference, course, core)
        return first, await sample(rig, candidate, course, core)
    first = await sample(rig, candidate, course, core)
    return await sample(rig, reference, course, core), first


async def measure(
    rig: Rig, reference: str, candidate: str, course: Course, core: int | None, test: PairedTest
) -> Measurement:
    """Pairs until ``test`` decides. Raises Failure."""
    await pair(rig, reference, candidate, 0, course, core)  # warms caches and page tables; not counted
    references: list[int] = []
    candidates: list[int] = []
    while True:
        r, c = await pair(rig, reference, candidate, len(references), course, core)
        references.append(r)
        candidates.append(c)
        verdict = test.decide(logs_of(references, candidates))
        if verdict is not None:
            return measurement(course.metric, references, candidates, verdict, test.sd_floor)


async def measure_fixed(
    rig: Rig, reference: str, candidate: str, course: Course, core: int | None, pairs: int, threshold: float
) -> Measurement:
    """Exactly ``pairs`` fresh pairs: what may be reported. Raises Failure."""
    await pair(rig, reference, candidate, 0, course, core)
    taken = [await pair(rig, reference, candidate, index, course, core) for index in range(pairs)]
    references, candidates = [r for r, _ in taken], [c for _, c in taken]
    verdict = fixed_verdict(references, candidates, threshold)
    return measurement(course.metric, references, candidates, verdict)
