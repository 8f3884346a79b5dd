"""Hoisting: what does not change in a loop is computed once, before it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import MATHS, arguments, called
from maxcode_lsp.policy.rewrites.edits import replace
from maxcode_lsp.policy.rewrites.effects import (
    declares,
    effects,
    invariant,
    is_pure,
    is_pure_function,
    reads,
)
from maxcode_lsp.policy.rewrites.loop_shape import (
    enclosing_loops,
    names,
    statements,
)
from maxcode_lsp.policy.rewrites.placement import Names, around, identifier, lines, merge, short
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.unit import Unit

_SIZES = frozenset({"size", "length", "strlen"})
"""Their value changes only with the whole object, not with its elements."""


def worth_keeping(unit: Unit, call: Node) -> bool:
    """The call costs more than the name that would keep its value."""
    name, target = called(unit, call)
    if target is not None:
        return name in ("size", "length")
    if name in unit.functions:
        return len(arguments(call)) > 0 and all(is_pure_function(unit, d) for d in unit.functions[name])
    return name in MATHS or name == "strlen"


def _unchanged(unit: Unit, call: Node, loop: Node) -> bool:
    name, _ = called(unit, call)
    if name not in _SIZES or name in unit.functions:
        return invariant(unit, call, loop)
    changed = effects(unit, loop).whole | declares(unit, loop)
    return is_pure(unit, call) and not names(unit, call) & changed


def _outermost(unit: Unit, expression: Node) -> Node | None:
    """The outermost loop in which a call keeps its value, through all loops between."""
    best: Node | None = None
    for loop in enclosing_loops(expression):
        parts = (loop.child_by_field_name("initializer"), loop.child_by_field_name("right"))
        if any(p is not None and p.start_byte <= expression.start_byte < p.end_byte for p in parts):
            continue
        if not _unchanged(unit, expression, loop):
            break
        best = loop
    return best


@trusted
@register
class HoistCall:
    """Calls whose value is the same in every iteration."""

    id = "hoist-call"
    family = "hoisting"
    rationale = "Calls the function once before the loop: its value does not change in it."
    gain = 1.6
    finding_kinds = ("invariant-in-loop", "hot-lines", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        groups: dict[tuple[int, str], tuple[Node, list[Node]]] = {}
        taken: list[Node] = []
        for call in unit.walk("call_expression"):
            if any(t.start_byte <= call.start_byte < t.end_byte for t in taken[-1:]) or not worth_keeping(unit, call):
                continue
            loop = _outermost(unit, call)
            if loop is not None:
                taken.append(call)
                groups.setdefault((loop.id, unit.text(call)), (loop, []))[1].append(call)
        for (_, text), (loop, calls) in groups.items():
            name = fresh.fresh(_name_for(unit, calls[0]))
            hunks = (replace(call, name) for call in calls)
            yield Rewrite(
                merge(around(unit, loop, [f"const auto {name} = {text};"]), hunks),
                lines(unit, loop),
                f"Computes {short(text)} once before the loop: its value does not change in it.",
            )


@register
class RepeatedCall:
    """The same expensive call several times in one block."""

    id = "repeated-call"
    family = "hoisting"
    rationale = "Keeps the value of a call that is made again with the same arguments."
    gain = 1.3
    finding_kinds = ("hot-lines", "slow-arithmetic")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for sequence in _sequences(unit):
            for text, calls in self._repeated(unit, sequence).items():
                name = fresh.fresh(_name_for(unit, calls[0][1]))
                hunks = (replace(call, name) for _, call in calls)
                first = calls[0][0]
                yield Rewrite(
                    merge(around(unit, first, [f"const auto {name} = {text};"]), hunks),
                    tuple(line for statement, _ in calls for line in lines(unit, statement)),
                    f"Computes {short(text)} once instead of {len(calls)} times.",
                )

    @staticmethod
    def _repeated(unit: Unit, sequence: list[Node]) -> dict[str, list[tuple[Node, Node]]]:
        groups: dict[str, list[tuple[Node, Node]]] = {}
        for statement in sequence:
            # Only what runs straight through: a call in a branch may be there because it must not run always.
            if statement.type not in ("expression_statement", "declaration", "return_statement"):
                continue
            for call in unit.walk("call_expression", under=statement):
                between = unit.enclosing(call, "lambda_expression", "conditional_expression", statement.type)
                if _is_size(unit, call) or between != statement or not worth_keeping(unit, call):
                    continue
                if is_pure(unit, call):
                    groups.setdefault(unit.text(call), []).append((statement, call))
        return {text: calls for text, calls in groups.items() if len(calls) > 1 and _steady(unit, sequence, calls)}


def _sequences(unit: Unit) -> Iterator[list[Node]]:
    """Statements that run one after the other."""
    for node in unit.walk("compound_statement", "expression_statement"):
        if node.type == "compound_statement":
            yield statements(node)
        elif node.parent is not None and node.parent.type not in ("compound_statement", "case_statement"):
            yield [node]


def _steady(unit: Unit, sequence: list[Node], calls: list[tuple[Node, Node]]) -> bool:
    """Nothing that the call depends on changes from its first place to its last."""
    first, last = calls[0][0].start_byte, calls[-1][0].start_byte
    between = [s for s in sequence if first <= s.start_byte < last]
    changed = frozenset[str]().union(*(effects(unit, s).written | declares(unit, s) for s in between))
    return not reads(unit, calls[0][1]) & changed


def _is_size(unit: Unit, call: Node) -> bool:
    name, target = called(unit, call)
    return target is not None and name in _SIZES


def _name_for(unit: Unit, call: Node) -> str:
    name, target = called(unit, call)
    parts = [unit.text(target)] if target is not None else []
    parts += [name, *(unit.text(a) for a in arguments(call))]
    return identifier("_".join(parts))
