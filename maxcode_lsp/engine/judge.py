"""Judging a version written by hand, and re-proving a saved result: the same judge as in a run."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec.structs import replace

from maxcode_lsp import messages
from maxcode_lsp.engine import bundle
from maxcode_lsp.engine.events import Judgement
from maxcode_lsp.engine.load import load
from maxcode_lsp.engine.places import builds_folder
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.records import Candidate, Change, Evaluation, Origin, Outcome
from maxcode_lsp.search.trials import candidate_id
from maxcode_lsp.settings import Settings
from maxcode_lsp.target.program import read_program
from maxcode_lsp.text.edits import diff


async def judge(
    original: Path,
    candidate: Path,
    *,
    settings: Settings | None = None,
    allow_unsafe: bool = False,
    quick: bool = False,
) -> Judgement:
    """Judge ``candidate``, a whole file, against ``original``.

    ``quick``: the sequential test decides, without confirmation. Raises Refused, SettingsError and
    InfrastructureError.
    """
    chosen = settings or Settings()
    loaded = await load(original, chosen, allow_unconfined=allow_unsafe)
    text = read_program(candidate).data
    executor = LocalExecutor(builds_folder(), threshold=chosen.threshold, allow_unconfined=allow_unsafe)
    try:
        base = await executor.prepare(loaded.job)
        change = Change(loaded.job.unit, loaded.source.sha256, diff(loaded.source.data, text))
        version = Candidate(candidate_id(text), change, None, 1, Origin("hand", (), "Written by hand."))
        if not change.hunks:
            return Judgement(Outcome.IDENTICAL, None, None, None, messages.same_text(), environment=base.environment)
        test = PairedTest(threshold=chosen.threshold)
        evaluation = await executor.evaluate(base, version, test=test)
        if evaluation.outcome is Outcome.CORRECT and not quick:
            evaluation = await executor.confirm(base, version)
        return judgement(base, evaluation)
    finally:
        await executor.close()


async def verify_bundle(path: Path, *, allow_unsafe: bool = False) -> Judgement:
    """Prove and time a saved result again, here and now. Raises BundleError besides what ``judge`` raises."""
    saved = await asyncio.to_thread(bundle.load, path)
    manifest = saved.manifest
    executor = LocalExecutor(builds_folder(), threshold=manifest.threshold, allow_unconfined=allow_unsafe)
    try:
        base = await executor.prepare(saved.job)
        said = judgement(base, await executor.confirm(base, manifest.candidate))
        claimed = manifest.evaluation.measurement
        if claimed is None:
            return said
        return replace(
            said,
            reason=f"{said.reason} {messages.claimed(claimed.speedup, *claimed.ci95, manifest.environment.machine)}",
        )
    finally:
        await executor.close()


def judgement(base: Baseline, evaluation: Evaluation) -> Judgement:
    """An evaluation against the original as a judgement."""
    taken = evaluation.measurement
    reason = evaluation.feedback.message
    if evaluation.outcome is Outcome.CORRECT and not base.measurable:
        reason = base.notes[-1]
    return Judgement(
        outcome=evaluation.outcome,
        verdict=taken.verdict if taken else None,
        speedup=taken.speedup if taken else None,
        ci95=taken.ci95 if taken else None,
        reason=reason,
        pairs=len(taken.reference_ns) if taken else 0,
        environment=base.environment,
    )
