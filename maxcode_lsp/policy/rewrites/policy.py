"""The ``rewrites`` policy: all rules on one text, ranked, alone and together."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, Protocol

from msgspec import Struct

from maxcode_lsp.policy.policy import Observation, Proposal
from maxcode_lsp.policy.rewrites.clang_tidy import TidyReport
from maxcode_lsp.policy.rewrites.combine import Combination, apply
from maxcode_lsp.policy.rewrites.families import RULES
from maxcode_lsp.policy.rewrites.ranking import Ranking, expected_log_gain
from maxcode_lsp.policy.rewrites.rule import FAST_INPUT, TRUSTED, Rewrite, Rule
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk, Origin

_log = logging.getLogger(__name__)

SITES_PER_RULE = 200
"""Rewrites looked at per rule: enough for a long file, bounded for a strange one."""
REPEAT_DISCOUNT = 0.7
"""Each further proposal of one rule counts this much less, so that no rule crowds out the others."""
TIDY_GAIN = 1.15


class Tidy(Protocol):
    """Gives clang-tidy's fixes for a version of the target; never raises for odd code."""

    async def report(self, text: bytes) -> TidyReport: ...


class _Step(Struct, frozen=True):
    """Rewrites applied at once, not yet rendered."""

    hunks: tuple[Hunk, ...]
    actions: tuple[str, ...]
    rationale: str
    kinds: tuple[str, ...]
    priority: float


class RewritesPolicy:
    """Proposes what the rules and clang-tidy find. Deterministic; needs no model and no network."""

    name = "rewrites"

    def __init__(
        self,
        *,
        disabled: Iterable[str] = (),
        input: Literal["safe", "fast"] = "safe",  # noqa: A002  (the setting's name)
        tidy: Tidy | None = None,
    ) -> None:
        """``disabled``: ids of rules and clang-tidy checks that are not used."""
        self._disabled = frozenset(disabled)
        left_out = self._disabled | (FAST_INPUT if input == "safe" else set())
        self._rules: tuple[Rule, ...] = tuple(rule for rule in RULES.values() if rule.id not in left_out)
        self._tidy = tidy

    async def propose(self, observation: Observation, count: int) -> Sequence[Proposal]:
        """At most ``count`` proposals, best first; see :class:`~maxcode_lsp.policy.policy.Policy`."""
        if count <= 0:
            return ()
        report = await self._tidy.report(observation.text) if self._tidy is not None else TidyReport()
        return await asyncio.to_thread(self._propose, observation, report, count)

    def _propose(self, observation: Observation, report: TidyReport, count: int) -> Sequence[Proposal]:
        unit = Unit(observation.text, observation.flags)
        ranking = Ranking(unit, observation.critique)
        steps = [*self._own_steps(unit, ranking), *self._tidy_steps(unit, ranking, report)]
        return list(_admitted(unit, _ordered(steps), observation.tried, count))

    def _own_steps(self, unit: Unit, ranking: Ranking) -> Iterator[_Step]:
        """Each rewrite alone, all of one rule at once, all of the trusted rules, and the best of every rule."""
        whole_rules: list[_Step] = []
        for rule in self._rules:
            steps = [_step(rule, rewrite, ranking) for rewrite in _rewrites(rule, unit)]
            if not steps:
                continue
            yield from steps
            if len(steps) > 1 and (all_of_it := _together(steps, f"{rule.rationale} ({{}} places)")):
                yield all_of_it
                whole_rules.append(all_of_it)
            else:
                whole_rules.append(max(steps, key=lambda step: step.priority))
        trusted = [step for step in whole_rules if TRUSTED.issuperset(step.actions)]
        for chosen, saying in ((trusted, "All simple rewrites together"), (whole_rules, "All rewrites together")):
            ranked = sorted(chosen, key=lambda step: -step.priority)
            if (together := _together(ranked, f"{saying}: {{}} changes.")) is not None:
                # The bold one comes after the trusted one and after the best single ideas.
                yield together if chosen is trusted else _discounted(together, 0.95)

    def _tidy_steps(self, unit: Unit, ranking: Ranking, report: TidyReport) -> Iterator[_Step]:
        fixes = [fix for fix in report.remarks if fix.check not in self._disabled and fix.hunks]
        kinds = ranking.findings(("clang-tidy", "copy-by-value"))
        for check, group in groupby(sorted(fixes, key=lambda fix: fix.check), key=lambda fix: fix.check):
            steps = [
                _Step(
                    hunks=fix.hunks,
                    actions=(check,),
                    rationale=f"{fix.message[:1].upper()}{fix.message[1:]} (clang-tidy, line {fix.line}).",
                    kinds=kinds,
                    priority=expected_log_gain(TIDY_GAIN, ranking.share((fix.line,), kinds)),
                )
                for fix in group
            ]
            yield from steps
            if len(steps) > 1 and (all_of_it := _together(steps, f"All {{}} fixes of clang-tidy's {check}.")):
                yield all_of_it


def _rewrites(rule: Rule, unit: Unit) -> list[Rewrite]:
    found: list[Rewrite] = []
    try:
        for rewrite in rule.find(unit):
            found.append(rewrite)
            if len(found) == SITES_PER_RULE:
                break
    except Exception:
        # One rule's mistake on one odd text must not end a user's run.
        _log.exception("rule %s failed", rule.id)
    return [rewrite for rewrite in found if rewrite.hunks]


def _step(rule: Rule, rewrite: Rewrite, ranking: Ranking) -> _Step:
    kinds = ranking.findings(rule.finding_kinds)
    return _Step(
        hunks=rewrite.hunks,
        actions=(rule.id,),
        rationale=rewrite.rationale or rule.rationale,
        kinds=kinds,
        priority=expected_log_gain(rule.gain, ranking.share(rewrite.lines, kinds)),
    )


def _together(steps: Sequence[_Step], saying: str) -> _Step | None:
    """The steps that fit together as one, if they are at least two; ``{}`` in ``saying`` is their number."""
    combination = Combination()
    taken = [step for step in steps if combination.add(step.hunks)]
    if len(taken) < 2:
        return None
    return _Step(
        hunks=combination.hunks,
        actions=tuple(dict.fromkeys(action for step in taken for action in step.actions)),
        rationale=saying.replace("{}", str(len(taken))),
        kinds=tuple(dict.fromkeys(kind for step in taken for kind in step.kinds)),
        # Less than the sum: the steps often fight for the same time.
        priority=max(step.priority for step in taken) + 0.1 * sum(step.priority for step in taken) / len(taken),
    )


def _discounted(step: _Step, factor: float) -> _Step:
    return _Step(step.hunks, step.actions, step.rationale, step.kinds, step.priority * factor)


def _ordered(steps: Iterable[_Step]) -> list[_Step]:
    """Best first, later proposals of the same actions discounted. Stable for equal priorities."""
    seen: dict[tuple[str, ...], int] = {}
    discounted: list[_Step] = []
    for step in sorted(steps, key=lambda step: -step.priority):
        rank = seen.get(step.actions, 0)
        seen[step.actions] = rank + 1
        discounted.append(_discounted(step, REPEAT_DISCOUNT**rank))
    return sorted(discounted, key=lambda step: -step.priority)


def _admitted(unit: Unit, steps: Iterable[_Step], tried: frozenset[str], count: int) -> Iterator[Proposal]:
    """Rendered proposals: new texts that parse at least as well as the one they come from."""
    seen = {_id(unit.data), *tried}
    faults = unit.faults
    for step in steps:
        if count == 0:
            return
        text = apply(unit.data, step.hunks)
        key = _id(text)
        if key in seen or Unit(text).faults > faults:
            continue
        seen.add(key)
        count -= 1
        origin = Origin("rewrites", step.actions, step.rationale, step.kinds)
        yield Proposal(text, origin, step.priority)


def _id(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:12]
