"""Making a replay table: the tree of single rewrites to a depth, each version evaluated once, for real."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from maxcode_lsp.benchmarks.table.table import SCALE, Child, ProgramTable, Version
from maxcode_lsp.critique.evidence import Tidy
from maxcode_lsp.engine.load import Loaded
from maxcode_lsp.engine.policies import Policies
from maxcode_lsp.engine.viewing import view
from maxcode_lsp.executor.executor import Baseline
from maxcode_lsp.executor.local import LocalExecutor
from maxcode_lsp.executor.statistics import PairedTest, interval, logs_of
from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.policy.rewrites.policy import RewritesPolicy
from maxcode_lsp.records import Candidate, Change, Critique, Evaluation, Measurement, Origin, Outcome, candidate_id
from maxcode_lsp.search.trials import Node, carry
from maxcode_lsp.settings import Settings
from maxcode_lsp.text.edits import diff
from maxcode_lsp.text.source import SourceText

DEPTH = 3
BRANCHES = (12, 5, 4)
"""Ours: actions followed at a version of depth 0, 1 and 2; the likeliest by any of the three rankings."""
MOST_VERSIONS = (12, 36, 44)
"""Ours: of depth 1, 2 and 3; those of faster versions first."""
CRITIQUED = 5
"""Ours: versions that are criticised afresh, the original and the fastest of the first actions; others carry the
critique of their parent, as far as it holds."""
PAIRS = 6
CRITIQUE_S = 20.0
IN_FLIGHT = 3


class _Reached(Struct, frozen=True):
    """A version with its text, on the way."""

    version: Version
    text: bytes
    critique: Critique


async def build_table(
    name: str, loaded: Loaded, settings: Settings, cache: Path, report: Callable[[str], None]
) -> ProgramTable:
    """The table of one program. Raises as a run does where the target cannot be judged."""
    executor = LocalExecutor(cache)
    policies: Policies | None = None
    try:
        base = await executor.prepare(loaded.job)
        policies = Policies(loaded.job, settings.rewrites, executor.room)
        making = _Making(executor, base, loaded.source, policies.tidy, report)
        versions = await making.run()
    finally:
        if policies is not None:
            await policies.close()
        await executor.close()
    return ProgramTable(
        program=name,
        source_sha256=loaded.source.sha256,
        machine=base.environment.machine,
        compiler=base.environment.compiler,
        flags=base.environment.flags,
        run_ns=base.run_ns,
        pairs=PAIRS,
        noise_pct=making.noise_pct,
        depth=DEPTH,
        versions=tuple(versions),
    )


class _Making:
    def __init__(
        self, executor: LocalExecutor, base: Baseline, source: SourceText, tidy: Tidy, report: Callable[[str], None]
    ) -> None:
        self.noise_pct = 0.0
        self._executor = executor
        self._base = base
        self._source = source
        self._tidy = tidy
        self._report = report
        self._policy = RewritesPolicy(mixed=False)
        self._turns = asyncio.Semaphore(IN_FLIGHT)
        self._known: dict[str, _Reached] = {}

    async def run(self) -> list[Version]:
        root = Node(None, self._source.data, 1.0)
        critique = await view(self._executor.original(self._base), root, self._tidy, CRITIQUE_S)
        overhead = await self._executor.meter(self._base, None)
        plain = Version("", 0, Outcome.CORRECT, 0.0, (0,) * PAIRS, overhead=overhead)
        self._known[""] = _Reached(_seen(plain, critique), root.text, critique)
        level = [self._known[""]]
        for depth in range(DEPTH):
            level = await self._expand(level, depth)
        widths = [interval(r.version.logs, 0.025) for r in self._known.values() if len(set(r.version.ratios)) > 1]
        self.noise_pct = sorted(100 * (w.high - w.low) / 2 for w in widths)[len(widths) // 2] if widths else 0.0
        return [reached.version for reached in self._known.values()]

    async def _expand(self, level: Sequence[_Reached], depth: int) -> list[_Reached]:
        """Follow the actions at all versions of a level; the new versions that can be gone on from."""
        fresh: dict[str, tuple[Proposal, _Reached]] = {}
        for place, reached in enumerate(sorted(level, key=lambda one: -sum(one.version.ratios))):
            critique = reached.critique
            if depth == 1 and place < CRITIQUED - 1:
                critique = await self._criticise(reached)
            children = await self._children(reached, critique, BRANCHES[depth])
            for proposal, child in children:
                if child.node not in self._known and len(fresh) < MOST_VERSIONS[depth]:
                    fresh.setdefault(child.node, (proposal, reached))
            kept = tuple(child for _, child in children if child.node in self._known or child.node in fresh)
            version = replace(_seen(reached.version, critique), children=kept)
            self._known[version.id] = replace(reached, version=version, critique=critique)
        made = await asyncio.gather(*(self._evaluate(p, parent, depth + 1) for p, parent in fresh.values()))
        self._known.update((reached.version.id, reached) for reached in made)
        self._report(f"{self._base.job.unit}: depth {depth + 1}, {len(self._known)} versions")
        # What is the same machine code as something known leads where that leads.
        return [one for one in made if one.version.outcome is Outcome.CORRECT and one.version.twin is None]

    async def _criticise(self, reached: _Reached) -> Critique:
        candidate = self._candidate(reached.text, reached.version.depth)
        node = Node(candidate, reached.text, 1.0)
        return await view(self._executor.original(self._base), node, self._tidy, CRITIQUE_S)

    async def _children(self, reached: _Reached, critique: Critique, most: int) -> list[tuple[Proposal, Child]]:
        profile = Critique(hot_lines=critique.hot_lines)
        ranked = [await self._propose(reached.text, shown) for shown in (Critique(), profile, critique)]
        places = [{candidate_id(p.text): (n, p) for n, p in enumerate(ranking)} for ranking in ranked]
        ids = sorted(
            {key for place in places for key in place},
            key=lambda key: (min(place[key][0] for place in places if key in place), key),
        )
        children: list[tuple[Proposal, Child]] = []
        for key in ids[:most]:
            last = next(place[key][1] for place in reversed(places) if key in place)
            worth = tuple(round(place[key][1].priority, 4) if key in place else 0.0 for place in places)
            origin = last.origin
            child = Child(
                key, origin.actions, origin.rationale[:80], origin.finding_kinds, (worth[0], worth[1], worth[2])
            )
            children.append((last, child))
        return children

    async def _propose(self, text: bytes, critique: Critique) -> Sequence[Proposal]:
        observation = Observation(text=text, flags=self._base.job.flags, critique=critique)
        return await self._policy.propose(observation, 64)

    def _candidate(self, text: bytes, depth: int) -> Candidate:
        change = Change(self._base.job.unit, self._source.sha256, diff(self._source.data, text))
        return Candidate(candidate_id(text), change, None, depth, Origin("rewrites", (), ""))

    async def _evaluate(self, proposal: Proposal, parent: _Reached, depth: int) -> _Reached:
        candidate = self._candidate(proposal.text, depth)
        test = PairedTest(min_pairs=PAIRS, max_pairs=PAIRS)
        async with self._turns:
            evaluation = await self._executor.evaluate(self._base, candidate, test=test)
            right = evaluation.outcome is Outcome.CORRECT
            overhead = await self._executor.meter(self._base, candidate) if right else None
        taken = evaluation.measurement
        version = Version(
            id=candidate.id,
            depth=depth,
            outcome=evaluation.outcome,
            cost_s=round(evaluation.elapsed_s, 3),
            ratios=_ratios(taken) if taken is not None else (),
            twin=_twin(evaluation),
            overhead=overhead,
        )
        return _Reached(version, proposal.text, carry(parent.critique, parent.text, proposal.text))


def _ratios(taken: Measurement) -> tuple[int, ...]:
    return tuple(round(SCALE * log) for log in logs_of(taken.reference_ns, taken.candidate_ns))


def _twin(evaluation: Evaluation) -> str | None:
    """The candidate of the same machine code; empty: the original."""
    if evaluation.outcome is not Outcome.IDENTICAL:
        return None
    named = re.search(r"\b[0-9a-f]{12}\b", evaluation.feedback.message)
    return named[0] if named is not None else ""


def _seen(version: Version, critique: Critique) -> Version:
    found = tuple((finding.kind, finding.share) for finding in critique.findings)
    return replace(version, findings=found, hot=bool(critique.hot_lines))
