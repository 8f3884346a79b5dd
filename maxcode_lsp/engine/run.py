"""One run: a file is read, its original verified, a faster version searched for and proven."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from msgspec import Struct

from maxcode_lsp import __version__
from maxcode_lsp.clock import Clock, Stopwatch, SystemClock
from maxcode_lsp.engine import hits
from maxcode_lsp.engine.asking import Asking
from maxcode_lsp.engine.entries import evaluated, observed
from maxcode_lsp.engine.events import Critiqued, Decided, Evaluated, Event, Observed, Prepared, Progress, RunResult
from maxcode_lsp.engine.format import Formatter
from maxcode_lsp.engine.journal.locks import hold
from maxcode_lsp.engine.journal.places import new_id, runs_folder
from maxcode_lsp.engine.journal.records import VERSION, Opened
from maxcode_lsp.engine.journal.sweep import sweep
from maxcode_lsp.engine.load import Loaded, load
from maxcode_lsp.engine.outcome import counted, hit_rates, improved, why_not
from maxcode_lsp.engine.places import builds_folder
from maxcode_lsp.engine.planning import plan
from maxcode_lsp.engine.policies import Policies, names
from maxcode_lsp.engine.pursue import SEARCHING, Observer, Pursuit, proof_s, pursue
from maxcode_lsp.engine.recording import CAN_GO_ON, Recording, now_utc
from maxcode_lsp.engine.replay import ReplayedExecutor, ReplayedPolicy
from maxcode_lsp.engine.viewing import view
from maxcode_lsp.errors import InfrastructureError, Refused, SettingsError
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.executor import Baseline, Stage
from maxcode_lsp.executor.holders import holders
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.messages import endings
from maxcode_lsp.model.keys import Keys
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.records import Critique, RunStatus
from maxcode_lsp.search import Asked, Budget, Node, Trial
from maxcode_lsp.settings import Settings
from maxcode_lsp.target.program import read_program
from maxcode_lsp.text.source import SourceText

CRITIQUE_SHARE = 0.25
"""Ours: at most this part of a run's seconds goes into one critique."""


def waiting(others: Sequence[int]) -> str:
    """The phase that is shown while other processes, as far as they are known, hold every core."""
    known = f" ({'process' if len(others) == 1 else 'processes'} {', '.join(map(str, others))})" if others else ""
    return f"waiting for another maxcode{known}"


async def optimize(
    file: Path,
    settings: Settings,
    on_event: Callable[[Event], None],
    *,
    run: str | None = None,
    resume: bool = False,
    runs: Path | None = None,
    text: bytes | None = None,
    cores: Cores | None = None,
    keys: Keys | None = None,
    local: LocalServers | None = None,
    allow_unsafe: bool = False,
    interrupted: Callable[[], bool] = lambda: False,
    clock: Clock | None = None,
) -> RunResult:
    """Make a program faster. A target that cannot be optimised, and trouble of the machine, are results
    too (``refused``, ``failed``). Raises SettingsError; cancelling tears everything down first.

    ``run``: id of the run and its journal; None: a new one. ``runs``: the folder of journals; None: the user's.
    ``resume``: go on with the run's journal, with its settings; one that came to its end ends the same way at once.
    ``text``: the bytes of an unsaved buffer, used instead of the file's. ``cores``: shared with other runs of
    this process; None: the run's own. ``keys``, ``local``: where keys of models are looked for, and the local models
    of this process; None: the environment, and the run's own. ``interrupted``: asked when the run is cancelled,
    whether this process merely dies; then the journal has no end and the run can go on later. Else it ends as
    ``cancelled``.
    """
    given = _Given(
        file=file,
        run=run or new_id(),
        resume=resume,
        runs=runs or runs_folder(),
        text=text,
        cores=cores,
        keys=keys,
        local=local,
        allow_unsafe=allow_unsafe,
    )
    one = _Run(given, settings, on_event, clock or SystemClock())
    work = asyncio.ensure_future(one.go())
    try:
        # Shielded, so that a cancellation is written down at once, before the teardown.
        result = await asyncio.shield(work)
    except asyncio.CancelledError:
        if not interrupted():
            one.stopped()
        work.cancel()
        await asyncio.wait([work])
        if not work.cancelled():
            work.exception()
        raise
    on_event(result)
    return result


class _Given(Struct, frozen=True, kw_only=True):
    """What a run is begun with, besides its settings; see :func:`optimize`."""

    file: Path
    run: str
    resume: bool
    runs: Path
    text: bytes | None
    cores: Cores | None
    keys: Keys | None
    local: LocalServers | None
    allow_unsafe: bool


class _Run:
    def __init__(self, given: _Given, settings: Settings, on_event: Callable[[Event], None], clock: Clock) -> None:
        self._given = given
        self._settings = settings
        self._time = Stopwatch(clock)
        self._recording = Recording(on_event, self._time, self._left_over)
        self._phase = "preparing"
        self._stages: Counter[Stage] = Counter()
        self._budget = self._new_budget(settings.seconds)
        self._judged: list[Evaluated] = []
        self._critique = Critique()
        self._critiques: dict[str | None, Critique] = {}
        """Of versions, by candidate; None: of the original."""
        self._went_on: Decided | None = None
        self._notes: list[str] = []
        self._asking = Asking(given.keys, given.local, self._recording.happened, self._progress)

    def _new_budget(self, seconds: float, reserve_s: float = 0.0) -> Budget:
        return Budget(self._time, self._settings.candidates, seconds, self._settings.goal, reserve_s=reserve_s)

    def _left_over(self, count: int) -> None:
        """So many candidates were judged in an earlier process, and are not asked for again."""
        for _ in range(count):
            self._budget.take()

    @property
    def _left_s(self) -> float:
        return self._settings.seconds - self._time.now_s()

    async def go(self) -> RunResult:
        async with AsyncExitStack() as stack:
            try:
                result = await self._go(stack)
            except Refused as refusal:
                result = self._ended(RunStatus.REFUSED, str(refusal))
            except InfrastructureError as trouble:
                result = self._ended(RunStatus.FAILED, str(trouble))
            except SettingsError as mistake:
                self._recording.end(self._ended(RunStatus.REFUSED, str(mistake)))
                raise
            self._recording.end(result)
            return result

    def stopped(self) -> None:
        """The user stopped it."""
        best = next((judged.speedup for judged in reversed(self._judged) if judged.best), None)
        self._recording.end(self._ended(RunStatus.CANCELLED, endings.run_stopped(self._given.file.name, best)))

    async def _begin(self, stack: AsyncExitStack) -> RunResult | None:
        """Take the target and its journal; the result where it has one already."""
        given = self._given
        source = await asyncio.to_thread(read_program, given.file) if given.text is None else SourceText(given.text)
        stack.callback((await hold(given.file)).release)
        stack.push_async_callback(self._recording.close)
        heading = Opened(
            version=VERSION,
            run=given.run,
            created=now_utc(),
            maxcode=__version__,
            file=os.path.normpath(given.file.absolute()),  # noqa: ASYNC240 - touches no disk
            target=given.file.name,
            source=source.raw,
            source_sha256=source.sha256,
            settings=self._settings,
            search=self._settings.search,
            policies=names(self._settings),
            seed=self._settings.seed,
        )
        result: RunResult | None = None
        if given.resume:
            recorded = await self._recording.go_on(given.runs, heading)
            if recorded is not None:
                self._settings = recorded.opened.settings
                result = recorded.result if recorded.result is None or recorded.result.status not in CAN_GO_ON else None
        else:
            await self._recording.begin(given.runs, heading)
        await asyncio.to_thread(sweep, given.runs, self._settings.journal)
        return result

    async def _go(self, stack: AsyncExitStack) -> RunResult:
        self._progress()
        if (known := await self._begin(stack)) is not None:
            return known
        stack.push_async_callback(self._asking.close)
        await self._asking.open(self._settings, self._recording.spent)
        loaded = await load(
            self._given.file,
            self._settings,
            text=self._given.text,
            allow_unconfined=self._given.allow_unsafe,
            cores=self._given.cores,
        )
        executor = LocalExecutor(
            builds_folder(),
            cache_bytes=self._settings.cache.size_mb << 20,
            threshold=self._settings.threshold,
            allow_unconfined=self._given.allow_unsafe,
            cores=self._given.cores,
            on_stage=self._staged,
            on_wait=lambda _: self._progress(waiting(holders())),
        )
        stack.push_async_callback(executor.close)
        base = await executor.prepare(loaded.job)
        self._notes = [*loaded.notes, *base.notes]
        self._recording.check(base.environment)
        self._recording.happened(
            Prepared(
                loaded.name,
                base.run_ns,
                self._settings.candidates,
                self._settings.seconds,
                (*self._recording.notes, *self._notes),
                base.environment,
            )
        )
        if not base.measurable:
            return self._ended(RunStatus.UNMEASURED, base.notes[-1], base)
        self._budget = self._new_budget(self._left_s, proof_s(base, self._left_s))
        policies = Policies(loaded.job, self._settings.rewrites, executor.room)
        stack.push_async_callback(policies.close)

        replay = self._recording.replay

        async def criticise(node: Node) -> Critique:
            known = await replay.critique(node.id)
            limit_s = CRITIQUE_SHARE * self._settings.seconds
            return self._found(node, known or await view(executor.original(base), node, policies.tidy, limit_s))

        async def opinion(node: Node, critique: Critique) -> Critique:
            known = await replay.opinion(node.id)
            return self._found(node, known or await self._asking.opinion(node, critique))

        observer = Observer(
            on_phase=self._entered,
            on_trial=self._tried,
            critique=criticise,
            on_asked=self._asked,
            on_decision=self._decided,
            opinion=opinion if self._asking.criticises else None,
        )
        pursuit = await pursue(
            ReplayedExecutor(executor, replay, self._recording.happened),
            base,
            loaded.source,
            [
                ReplayedPolicy(policy, replay)
                for policy in (*policies.all, *self._asking.lanes(base.environment.compiler, self._settings.seed))
            ],
            self._settings.search,
            self._budget,
            observer,
            lambda: self._left_s,
            Formatter(self._given.file, policies.run_tool),
            plan(self._settings),
        )
        await asyncio.to_thread(hits.add, hits.hits_file(), hit_rates(self._judged))
        return await self._finished(loaded, base, pursuit)

    def _decided(self, decided: Decided) -> None:
        self._recording.happened(decided)
        if decided.what == "went_on":
            self._went_on = decided
            self._progress()

    def _found(self, node: Node, critique: Critique) -> Critique:
        self._critiques[node.id] = critique
        if node.candidate is None:
            self._critique = critique
        self._recording.happened(Critiqued(node.id, critique))
        return critique

    def _staged(self, stage: Stage, change: int) -> None:
        self._stages[stage] += change
        self._progress()

    def _entered(self, phase: str) -> None:
        self._phase = phase
        if phase != SEARCHING:
            self._recording.replay.end()
        self._progress()

    def _asked(self, asked: Asked) -> float:
        told = self._recording.happened(observed(asked))
        return told.elapsed_s if isinstance(told, Observed) else asked.elapsed_s

    def _tried(self, trial: Trial) -> None:
        parent = trial.node.parent
        critique = self._critiques.get(parent.id if parent is not None else None, self._critique)
        told = self._recording.happened(evaluated(trial, self._recording.numbered + 1, critique))
        assert isinstance(told, Evaluated)
        self._recording.numbered = max(self._recording.numbered, told.number)
        self._judged.append(told)
        self._progress()

    def _progress(self, phase: str = "") -> None:
        self._recording.happened(
            Progress(
                phase=phase or self._phase,
                done=len(self._judged),
                budget=self._settings.candidates,
                building=self._stages[Stage.BUILDING],
                verifying=self._stages[Stage.VERIFYING],
                measuring=self._stages[Stage.MEASURING],
                asking=self._asking.in_flight,
                spent=self._asking.spent,
                **self._standing(),
            )
        )

    def _standing(self) -> dict[str, Any]:
        """Where the search is, for progress."""
        at = self._went_on
        node = next((j for j in self._judged if at is not None and j.evaluation.candidate == at.candidate), None)
        return {
            "depth": node.depth if node is not None else 0,
            "u": self._judged[-1].u if self._judged else 1.0,
            "parent": at.why if at is not None else "",
        }

    async def _finished(self, loaded: Loaded, base: Baseline, pursuit: Pursuit) -> RunResult:
        confirmation, winner = pursuit.confirmation, pursuit.winner
        taken = confirmation.measurement if confirmation is not None else None
        if confirmation is None or winner is None or taken is None:
            reason = why_not(loaded.name, self._judged, self._critique, self._settings.threshold, pursuit.stop)
            return self._ended(RunStatus.NO_IMPROVEMENT, reason, base)
        self._notes += pursuit.notes
        if pursuit.trouble is not None:
            self._notes.append(endings.proving_anyway(str(pursuit.trouble)))
        if not pursuit.proven:
            reason = endings.not_confirmed(loaded.name, taken.speedup, *taken.ci95)
            return self._ended(RunStatus.NO_IMPROVEMENT, reason, base)
        plain = self._ended(RunStatus.IMPROVED, "", base)
        return await improved(plain, loaded, base, winner, confirmation, pursuit.reports, self._settings.threshold)

    def _ended(self, status: RunStatus, reason: str, base: Baseline | None = None) -> RunResult:
        return RunResult(
            target=self._given.file.name,
            status=status,
            speedup=None,
            ci95=None,
            evaluations=len(self._judged),
            outcomes=counted(self._judged),
            seconds=self._time.now_s(),
            diff="",
            reason=reason,
            environment=base.environment if base else None,
            critique=self._critique,
            hits=hit_rates(self._judged),
            notes=(*self._recording.notes, *self._notes),
            spent=self._asking.spent,
            replies=dict(self._asking.replies),
            unasked=tuple(self._asking.notes),
        )
