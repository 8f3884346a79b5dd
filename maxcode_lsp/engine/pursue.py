"""From a verified original to a proven edit: search, trim, confirm."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct

from maxcode_lsp.engine.events import Decided, HunkReport
from maxcode_lsp.engine.format import Formatter
from maxcode_lsp.engine.trim import trim
from maxcode_lsp.errors import InfrastructureError
from maxcode_lsp.executor.executor import Baseline, Executor
from maxcode_lsp.messages import endings, verdicts
from maxcode_lsp.policy.policy import Policy
from maxcode_lsp.records import Candidate, Critique, Evaluation, Outcome, Verdict
from maxcode_lsp.search import SEARCHES, Asked, Budget, Node, Plan, Stop, Trial, Trials, Watcher
from maxcode_lsp.text.source import SourceText

SEARCHING = "searching"
"""The phase in which candidates are judged; all behind it is proof."""
PROOF_SHARE = 0.4
"""Ours: at most this part of the time is kept back for trimming and confirming."""
PROOF_SAMPLES = 90
"""Ours: samples of the original that trimming and confirming take about."""
PROOF_BUILDS_S = 15.0
"""Ours: their builds."""


class Pursuit(Struct, frozen=True, kw_only=True):
    """What came of it."""

    stop: Stop
    trials: tuple[Trial, ...]
    winner: Candidate | None = None
    """The trimmed winner, if the search found any."""
    reports: tuple[HunkReport, ...] = ()
    confirmation: Evaluation | None = None
    trouble: InfrastructureError | None = None
    """What cut the search short."""
    notes: tuple[str, ...] = ()
    """Why the winner is not formatted."""

    @property
    def proven(self) -> bool:
        """The winner was confirmed faster."""
        taken = self.confirmation.measurement if self.confirmation is not None else None
        return taken is not None and taken.verdict is Verdict.FASTER


class Observer(Struct, frozen=True, kw_only=True):
    """Who is told and asked on the way."""

    on_phase: Callable[[str], None]
    on_trial: Callable[[Trial], None]
    critique: Callable[[Node], Awaitable[Critique]]
    on_asked: Callable[[Asked], float]
    on_decision: Callable[[Decided], object]
    opinion: Callable[[Node, Critique], Awaitable[Critique]] | None = None

    def went_on(self, node: Node, why: str) -> None:
        """The search goes on from a node."""
        self.on_decision(Decided("went_on", node.id, why))


async def pursue(
    executor: Executor,
    base: Baseline,
    source: SourceText,
    policies: Sequence[Policy],
    search: str,
    budget: Budget,
    observer: Observer,
    left_s: Callable[[], float],
    formatter: Formatter | None = None,
    plan: Plan = Plan(),  # noqa: B008 - it is frozen
) -> Pursuit:
    """Spend the budget with the strategy ``search``, as planned. ``left_s``: seconds left for everything.

    ``formatter`` shapes the winner before it is confirmed; None: it stays as it was found.
    """
    seen: list[Trial] = []

    def keep(trial: Trial) -> None:
        seen.append(trial)
        observer.on_trial(trial)

    observer.on_phase(SEARCHING)
    watcher = Watcher(keep, observer.critique, observer.on_asked, observer.went_on, observer.opinion)
    trials = Trials(base, source, executor, policies, budget, watcher, plan)
    trouble: InfrastructureError | None = None
    stop = Stop.TROUBLE
    try:
        stop = await SEARCHES[search]().run(trials)
    except InfrastructureError as error:
        # What was found by then is not lost: proving it is a matter of its own.
        if trials.best.candidate is None:
            raise
        trouble = error
    observer.on_decision(Decided("stopped", trials.best.id, endings.stopped_because(stop.value)))
    node: Node | None = trials.best
    while node is not None and node.candidate is not None:
        observer.on_phase("trimming")
        trimmed = await trim(executor, base, source, node, lambda: left_s() - confirm_s(base))
        observer.on_decision(Decided("trimmed", trimmed.candidate.id, endings.trimmed(trimmed.left_out)))
        notes: tuple[str, ...] = ()
        if formatter is not None:
            formatted = await formatter.format(source, trimmed)
            trimmed, notes = formatted.trimmed, formatted.notes
        observer.on_phase("confirming")
        confirmation = await executor.confirm(base, trimmed.candidate)
        observer.on_decision(_verdict(trimmed.candidate, confirmation))
        if confirmation.outcome is Outcome.CORRECT:
            return Pursuit(
                stop=stop,
                trials=tuple(seen),
                winner=trimmed.candidate,
                reports=trimmed.reports,
                confirmation=confirmation,
                trouble=trouble,
                notes=notes,
            )
        # Not right after all on inputs made later: what it was made from may be.
        node = node.parent
    return Pursuit(stop=stop, trials=tuple(seen), trouble=trouble)


def _verdict(candidate: Candidate, confirmation: Evaluation) -> Decided:
    taken = confirmation.measurement
    if confirmation.outcome is not Outcome.CORRECT or taken is None:
        return Decided("given_up", candidate.id, confirmation.feedback.message)
    said = verdicts.measured_afresh(taken.speedup, *taken.ci95, len(taken.reference_ns))
    return Decided("confirmed" if taken.verdict is Verdict.FASTER else "given_up", candidate.id, said)


def confirm_s(base: Baseline) -> float:
    """About how long a confirmation takes."""
    return PROOF_BUILDS_S / 3 + 50 * base.run_ns / 1e9


def proof_s(base: Baseline, seconds: float) -> float:
    """How much of ``seconds`` is kept back, so that a winner can be trimmed and confirmed."""
    return min(PROOF_SHARE * seconds, PROOF_BUILDS_S + PROOF_SAMPLES * base.run_ns / 1e9)
