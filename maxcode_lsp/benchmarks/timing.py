"""``maxcode bench timing``: how often equal programs are called different, and how surely real gains are found.

All comparisons go through the product's own rig, pairs and test, with a compiler running beside them.
Half of the equal pairs are one program built twice in different layouts, so that the luck of code
layout counts as noise.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import tempfile
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from maxcode_lsp.benchmarks.jobs import job_of
from maxcode_lsp.benchmarks.specimens import SHAPES, program
from maxcode_lsp.clock import SystemClock
from maxcode_lsp.engine.pursue import Observer, pursue
from maxcode_lsp.executor.build import Kind
from maxcode_lsp.executor.confirm import PAIRS
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.machine import machine
from maxcode_lsp.executor.measure import measure, measure_fixed
from maxcode_lsp.executor.original import Original
from maxcode_lsp.executor.statistics import PairedTest
from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.records import Critique, Metric, Origin, Verdict
from maxcode_lsp.search import Budget, Node
from maxcode_lsp.text.source import SourceText

COMPARISONS = 1000
FOUND = 300
"""Comparisons for each true speedup."""
CONFIRMATIONS = 200
"""Equal programs, in two layouts, through the fixed number of pairs that stands behind a claim."""
SEARCHES = 100
CANDIDATES = 6
"""In each search without a faster candidate."""
LAYOUTS = 12


async def run(quick: bool, report: Callable[[str], None]) -> dict[str, Any]:
    """All figures by their names; ``quick`` takes a tenth of the samples."""
    part = 10 if quick else 1
    with tempfile.TemporaryDirectory() as cache:
        return await _figures(LocalExecutor(Path(cache)), part, report)


async def _figures(executor: LocalExecutor, part: int, report: Callable[[str], None]) -> dict[str, Any]:
    try:
        benches = [await _Bench.open(executor, shape) for shape in range(SHAPES)]
        async with _compiler_beside(executor):
            equal = await _claims(benches, COMPARISONS // part, report)
            found = {pct: await _found(benches, pct, FOUND // part, report) for pct in (10, 15)}
            confirmed = await _confirmed(benches, CONFIRMATIONS // part, report)
            noop = await _noop_searches(executor, SEARCHES // part, report)
    finally:
        await executor.close()
    claims = sum(verdict is not Verdict.NO_DIFFERENCE for verdict, _ in equal)
    pairs = [n for _, n in equal] + [n for some in found.values() for _, n in some]
    return {
        "aa_claims_pct": 100 * claims / len(equal),
        "found_110_pct": _share(found[10]),
        "found_115_pct": _share(found[15]),
        "mean_pairs": sum(pairs) / len(pairs),
        "confirm_claims_pct": confirmed,
        "confirmations": CONFIRMATIONS // part,
        "noop_run_claims": noop,
        "comparisons": len(equal),
        "found_comparisons": len(found[10]),
        "noop_runs": SEARCHES // part,
        "machine": machine(),
    }


def _share(found: Sequence[tuple[Verdict, int]]) -> float:
    return 100 * sum(verdict is Verdict.FASTER for verdict, _ in found) / len(found)


class _Bench:
    """One specimen, prepared, with its variants built."""

    def __init__(self, executor: LocalExecutor, base: Baseline, shape: int) -> None:
        self.original: Original = executor.original(base)
        self.shape = shape
        self._executor = executor

    @classmethod
    async def open(cls, executor: LocalExecutor, shape: int) -> _Bench:
        return cls(executor, await executor.prepare(job_of(program(shape))), shape)

    async def built(self, source: bytes) -> bytes:
        original = self.original
        return (await original.room.builder.build(original.job, original.compiler, source, Kind.PLAIN)).program

    async def compare(self, reference: bytes, candidate: bytes) -> tuple[Verdict, int]:
        rig = await self.original.rig({"reference": reference, "candidate": candidate})
        try:
            async with self._executor.room.cores.measuring(all_cores=False) as core:
                taken = await measure(
                    rig, "reference", "candidate", self.original.course(Metric.CPU), core, PairedTest()
                )
            return taken.verdict, len(taken.reference_ns)
        finally:
            await rig.close()

    async def confirm(self, reference: bytes, candidate: bytes) -> Verdict:
        rig = await self.original.rig({"reference": reference, "candidate": candidate})
        try:
            async with self._executor.room.cores.measuring(all_cores=False) as core:
                course = self.original.course(Metric.CPU)
                taken = await measure_fixed(rig, "reference", "candidate", course, core, PAIRS, PairedTest().threshold)
            return taken.verdict
        finally:
            await rig.close()


async def _claims(benches: Sequence[_Bench], count: int, report: Callable[[str], None]) -> list[tuple[Verdict, int]]:
    found: list[tuple[Verdict, int]] = []
    for number in range(count):
        bench = benches[number % len(benches)]
        plain = await bench.built(program(bench.shape))
        other = plain if number % 2 else await bench.built(program(bench.shape, layout=number % LAYOUTS))
        found.append(await bench.compare(plain, other))
        if (number + 1) % 50 == 0:
            wrong = sum(verdict is not Verdict.NO_DIFFERENCE for verdict, _ in found)
            report(f"equal programs: {wrong} of {number + 1} called different")
    return found


async def _found(
    benches: Sequence[_Bench], pct: int, count: int, report: Callable[[str], None]
) -> list[tuple[Verdict, int]]:
    found: list[tuple[Verdict, int]] = []
    for number in range(count):
        bench = benches[number % len(benches)]
        slow = await bench.built(program(bench.shape, slower_pct=pct))
        found.append(await bench.compare(slow, await bench.built(program(bench.shape))))
    report(f"true {1 + pct / 100:.2f}×: found {_share(found):.1f} % of {count}")
    return found


async def _confirmed(benches: Sequence[_Bench], count: int, report: Callable[[str], None]) -> float:
    """Share, in per cent, of equal programs that the test of a confirmation calls different."""
    wrong = 0
    for number in range(count):
        bench = benches[number % len(benches)]
        plain = await bench.built(program(bench.shape))
        other = await bench.built(program(bench.shape, layout=number % LAYOUTS))
        wrong += await bench.confirm(plain, other) is not Verdict.NO_DIFFERENCE
    report(f"confirmations of equal programs: {wrong} of {count} called different")
    return 100 * wrong / count


class _NothingFaster:
    """A policy whose proposals change the text, the layout at most, and never the work."""

    name = "nothing-faster"
    again = False

    def __init__(self, shape: int, seed: int) -> None:
        self._shape = shape
        self._rng = random.Random(seed)  # noqa: S311 - repeatable layouts

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        layouts = self._rng.sample(range(10 * LAYOUTS), count)
        made = [(f"layout-{layout}", program(self._shape, layout=layout)) for layout in layouts]
        fresh = [(name, text) for name, text in made if text != observation.text]
        return [Proposal(text, Origin(self.name, (name,), "Another layout.")) for name, text in fresh]


async def _noop_searches(executor: LocalExecutor, count: int, report: Callable[[str], None]) -> int:
    claims = 0
    clock = SystemClock()
    for number in range(count):
        shape = number % SHAPES
        base = await executor.prepare(job_of(program(shape)))
        pursuit = await pursue(
            executor,
            base,
            SourceText(program(shape)),
            [_NothingFaster(shape, secrets.randbits(32))],
            "greedy",
            Budget(clock, CANDIDATES, 600.0),
            Observer(
                on_phase=lambda _: None,
                on_trial=lambda _: None,
                critique=_no_critique,
                on_asked=lambda asked: asked.elapsed_s,
                on_decision=lambda _: None,
            ),
            lambda: 600.0,
        )
        claims += pursuit.proven
        if (number + 1) % 10 == 0:
            report(f"searches without a faster candidate: {claims} of {number + 1} claimed an improvement")
    return claims


async def _no_critique(_: Node) -> Critique:
    return Critique()


@asynccontextmanager
async def _compiler_beside(executor: LocalExecutor) -> AsyncGenerator[None, None]:
    """A compiler that is always at work on another core."""

    async def compile_on() -> None:
        base = await executor.prepare(job_of(program(0)))
        original = executor.original(base)
        while True:
            text = (
                b"#include <bits/stdc++.h>\nint main() { std::map<int, std::string> m; m[%d]; }\n"
                % secrets.randbits(30)
            )
            await original.room.builder.build(original.job, original.compiler, text, Kind.PLAIN)

    task = asyncio.create_task(compile_on())
    try:
        yield
        if task.done():
            # Figures taken on an idle machine would say too much.
            task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
