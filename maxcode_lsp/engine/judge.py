"""Judging a version written by hand, and re-proving a saved result: the same judge as in a run."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from msgspec.structs import replace

from maxcode_lsp.engine import bundle
from maxcode_lsp.engine.events import Judgement
from maxcode_lsp.engine.load import Loaded, load
from maxcode_lsp.engine.places import builds_folder
from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.cores import Cores
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.messages import endings, refusals
from maxcode_lsp.records import Candidate, Change, Evaluation, Origin, Outcome, candidate_id
from maxcode_lsp.settings import Settings
from maxcode_lsp.target.program import LARGEST_BYTES, read_program
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText


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
    edited = await asyncio.to_thread(read_program, candidate)
    return await judge_text(
        original, edited.raw, candidate.name, settings=settings, allow_unsafe=allow_unsafe, quick=quick
    )


async def judge_text(
    original: Path,
    edited: bytes,
    name: str,
    *,
    text: bytes | None = None,
    settings: Settings | None = None,
    allow_unsafe: bool = False,
    quick: bool = False,
    cores: Cores | None = None,
) -> Judgement:
    """As :func:`judge`, for the exact bytes of a whole file that people know as ``name``.

    ``text``: the original's bytes, instead of those on disk. ``cores``: shared with runs of this process; None:
    its own.
    """
    chosen = settings or Settings()
    if len(edited) > LARGEST_BYTES:
        raise Refused(refusals.source_too_large(name, LARGEST_BYTES))
    loaded = await load(original, chosen, text=text, allow_unconfined=allow_unsafe, cores=cores)
    executor = LocalExecutor(builds_folder(), threshold=chosen.threshold, allow_unconfined=allow_unsafe, cores=cores)
    try:
        base = await executor.prepare(loaded.job)
        version = _by_hand(loaded, SourceText(edited).data)
        if not version.change.hunks:
            return Judgement(Outcome.IDENTICAL, None, None, None, endings.same_text(), environment=base.environment)
        test = PairedTest(threshold=chosen.threshold)
        evaluation = await executor.evaluate(base, version, test=test)
        if evaluation.outcome is Outcome.CORRECT and not quick:
            evaluation = await executor.confirm(base, version)
        said = judgement(base, evaluation)
        if said.outcome is Outcome.COMPILE_ERROR:
            # It was built in the original's place, but its errors are not the original's.
            said = replace(said, reason=renamed(said.reason, loaded.job.unit, name))
        return said
    finally:
        await executor.close()


def _by_hand(loaded: Loaded, text: bytes) -> Candidate:
    change = Change(loaded.job.unit, loaded.source.sha256, diff(loaded.source.data, text))
    return Candidate(candidate_id(text), change, None, 1, Origin("hand", (), "Written by hand."))


def renamed(diagnostic: str, unit: str, name: str) -> str:
    """What a compiler says, with the places in ``unit`` given by another file name."""
    return re.sub(rf"(?<![\w./-]){re.escape(unit)}(?=:)", lambda _: name, diagnostic)


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
            reason=f"{said.reason} {endings.claimed(claimed.speedup, *claimed.ci95, manifest.environment.machine)}",
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
