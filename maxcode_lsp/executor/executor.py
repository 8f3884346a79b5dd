"""The ``Executor`` seam: where evaluations happen."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from msgspec import Struct

from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.records import Candidate, Environment, Evaluation, Overhead
from maxcode_lsp.target.job import EvaluationJob


class Stage(str, Enum):
    """Where an evaluation is, for progress."""

    BUILDING = "building"
    VERIFYING = "verifying"
    MEASURING = "measuring"


class Baseline(Struct, frozen=True):
    """What is known about the original once it was verified."""

    id: str
    """Names the verified original within its executor."""
    job: EvaluationJob
    run_ns: int
    """Time of one sample of the original (all timed inputs)."""
    measurable: bool
    """Whether the run is long enough to be timed."""
    environment: Environment
    notes: tuple[str, ...] = ()
    """What was chosen or noticed, one sentence each: scaled inputs, skipped checks."""


OnStage = Callable[[Stage, int], None]
"""Told ``+1`` when an evaluation enters a stage and ``-1`` when it leaves it."""


class Executor(Protocol):
    """Builds, verifies and measures. Raises only InfrastructureError (and Refused in ``prepare``)."""

    async def prepare(self, job: EvaluationJob) -> Baseline:
        """Verify the original: it builds, ends in time, is deterministic and long enough.

        Raises Refused with the reason where the original cannot be judged.
        """
        ...

    async def evaluate(
        self,
        base: Baseline,
        candidate: Candidate,
        against: Candidate | None = None,
        test: PairedTest | None = None,
    ) -> Evaluation:
        """Admit, build, verify, measure, re-verify; stops at the first no.

        ``against``: the candidate to pair with in measurement (already found correct); None: the original.
        ``test``: when measuring stops; None: as soon as faster than the threshold or not is decided.
        """
        ...

    async def compare(self, base: Baseline, candidate: Candidate, against: Candidate, test: PairedTest) -> Evaluation:
        """Like ``evaluate``, but only the machine code of ``against`` itself counts as ``identical``."""
        ...

    async def meter(self, base: Baseline, candidate: Candidate | None) -> Overhead | None:
        """What a run of a correct candidate costs, of the original where it is None: one run on each timed input.

        None: it did not end well this time.
        """
        ...

    async def confirm(self, base: Baseline, candidate: Candidate) -> Evaluation:
        """The final judgement on a winner against the original: plain rebuild, sanitizers, fresh
        inputs, and a fixed number of fresh pairs. Only this may be reported to the user.
        """
        ...

    async def close(self) -> None:
        """End every child and free every resource. Idempotent."""
        ...
