"""Steps: rewrites with what they are worth here, alone and put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from maxcode_lsp.policy.rewrites.combine import Combination
from maxcode_lsp.policy.rewrites.ranking import Ranking, expected_log_gain
from maxcode_lsp.policy.rewrites.rule import TRUSTED, Rewrite, Rule
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import LOOPS
from maxcode_lsp.records import Hunk, Part

REPEAT_DISCOUNT = 0.7
"""Each further step with the same actions counts this much less, so that no rule crowds out the others."""


class Step(Struct, frozen=True):
    """Rewrites applied at once, not yet rendered."""

    hunks: tuple[Hunk, ...]
    actions: tuple[str, ...]
    rationale: str
    kinds: tuple[str, ...]
    priority: float
    reshaped: frozenset[int] = frozenset()
    """Where it adds, removes or moves whole statements: outermost loops, and places of insertions."""
    parts: tuple[Part, ...] = ()
    """What it combines; empty: it is one rewrite."""


def step_of(unit: Unit, rule: Rule, rewrite: Rewrite, ranking: Ranking) -> Step:
    """One rewrite as a step."""
    kinds = ranking.findings(rule.finding_kinds)
    return Step(
        hunks=rewrite.hunks,
        actions=(rule.id,),
        rationale=rewrite.rationale or rule.rationale,
        kinds=kinds,
        priority=expected_log_gain(rule.gain, ranking.share(rewrite.lines, kinds)),
        reshaped=_reshaped(unit, rewrite.hunks),
    )


def _reshaped(unit: Unit, hunks: Iterable[Hunk]) -> frozenset[int]:
    places = set[int]()
    for hunk in hunks:
        if hunk.start == unit.after_includes:
            continue
        changed = hunk.replacement + unit.data[hunk.start : hunk.end]
        if hunk.start == hunk.end:
            places.add(hunk.start)
        elif not any(mark in changed for mark in (b"\n", b";", b"{")):
            continue
        node, outermost = unit.root.descendant_for_byte_range(hunk.start, hunk.end), None
        while node is not None and node.type != "function_definition":
            outermost = node if node.type in LOOPS else outermost
            node = node.parent
        if outermost is not None:
            places.add(outermost.start_byte)
    return frozenset(places)


def together(steps: Sequence[Step], saying: str) -> Step | None:
    """The steps that fit together as one, earlier ones first served, if they are at least two.

    ``{}`` in ``saying`` is their number. Two rules that both reshape one loop were not made for each
    other, so only the first of them gets it.
    """
    combination = Combination()
    owners: dict[int, str] = {}
    taken: list[Step] = []
    for step in steps:
        owner = "" if TRUSTED.issuperset(step.actions) else step.actions[0]
        if all(owners.get(place, owner) == owner for place in step.reshaped) and combination.add(step.hunks):
            owners.update(dict.fromkeys(step.reshaped, owner))
            taken.append(step)
    if len(taken) < 2:
        return None
    mean = sum(step.priority for step in taken) / len(taken)
    return Step(
        hunks=combination.hunks,
        actions=tuple(dict.fromkeys(action for step in taken for action in step.actions)),
        rationale=saying.replace("{}", str(len(taken))),
        kinds=tuple(dict.fromkeys(kind for step in taken for kind in step.kinds)),
        # Less than the sum: the steps often fight for the same time.
        priority=max(step.priority for step in taken) + 0.25 * mean,
        reshaped=frozenset(owners),
        parts=tuple(Part(step.actions, step.rationale, step.hunks) for step in taken),
    )


def discounted(step: Step, factor: float) -> Step:
    """The same step, worth less."""
    return msgspec.structs.replace(step, priority=step.priority * factor)


def ordered(steps: Iterable[Step]) -> list[Step]:
    """Best first, later steps with the same actions discounted. Stable for equal priorities."""
    seen: dict[tuple[str, ...], int] = {}
    result: list[Step] = []
    for step in sorted(steps, key=lambda step: -step.priority):
        rank = seen.get(step.actions, 0)
        seen[step.actions] = rank + 1
        result.append(discounted(step, REPEAT_DISCOUNT**rank))
    return sorted(result, key=lambda step: -step.priority)
