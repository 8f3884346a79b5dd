"""The end of a run in words and numbers."""

from __future__ import annotations

import asyncio
import statistics
from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from maxcode_lsp.engine import bundle
from maxcode_lsp.engine.events import Evaluated, HunkReport, RunResult
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.engine.places import results_folder
from maxcode_lsp.errors import StorageFull
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.messages import endings
from maxcode_lsp.records import Candidate, Critique, Evaluation, Outcome, Verdict
from maxcode_lsp.search import Stop
from maxcode_lsp.text.edits import unified

NOISY_SHARE = 0.1
"""A finding is named as where the time goes from this share on."""


def counted(judged: Sequence[Evaluated]) -> dict[str, int]:
    """Number of candidates by outcome; outcomes that did not happen are left out."""
    return dict(Counter(each.evaluation.outcome.value for each in judged))


def hit_rates(judged: Sequence[Evaluated]) -> dict[str, tuple[int, int]]:
    """Finding kind to (candidates that acted on it, of those faster)."""
    rates: dict[str, tuple[int, int]] = {}
    for each in judged:
        for kind in each.candidate.origin.finding_kinds if each.candidate is not None else ():
            acted, faster = rates.get(kind, (0, 0))
            rates[kind] = (acted + 1, faster + _is_faster(each))
    return rates


def _is_faster(each: Evaluated) -> bool:
    taken = each.evaluation.measurement
    return taken is not None and taken.verdict is Verdict.FASTER


def noise_pct(judged: Sequence[Evaluated]) -> float | None:
    """Median half width of the intervals of those that were no different, in per cent; None: too few."""
    widths = [
        (taken.ci95[1] - taken.ci95[0]) / 2 * 100
        for each in judged
        if not _is_faster(each) and (taken := each.evaluation.measurement) is not None
    ]
    return statistics.median(widths) if widths else None


def why_not(name: str, judged: Sequence[Evaluated], critique: Critique, threshold: float, stop: Stop) -> str:
    """Why there is no improvement, and what the time goes to."""
    if not judged and stop is Stop.TIME:
        return endings.no_time(name)
    correct = sum(each.evaluation.outcome is Outcome.CORRECT for each in judged)
    said = endings.no_improvement(name, len(judged), correct, threshold, noise_pct(judged))
    costly = [f for f in critique.findings if f.share is not None and f.share >= NOISY_SHARE]
    return f"{said} {costly[0].message}" if costly else said


async def improved(
    plain: RunResult,
    loaded: Loaded,
    base: Baseline,
    winner: Candidate,
    confirmation: Evaluation,
    reports: Sequence[HunkReport],
    threshold: float,
) -> RunResult:
    """The result of a run whose winner was proven: ``plain`` with the edit and its parts, and the proof saved."""
    taken = confirmation.measurement
    assert taken is not None
    manifest = bundle.Manifest(
        created=bundle.now_utc(),
        target=loaded.name,
        job=base.job,
        candidate=winner,
        evaluation=confirmation,
        environment=base.environment,
        threshold=threshold,
        timed=confirmation.timed,
    )
    saved, notes = None, plain.notes
    try:
        saved = str(await asyncio.to_thread(bundle.save, results_folder(), manifest, base.job))
    except StorageFull as full:
        notes = (*notes, str(full))
    edited = loaded.source.render(winner.change.hunks)
    reason = endings.improved(
        loaded.name,
        taken.speedup,
        *taken.ci95,
        reads=base.job.generator is not None or any(case.stdin_sha256 is not None for case in base.job.cases),
        fresh_inputs={case.name for case in base.job.cases}.isdisjoint(confirmation.timed),
    )
    return replace(
        plain,
        reason=reason,
        speedup=taken.speedup,
        ci95=taken.ci95,
        diff=unified(loaded.source.raw, edited, loaded.name),
        hunks=tuple(reports),
        pairs=len(taken.reference_ns),
        metric=taken.metric.value,
        edited=edited,
        winner=winner.id,
        bundle=saved,
        notes=notes,
    )
