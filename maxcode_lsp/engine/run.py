"""One run: a file is read, its original verified, a faster version searched for and proven."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec.structs import replace

from maxcode_lsp import messages
from maxcode_lsp.clock import Clock, SystemClock
from maxcode_lsp.engine import bundle, hits
from maxcode_lsp.engine.events import Critiqued, Evaluated, Event, Prepared, Progress, RunResult
from maxcode_lsp.engine.load import Loaded, load
from maxcode_lsp.engine.outcome import counted, hit_rates, why_not
from maxcode_lsp.engine.places import builds_folder, results_folder
from maxcode_lsp.engine.policies import Policies
from maxcode_lsp.engine.pursue import Observer, Pursuit, proof_s, pursue
from maxcode_lsp.engine.viewing import view
from maxcode_lsp.errors import InfrastructureError, Refused, StorageFull
from maxcode_lsp.executor.executor import Baseline, Stage
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.records import Critique, RunStatus
from maxcode_lsp.search import Budget, Node, Trial
from maxcode_lsp.settings import Settings
from maxcode_lsp.text.edits import unified

WAITING = "waiting for another maxcode"
"""The phase that is shown while another process holds every core."""
CRITIQUE_SHARE = 0.25
"""Ours: at most this part of a run's seconds goes into one critique."""


async def optimize(
    file: Path,
    settings: Settings,
    on_event: Callable[[Event], None],
    *,
    allow_unsafe: bool = False,
    clock: Clock | None = None,
) -> RunResult:
    """Make a program faster. A target that cannot be optimised, and trouble of the machine, are results
    too (``refused``, ``failed``). Raises SettingsError; cancelling tears everything down first.
    """
    run = _Run(file, settings, on_event, allow_unsafe, clock or SystemClock())
    result = await run.go()
    on_event(result)
    return result


class _Run:
    def __init__(
        self, file: Path, settings: Settings, on_event: Callable[[Event], None], allow_unsafe: bool, clock: Clock
    ) -> None:
        self._file = file
        self._settings = settings
        self._tell = on_event
        self._allow_unsafe = allow_unsafe
        self._clock = clock
        self._start_s = clock.now_s()
        self._phase = "preparing"
        self._stages: Counter[Stage] = Counter()
        self._budget = self._new_budget(settings.seconds)
        self._trials: list[Trial] = []
        self._critique = Critique()
        self._notes: list[str] = []

    def _new_budget(self, seconds: float, reserve_s: float = 0.0) -> Budget:
        return Budget(self._clock, self._settings.budget, seconds, self._settings.goal, reserve_s=reserve_s)

    @property
    def _left_s(self) -> float:
        return self._settings.seconds - (self._clock.now_s() - self._start_s)

    async def go(self) -> RunResult:
        async with AsyncExitStack() as stack:
            try:
                return await self._go(stack)
            except Refused as refusal:
                return self._ended(RunStatus.REFUSED, str(refusal))
            except InfrastructureError as trouble:
                return self._ended(RunStatus.FAILED, str(trouble))

    async def _go(self, stack: AsyncExitStack) -> RunResult:
        self._progress()
        loaded = await load(self._file, self._settings, allow_unconfined=self._allow_unsafe)
        executor = LocalExecutor(
            builds_folder(),
            cache_bytes=self._settings.cache.size_mb << 20,
            threshold=self._settings.threshold,
            allow_unconfined=self._allow_unsafe,
            on_stage=self._staged,
            on_wait=lambda _: self._progress(WAITING),
        )
        stack.push_async_callback(executor.close)
        base = await executor.prepare(loaded.job)
        self._notes = [*loaded.notes, *base.notes]
        self._tell(
            Prepared(
                loaded.name,
                base.run_ns,
                self._settings.budget,
                self._settings.seconds,
                tuple(self._notes),
                base.environment,
            )
        )
        if not base.measurable:
            return self._ended(RunStatus.UNMEASURED, base.notes[-1], base)
        self._budget = self._new_budget(self._left_s, proof_s(base, self._left_s))
        policies = Policies(loaded.job, self._settings.rewrites, executor.room)
        stack.push_async_callback(policies.close)

        async def criticise(node: Node) -> Critique:
            found = await view(executor.original(base), node, policies.tidy, CRITIQUE_SHARE * self._settings.seconds)
            if node.candidate is None:
                self._critique = found
            self._tell(Critiqued(node.id, found))
            return found

        observer = Observer(self._entered, self._tried, criticise)
        pursuit = await pursue(
            executor,
            base,
            loaded.source,
            policies.all,
            self._settings.search,
            self._budget,
            observer,
            lambda: self._left_s,
        )
        await asyncio.to_thread(hits.add, hits.hits_file(), hit_rates(self._trials))
        return await self._finished(loaded, base, pursuit)

    def _staged(self, stage: Stage, change: int) -> None:
        self._stages[stage] += change
        self._progress()

    def _entered(self, phase: str) -> None:
        self._phase = phase
        self._progress()

    def _tried(self, trial: Trial) -> None:
        self._trials.append(trial)
        candidate = trial.node.candidate
        assert candidate is not None
        self._tell(
            Evaluated(
                number=len(self._trials),
                actions=candidate.origin.actions,
                rationale=candidate.origin.rationale,
                depth=candidate.depth,
                evaluation=trial.evaluation,
                speedup=trial.speedup,
                best=trial.best,
            )
        )
        self._progress()

    def _progress(self, phase: str = "") -> None:
        self._tell(
            Progress(
                phase=phase or self._phase,
                done=len(self._trials),
                budget=self._settings.budget,
                building=self._stages[Stage.BUILDING],
                verifying=self._stages[Stage.VERIFYING],
                measuring=self._stages[Stage.MEASURING],
            )
        )

    async def _finished(self, loaded: Loaded, base: Baseline, pursuit: Pursuit) -> RunResult:
        confirmation, winner = pursuit.confirmation, pursuit.winner
        taken = confirmation.measurement if confirmation is not None else None
        if confirmation is None or winner is None or taken is None:
            reason = why_not(loaded.name, self._trials, self._critique, self._settings.threshold, pursuit.stop)
            return self._ended(RunStatus.NO_IMPROVEMENT, reason, base)
        if pursuit.trouble is not None:
            self._notes.append(messages.proving_anyway(str(pursuit.trouble)))
        low, high = taken.ci95
        known = {case.name for case in base.job.cases}
        if not pursuit.proven:
            reason = messages.not_confirmed(loaded.name, taken.speedup, low, high)
            return self._ended(RunStatus.NO_IMPROVEMENT, reason, base)
        manifest = bundle.Manifest(
            created=bundle.now_utc(),
            target=loaded.name,
            job=base.job,
            candidate=winner,
            evaluation=confirmation,
            environment=base.environment,
            threshold=self._settings.threshold,
            timed=confirmation.timed,
        )
        saved: str | None = None
        try:
            saved = str(await asyncio.to_thread(bundle.save, results_folder(), manifest, base.job))
        except StorageFull as full:
            self._notes.append(str(full))
        edited = loaded.source.render(winner.change.hunks)
        return replace(
            self._ended(
                RunStatus.IMPROVED,
                messages.improved(
                    loaded.name, taken.speedup, low, high, fresh_inputs=not known & set(confirmation.timed)
                ),
                base,
            ),
            speedup=taken.speedup,
            ci95=taken.ci95,
            diff=unified(loaded.source.raw, edited, loaded.name),
            hunks=pursuit.reports,
            pairs=len(taken.reference_ns),
            metric=taken.metric.value,
            edited=edited,
            bundle=saved,
        )

    def _ended(self, status: RunStatus, reason: str, base: Baseline | None = None) -> RunResult:
        return RunResult(
            target=self._file.name,
            status=status,
            speedup=None,
            ci95=None,
            evaluations=len(self._trials),
            outcomes=counted(self._trials),
            seconds=self._clock.now_s() - self._start_s,
            diff="",
            reason=reason,
            environment=base.environment if base else None,
            critique=self._critique,
            hits=hit_rates(self._trials),
            notes=tuple(self._notes),
        )
