"""The ``rewrites`` policy: all rules on one text, ranked, alone and together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from threading import Event
from typing import Literal, Protocol

from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.policy.rewrites.clang_tidy import TidyReport
from maxcode_lsp.policy.rewrites.combine import apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.learning import learned
from maxcode_lsp.policy.rewrites.ranking import Ranking, expected_log_gain
from maxcode_lsp.policy.rewrites.rule import FAST_INPUT, TRUSTED, Rewrite, Rule
from maxcode_lsp.policy.rewrites.steps import Step, discounted, ordered, step_of, together
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Origin, candidate_id

_log = logging.getLogger(__name__)

MOST = 512
"""Proposals that are ranked by what the run has shown."""
SITES_PER_RULE = 200
"""Rewrites looked at per rule: enough for a long file, bounded for a strange one."""
TIDY_GAIN = 1.15
"""Usual speedup of one of clang-tidy's fixes on a hot path."""
COMPILER_ONLY = frozenset({"hints", "code_generation", "parallel"})
"""Families that change what the compiler makes of a program, not what it does: proposed alone, since
they apply nearly everywhere and would only pad an edit of many changes."""
BOLD_DISCOUNT = 0.95
"""Everything at once is wrong if one part is wrong, so the trusted rules alone go first."""


class Tidy(Protocol):
    """Gives what clang-tidy says about a version of the target; never raises for odd code."""

    async def report(self, text: bytes) -> TidyReport: ...


class RewritesPolicy:
    """Proposes what the rules and clang-tidy find. Deterministic; needs no model and no network."""

    name = "rewrites"
    again = False

    def __init__(
        self,
        *,
        disabled: Iterable[str] = (),
        input: Literal["safe", "fast"] = "safe",  # noqa: A002  (the setting's name)
        tidy: Tidy | None = None,
        rules: bool = True,
        mixed: bool = True,
    ) -> None:
        """``disabled``: ids of rules and clang-tidy checks that are not used. ``rules`` False: only clang-tidy's.
        ``mixed`` False: no proposal holds rewrites of several rules.
        """
        if not rules:
            self.name = "clang-tidy"
        self._disabled = frozenset(disabled)
        left_out = self._disabled | (FAST_INPUT if input == "safe" else set[str]())
        self._rules: tuple[Rule, ...] = tuple(rule for rule in RULES.values() if rules and rule.id not in left_out)
        self._tidy = tidy
        self._mixed = mixed

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """At most ``count`` proposals, best first; see :class:`~maxcode_lsp.policy.policy.Policy`."""
        if count <= 0:
            return ()
        report = await self._tidy.report(observation.text) if self._tidy is not None else TidyReport()
        given_up = Event()
        try:
            return await asyncio.to_thread(self._propose, observation, report, count, given_up)
        except asyncio.CancelledError:
            # A thread cannot be stopped, only asked: a long file would keep a core for seconds.
            given_up.set()
            raise

    def _propose(self, observation: Observation, report: TidyReport, count: int, given_up: Event) -> Sequence[Proposal]:
        unit = Unit(observation.text, observation.flags)
        ranking = Ranking(unit, observation.critique)
        steps = [*self._own_steps(unit, ranking, given_up), *self._tidy_steps(ranking, report)]
        # What the run has shown may put the last first.
        most = count if not observation.experience else MOST
        admitted = _admitted(self.name, unit, ordered(steps), observation.tried, most)
        proposals = list(takewhile(lambda _: not given_up.is_set(), admitted))
        return learned(proposals, observation.experience)[:count]

    def _own_steps(self, unit: Unit, ranking: Ranking, given_up: Event) -> Iterator[Step]:
        """Each rewrite alone, all of one rule at once, all of the trusted rules, and everything."""
        everything: list[Step] = []
        for rule in self._rules:
            if given_up.is_set():
                return
            steps = [step_of(unit, rule, rewrite, ranking) for rewrite in _rewrites(rule, unit)]
            if rule.family not in COMPILER_ONLY:
                everything += steps
            yield from steps
            if whole := together(steps, f"{rule.rationale.removesuffix('.')} ({{}} places)."):
                yield whole
        if not self._mixed:
            return
        everything.sort(key=lambda step: -step.priority)
        trusted = [step for step in everything if TRUSTED.issuperset(step.actions)]
        if whole := together(trusted, "All simple rewrites together: {} changes."):
            yield whole
        if whole := together(everything, "All rewrites together: {} changes."):
            yield discounted(whole, BOLD_DISCOUNT)

    def _tidy_steps(self, ranking: Ranking, report: TidyReport) -> Iterator[Step]:
        """Each of clang-tidy's fixes alone, and all of one check at once."""
        fixes = [remark for remark in report.remarks if remark.check not in self._disabled and remark.hunks]
        kinds = ranking.findings(("clang-tidy", "copy-by-value"))
        for check, group in groupby(sorted(fixes, key=lambda fix: fix.check), key=lambda fix: fix.check):
            steps = [
                Step(
                    hunks=fix.hunks,
                    actions=(check,),
                    rationale=f"clang-tidy, line {fix.line}: {fix.message}.",
                    kinds=kinds,
                    priority=expected_log_gain(TIDY_GAIN, ranking.share((fix.line,), kinds)),
                )
                for fix in group
            ]
            yield from steps
            if whole := together(steps, f"All {{}} fixes of clang-tidy's {check}."):
                yield whole


def _rewrites(rule: Rule, unit: Unit) -> list[Rewrite]:
    found: list[Rewrite] = []
    try:
        for rewrite in rule.find(unit):
            found.append(rewrite)
            if len(found) == SITES_PER_RULE:
                break
    except Exception:  # noqa: BLE001
        # One rule's mistake on one odd text must not end a user's run.
        _log.exception("rule %s failed", rule.id)
    return [rewrite for rewrite in found if rewrite.hunks]


def _admitted(policy: str, unit: Unit, steps: Iterable[Step], tried: frozenset[str], count: int) -> Iterator[Proposal]:
    """Rendered proposals: new texts that parse at least as well as the one they come from."""
    seen = {candidate_id(unit.data), *tried}
    for step in steps:
        if count == 0:
            return
        text = apply(unit.data, step.hunks)
        key = candidate_id(text)
        if key in seen or Unit(text).faults > unit.faults:
            continue
        seen.add(key)
        count -= 1
        origin = Origin(policy, step.actions, step.rationale, step.kinds, step.parts)
        yield Proposal(text, origin, step.priority)
