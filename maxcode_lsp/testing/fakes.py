"""A clock that stands still; policy, critic and model with their answers ready; an executor that knows them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence

from maxcode_lsp.critique.critic import Report
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.errors import ModelTrouble, Refused
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.model.catalogue import count
from maxcode_lsp.model.model import Answer, Ending, Question, Usage
from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.records import (
    Candidate,
    Critique,
    Environment,
    Evaluation,
    Feedback,
    Measurement,
    Metric,
    Origin,
    Outcome,
    Overhead,
    Verdict,
    candidate_id,
)
from maxcode_lsp.search import Parts, Stop, Trials
from maxcode_lsp.target.comparison import OutputPolicy
from maxcode_lsp.target.job import EvaluationJob, JobFile, Limits, TestCase
from maxcode_lsp.text.edits import apply
from maxcode_lsp.text.source import SourceText
from maxcode_lsp.value.value import Estimate, Prospect

PAIRS = 5
ModelSays = Answer | str | ModelTrouble
"""A text is an ordinary answer with that text; a trouble is raised."""


class FakeClock:
    """Time goes on only when told to."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def now_s(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now_s += seconds


class FakePolicy:
    """Proposes replacements of one string by another wherever they apply."""

    again = False

    def __init__(self, replacements: Mapping[str, tuple[bytes, bytes]], name: str = "fake") -> None:
        """``replacements``: action to (old, new)."""
        self.name = name
        self.asked = 0
        self._replacements = dict(replacements)

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        self.asked += 1
        await asyncio.sleep(0)
        found: list[Proposal] = []
        for rank, (action, (old, new)) in enumerate(self._replacements.items()):
            text = observation.text.replace(old, new)
            if text != observation.text and candidate_id(text) not in observation.tried:
                found.append(Proposal(text, Origin(self.name, (action,), f"{action}."), -float(rank)))
        return found[:count]


class FakeExecutor:
    """Judges by two functions of the text: its time in nanoseconds, and its outcome."""

    def __init__(
        self,
        time_ns: Callable[[bytes], int],
        outcome: Callable[[bytes], Outcome] = lambda _: Outcome.CORRECT,
        *,
        on_evaluate: Callable[[Candidate], None] = lambda _: None,
    ) -> None:
        self._time_ns = time_ns
        self._outcome = outcome
        self._on_evaluate = on_evaluate
        self._originals: dict[str, bytes] = {}
        self.closed = False

    async def prepare(self, job: EvaluationJob) -> Baseline:
        text = SourceText(job.blobs[next(f.sha256 for f in job.files if f.path == job.unit)]).data
        if self._outcome(text) is not Outcome.CORRECT:
            raise Refused(f"The original is {self._outcome(text).value}. Mend it first.")
        base_id = str(len(self._originals))
        self._originals[base_id] = text
        run_ns = self._time_ns(text)
        return Baseline(base_id, job, run_ns, run_ns > 0, Environment("fake", "fake", job.flags, "none", "0"))

    async def evaluate(
        self, base: Baseline, candidate: Candidate, against: Candidate | None = None, test: PairedTest | None = None
    ) -> Evaluation:
        self._on_evaluate(candidate)
        await asyncio.sleep(0)
        reference = self._originals[base.id] if against is None else self._text(base, against)
        text = self._text(base, candidate)
        outcome = self._outcome(text)
        if outcome is not Outcome.CORRECT:
            return Evaluation(candidate.id, outcome, Feedback(outcome.value))
        limit = (test or PairedTest()).threshold
        ratio = self._time_ns(reference) / self._time_ns(text)
        verdict = Verdict.FASTER if ratio > limit else Verdict.SLOWER if ratio < 1 / limit else Verdict.NO_DIFFERENCE
        times = (self._time_ns(reference),) * PAIRS, (self._time_ns(text),) * PAIRS
        taken = Measurement(Metric.CPU, *times, ratio, (ratio, ratio), verdict)
        return Evaluation(candidate.id, outcome, Feedback("judged"), taken, against.id if against else None)

    async def meter(self, base: Baseline, candidate: Candidate | None) -> Overhead | None:
        text = self._originals[base.id] if candidate is None else self._text(base, candidate)
        elapsed_ns = self._time_ns(text)
        return Overhead(elapsed_ns, 10**6, elapsed_ns / 1e9)

    async def compare(self, base: Baseline, candidate: Candidate, against: Candidate, test: PairedTest) -> Evaluation:
        return await self.evaluate(base, candidate, against, test)

    async def confirm(self, base: Baseline, candidate: Candidate) -> Evaluation:
        return await self.evaluate(base, candidate)

    async def close(self) -> None:
        self.closed = True

    def _text(self, base: Baseline, candidate: Candidate) -> bytes:
        return apply(self._originals[base.id], candidate.change.hunks)


def fake_job(text: bytes) -> EvaluationJob:
    """A job for one text, without inputs."""
    sha256 = hashlib.sha256(text).hexdigest()
    return EvaluationJob(
        files=(JobFile("a.cpp", sha256),),
        unit="a.cpp",
        compiler="g++",
        flags=(),
        cases=(TestCase("no input", None),),
        generator=None,
        output=OutputPolicy(),
        limits=Limits(),
        blobs={sha256: text},
    )


class FakeCritic:
    """Has its report ready."""

    def __init__(self, report: Report, name: str = "fake") -> None:
        self.name = name
        self._report = report

    async def criticise(self, evidence: Evidence) -> Report:  # noqa: ARG002 - it has made up its mind
        return self._report


class FakeModel:
    """Answers from a list, in order, the last again and again; or by a function of the question."""

    def __init__(
        self,
        answers: Sequence[Answer | str | ModelTrouble] | Callable[[Question], Answer | str | ModelTrouble] = (
            "Hello.",
        ),
        name: str = "fake/model",
        *,
        context_tokens: int = 32_768,
        cost_usd: float | None = 0.001,
        free: asyncio.Event | None = None,
    ) -> None:
        """``cost_usd``: of an answer that is a text; ``free``: no answer comes before it is set."""
        self.name = name
        self.context_tokens = context_tokens
        self.questions: list[Question] = []
        """All that was asked, in order."""
        self.cancelled = 0
        self.closed = False
        self._answers = answers
        self._cost_usd = cost_usd
        self._free = free

    def count(self, text: str) -> int:
        return count(text)

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        number = len(self.questions)
        try:
            await asyncio.sleep(0)
            if self._free is not None:
                await self._free.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        said = self._answers(question) if callable(self._answers) else self._answers[:number][-1]
        if isinstance(said, ModelTrouble):
            raise said
        if isinstance(said, Answer):
            return said
        usage = Usage(sum(count(message.text) for message in question.messages), count(said), self._cost_usd)
        return Answer(model=self.name, text=said, ending=Ending.STOP if said else Ending.EMPTY, usage=usage)

    async def close(self) -> None:
        self.closed = True


class FakeValues:
    """Expects of a version what it is worth now, and nothing more; or what a function says."""

    name = "fake"

    def __init__(self, best: Callable[[Prospect], float] = lambda prospect: prospect.speedup) -> None:
        """``best``: the speedup that is expected for sure."""
        self._best = best

    async def estimate(self, prospects: Sequence[Prospect]) -> Sequence[Estimate]:
        return [Estimate((1.0,), (self._best(prospect),)) for prospect in prospects]


class FakeSearch:
    """Evaluates what the first policy proposes for the original, one after the other, and stops."""

    name = "fake"
    plain = Parts()

    async def run(self, trials: Trials) -> Stop:
        observation = trials.observe(trials.root, Critique())
        asked = trials.propose(trials.policies[0], trials.root, observation, trials.budget.candidates)
        for proposal in await asked:
            if not trials.budget.open:
                return trials.budget.stop or Stop.BUDGET
            await trials.evaluate(trials.admit(proposal, trials.root), proposal.text, trials.root)
        return Stop.EXHAUSTED if trials.budget.used < trials.budget.candidates else Stop.BUDGET
