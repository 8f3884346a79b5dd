"""What every implementation of a seam must keep, as checks to call from tests.

Each function raises AssertionError with the promise that was broken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from maxcode_lsp.clock import Clock
from maxcode_lsp.critique.critic import Critic
from maxcode_lsp.critique.evidence import Evidence
from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.executor import Executor
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.model.model import Ending, Message, Model, Question, Role
from maxcode_lsp.policy.policy import Observation, Policy
from maxcode_lsp.records import Candidate, Critique, Outcome, Verdict, candidate_id
from maxcode_lsp.target.job import EvaluationJob
from maxcode_lsp.value.value import Prospect, ValueFunction

ODD_TEXTS = (
    b"",
    b"\n",
    b"int main() {",
    b"}}}}((((",
    b"\xff\xfe\x00 not text",
    b"#define X(\nint main() { X( }\n",
    b"template <class T> T f(T x) { return x; }\n" * 50,
    b"int main() { " + b"{" * 200 + b"}" * 200 + b" }\n",
)
"""Texts on which a policy must not stumble."""


class Trial(Struct, frozen=True):
    """A target for an executor: what is known about some candidates of it."""

    job: EvaluationJob
    faster: Candidate
    """Correct and at least twice as fast."""
    wrong: Candidate
    """Builds, and prints something else."""
    broken: Candidate
    """Does not build."""
    refused: EvaluationJob
    """Cannot be judged."""


PROSPECTS = tuple(
    Prospect(speedup, depth, u, left, tried, tried // 3, gains, share)
    for speedup, depth, u in ((0.4, 1, 1.0), (1.0, 0, 1.0), (1.9, 2, 2.5), (37.0, 5, 37.0), (900.0, 9, 1000.0))
    for left, tried in ((0, 0), (5, 3), (64, 60))
    for gains, share in (((), None), ((0.7, 0.1), 0.9))
)
"""States that a value function must have something to say about."""


async def check_values(values: ValueFunction) -> None:
    """The promises of :class:`~maxcode_lsp.value.value.ValueFunction`."""
    assert values.name, "it has a name"
    found = await values.estimate(PROSPECTS)
    assert len(found) == len(PROSPECTS), "one estimate for each"
    for estimate, prospect in zip(found, PROSPECTS, strict=True):
        assert len(estimate.probabilities) == len(estimate.values)
        assert min(estimate.probabilities) >= 0, "probabilities are not below 0"
        assert abs(sum(estimate.probabilities) - 1) < 1e-6, "they sum to 1"
        assert list(estimate.values) == sorted(estimate.values), "classes ascend"
        assert estimate.values[0] >= 0, "no class is below 0"
        assert estimate.score(prospect.u) >= prospect.u - 1e-9, "what is in hand is not lost"
    again = await values.estimate(tuple(reversed(PROSPECTS)))
    assert list(again) == list(reversed(found)), "the same for the same, in any order"
    assert list(await values.estimate(())) == []


async def check_executor(executor: Executor, trial: Trial) -> None:
    """The promises of :class:`~maxcode_lsp.executor.executor.Executor`. Closes the executor."""
    said = ""
    try:
        await executor.prepare(trial.refused)
    except Refused as refusal:
        said = str(refusal).strip()
    assert said, "what cannot be judged is refused with the reason"
    base = await executor.prepare(trial.job)
    assert base.measurable, "the trial's target can be measured"
    assert base.run_ns > 0, "a sample takes time"

    test = PairedTest(max_pairs=10)
    faster, wrong, broken = await asyncio.gather(
        executor.evaluate(base, trial.faster),
        executor.evaluate(base, trial.wrong),
        executor.evaluate(base, trial.broken),
    )
    for evaluation, candidate in ((faster, trial.faster), (wrong, trial.wrong), (broken, trial.broken)):
        assert evaluation.candidate == candidate.id, "an evaluation names its candidate"
        assert evaluation.feedback.message.strip(), "an evaluation says something"
        assert evaluation.reference is None, "without another candidate the original is the reference"
    assert faster.outcome is Outcome.CORRECT, faster.feedback
    assert faster.measurement is not None, "what is correct and measurable is measured"
    assert faster.measurement.verdict is Verdict.FASTER, faster.measurement
    assert faster.measurement.ci95[0] <= faster.measurement.speedup <= faster.measurement.ci95[1]
    assert len(faster.measurement.reference_ns) == len(faster.measurement.candidate_ns), "samples come in pairs"
    for evaluation in (wrong, broken):
        assert evaluation.outcome not in {Outcome.CORRECT, Outcome.IDENTICAL}, evaluation
        assert evaluation.measurement is None, "what is not correct is not measured"

    itself = await executor.compare(base, trial.faster, trial.faster, test)
    assert itself.reference == trial.faster.id, "a comparison names its reference"
    assert itself.measurement is None or itself.measurement.verdict is Verdict.NO_DIFFERENCE, itself
    for version in (None, trial.faster):
        overhead = await executor.meter(base, version)
        assert overhead is not None, "what is correct can be metered"
        assert overhead.elapsed_ns > 0 < overhead.memory_time_mbs
        assert overhead.peak_bytes > 0
    confirmed = await executor.confirm(base, trial.faster)
    assert confirmed.outcome is Outcome.CORRECT, confirmed.feedback
    assert confirmed.measurement is not None
    assert confirmed.measurement.verdict is Verdict.FASTER
    assert (await executor.confirm(base, trial.wrong)).outcome is not Outcome.CORRECT
    await executor.close()
    await executor.close()


async def check_policy(policy: Policy, text: bytes) -> None:
    """The promises of :class:`~maxcode_lsp.policy.policy.Policy`; it must have ideas for ``text``."""
    before = Observation(text, ("-O3",), Critique())
    proposals = await policy.propose(before, 64)
    assert proposals, "there are ideas for this text"
    ids = [candidate_id(proposal.text) for proposal in proposals]
    assert len(set(ids)) == len(ids), "no proposal comes twice"
    assert candidate_id(text) not in ids, "a proposal changes the text"
    if policy.again:
        assert await policy.propose(before, 1), "it has other ideas when it is asked again"
    else:
        assert list(await policy.propose(before, 64)) == list(proposals), "the same observation gets the same proposals"
    assert len(await policy.propose(before, 1)) == 1, "no more than asked for"
    assert list(await policy.propose(before, 0)) == []
    tried = Observation(text, ("-O3",), Critique(), frozenset(ids[:1]))
    assert ids[0] not in {candidate_id(proposal.text) for proposal in await policy.propose(tried, 64)}, (
        "what was tried is not proposed again"
    )
    for proposal in proposals:
        assert proposal.origin.policy == policy.name, "a proposal names its policy"
        assert proposal.origin.actions, "a proposal says what was done"
        assert proposal.origin.rationale.strip(), "a proposal says why"
    for odd in ODD_TEXTS:
        await policy.propose(Observation(odd, (), Critique()), 8)


async def check_critic(critic: Critic, evidence: Evidence) -> None:
    """The promises of :class:`~maxcode_lsp.critique.critic.Critic`."""
    report = await critic.criticise(evidence)
    lines = evidence.subject.text.count(b"\n") + 1
    for finding in report.findings:
        assert finding.kind in {kind.value for kind in Kind}, f"{finding.kind} is a known kind"
        assert 1 <= finding.span.first <= finding.span.last <= lines, "a finding lies in the text"
        assert finding.message.strip(), "a finding says what"
        assert finding.evidence.strip(), "a finding says from where"
        assert finding.share is None or 0 <= finding.share <= 1.0001, "a share is a share"
    for note in report.notes:
        assert note.strip().endswith("."), "a note is a sentence"


async def check_model(model: Model) -> None:
    """The promises of :class:`~maxcode_lsp.model.model.Model`; it must answer. Closes the model."""
    assert model.name.strip(), "a model has a name"
    assert model.context_tokens >= 1024, "a model has room for a question"
    assert model.count("") == 0
    assert 0 < model.count("int x;") <= model.count("int x;\n" * 100), "a longer text is not fewer tokens"
    assert model.count("\u00e4\u00f6\u00fc \x00 \udcff") > 0, "any text has tokens"
    question = Question(messages=(Message(Role.USER, "Say something."),), max_tokens=64)
    answer = await model.ask(question)
    assert answer.model == model.name, "an answer names its model"
    assert answer.ending is not Ending.STOP or answer.text.strip(), "what ended by itself says something"
    assert answer.usage.tokens_in > 0 and answer.usage.tokens_out >= 0, "an answer says what it cost"  # noqa: PT018
    assert answer.usage.cost_usd is None or answer.usage.cost_usd >= 0
    assert answer.elapsed_s >= 0
    assert not answer.cached, "only a cache knows answers"
    waiting = asyncio.ensure_future(model.ask(question))
    await asyncio.sleep(0)
    waiting.cancel()
    done, _ = await asyncio.wait([waiting], timeout=2.0)
    assert done, "who cancels need not wait"
    await model.close()
    await model.close()


def check_clock(clock: Clock) -> None:
    """The promises of :class:`~maxcode_lsp.clock.Clock`."""
    readings: Sequence[float] = [clock.now_s() for _ in range(100)]
    assert list(readings) == sorted(readings), "time never goes back"
