"""A search of others as an episode: the same model, judge and truth as for ours."""

from __future__ import annotations

from contextlib import AsyncExitStack

from msgspec.structs import replace

from maxcode_lsp.benchmarks.search import openevolve
from maxcode_lsp.benchmarks.search.episode import Episode, Step
from maxcode_lsp.benchmarks.search.openevolve_judging import as_candidate
from maxcode_lsp.benchmarks.search.truth import Stage, fresh_value
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.errors import Refused
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.messages import comparisons
from maxcode_lsp.model.opening import LOCAL


async def search(stage: Stage, loaded: Loaded, program: str, seed: int) -> Episode:
    """One search of OpenEvolve. Raises Refused without a Python that has it or a local model, InfrastructureError."""
    name = stage.settings.model
    kind, _, weights = name.partition("/")
    if stage.openevolve is None or stage.local is None or kind != LOCAL:
        raise Refused(comparisons.peer_without_python() if kind == LOCAL else comparisons.peer_needs_local())
    executor = LocalExecutor(stage.cache)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(executor.close)
        endpoint = await stack.enter_async_context(stage.local.serving(weights))
        base = await executor.prepare(loaded.job)
        done = await openevolve.episode(
            stage.openevolve,
            endpoint,
            executor,
            base,
            loaded,
            program=program,
            seed=seed,
            budget=stage.budget,
            seconds=stage.seconds,
        )
        return replace(done.episode, steps=await _true(executor, base, loaded, done))


async def _true(executor: LocalExecutor, base: Baseline, loaded: Loaded, done: openevolve.Searched) -> tuple[Step, ...]:
    """The steps with true speedups of what would be handed over: the fastest that was surely faster so far."""
    known: dict[str, float] = {}
    steps: list[Step] = []
    best: Step | None = None
    for step in done.episode.steps:
        if step.faster and (best is None or (step.speedup or 0.0) > (best.speedup or 0.0)):
            best = step
        if best is not None and best.candidate not in known:
            candidate = as_candidate(loaded, done.texts[best.candidate])
            known[best.candidate] = await fresh_value(executor, base, candidate)
        steps.append(replace(step, value=round(known[best.candidate], 4) if best is not None else 1.0))
    return tuple(steps)
