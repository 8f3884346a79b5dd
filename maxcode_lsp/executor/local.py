"""The local executor: evaluations on this machine, every child sandboxed."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from pathlib import Path

from maxcode_lsp import __version__
from maxcode_lsp.errors import MeasurementDisturbed
from maxcode_lsp.executor.build import Builder, Kind
from maxcode_lsp.executor.cache import BuildCache
from maxcode_lsp.executor.confirm import PAIRS, Confirming, confirm
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.executor import Baseline, OnStage, Stage
from maxcode_lsp.executor.judging import Rival, judge
from maxcode_lsp.executor.machine import machine
from maxcode_lsp.executor.original import Original, Room, build_original
from maxcode_lsp.executor.overhead import overhead
from maxcode_lsp.executor.prepare import MEASURABLE_NS, observe_all
from maxcode_lsp.executor.sandbox import Scratch
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.executor.toolchain import find_compiler
from maxcode_lsp.messages import phrases, preparing, troubles
from maxcode_lsp.records import Candidate, Environment, Evaluation, Outcome, Overhead
from maxcode_lsp.target.job import EvaluationJob


def _unwatched(stage: Stage, change: int) -> None:
    """Nobody follows the stages."""


class LocalExecutor:
    """Evaluates on this machine. One instance a run; close it."""

    def __init__(
        self,
        cache_folder: Path,
        *,
        cache_bytes: int | None = None,
        threshold: float = 1.05,
        pairs: int = PAIRS,
        allow_unconfined: bool = False,
        cores: Cores | None = None,
        on_stage: OnStage = _unwatched,
        on_wait: Callable[[float], None] | None = None,
        seed: int | None = None,
    ) -> None:
        """``cache_bytes`` None: the build cache keeps its size. ``on_wait`` is told, in seconds, when another
        process has held all cores for long. ``pairs``: fresh pairs of a confirmation. ``seed`` fixes the
        held-out inputs, for tests; None: secret. ``cores``: shared in turn with other executors; None: its own.
        """
        self._scratch = Scratch()
        self._cores = Cores(on_wait) if cores is None else cores.share(on_wait)
        self._cache = BuildCache(cache_folder, cache_bytes)
        self._builder = Builder(self._scratch, self._cores, self._cache, allow_unconfined=allow_unconfined)
        self.room = Room(self._scratch, self._cores, self._builder, allow_unconfined)
        self._threshold = threshold
        self._pairs = pairs
        self._on_stage = on_stage
        self._rng = random.Random(secrets.randbits(128) if seed is None else seed)  # noqa: S311 - seeded from secrets
        self._originals: dict[str, Original] = {}

    async def prepare(self, job: EvaluationJob) -> Baseline:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        compiler = await find_compiler(job.compiler)
        original = await build_original(self.room, job, compiler)
        notes = await observe_all(original, self._rng)
        run_ns = sum(original.times_ns[case.name] for case in original.timed)
        measurable = run_ns >= MEASURABLE_NS
        if not measurable:
            notes.append(
                preparing.too_short(run_ns / 1e6, MEASURABLE_NS / 1e6, reads=any(case.stdin for case in original.cases))
            )
        environment = Environment(machine(), compiler.version, job.flags, original.level, __version__)
        base = Baseline(secrets.token_hex(8), job, run_ns, measurable, environment, (*self._cache.notes, *notes))
        self._originals[base.id] = original
        return base

    def original(self, base: Baseline) -> Original:
        """What is kept about a prepared original (critique runs on the same inputs)."""
        return self._originals[base.id]

    async def evaluate(
        self, base: Baseline, candidate: Candidate, against: Candidate | None = None, test: PairedTest | None = None
    ) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        original = self._originals[base.id]
        chosen = test or PairedTest(threshold=self._threshold, tell_slower=False)
        rival = Rival(original.program, None) if against is None else await self._rival(original, against)
        return await judge(original, candidate, rival, chosen if base.measurable else None, self._on_stage)

    async def compare(self, base: Baseline, candidate: Candidate, against: Candidate, test: PairedTest) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        original = self._originals[base.id]
        rival = await self._rival(original, against)
        chosen = test if base.measurable else None
        return await judge(original, candidate, rival, chosen, self._on_stage, among_all=False)

    async def meter(self, base: Baseline, candidate: Candidate | None) -> Overhead | None:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        original = self._originals[base.id]
        rival = Rival(original.program, None) if candidate is None else await self._rival(original, candidate)
        return await overhead(original, rival.program)

    async def _rival(self, original: Original, candidate: Candidate) -> Rival:
        unit = original.source.render(candidate.change.hunks)
        built = await self._builder.build(original.job, original.compiler, unit, Kind.SEARCH)
        if built.outcome is not Outcome.CORRECT:
            raise MeasurementDisturbed(troubles.rebuild_failed(phrases.first_error(built.diagnostics)))
        return Rival(built.program, candidate.id)

    async def confirm(self, base: Baseline, candidate: Candidate) -> Evaluation:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        way = Confirming(base.measurable, self._threshold, self._pairs, self._on_stage)
        return await confirm(self._originals[base.id], candidate, self._rng, way)

    async def close(self) -> None:
        """See :class:`~maxcode_lsp.executor.executor.Executor`."""
        await self._builder.close()
        self._cores.close()
        self._cache.close()
        self._scratch.close()
