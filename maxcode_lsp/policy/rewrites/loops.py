"""Loops that do more rounds than they need, or more work in each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import arguments, called
from maxcode_lsp.policy.rewrites.edits import insert, replace
from maxcode_lsp.policy.rewrites.effects import effects, invariant, is_pure
from maxcode_lsp.policy.rewrites.loop_shape import (
    LOOPS,
    CountedLoop,
    counted,
    enclosing_loops,
    jumps,
    names,
    statements,
)
from maxcode_lsp.policy.rewrites.placement import Names, around, lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.types import is_float, type_of
from maxcode_lsp.policy.rewrites.unit import Unit


@register
class EarlyExit:
    """Loops that only set a flag go on after they have found what they look for."""

    id = "early-exit"
    family = "loops"
    rationale = "Leaves the loop once the answer is known."
    gain = 1.8
    finding_kinds = ("hot-lines", "empirical-complexity", "linear-search")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for loop in unit.walk("for_statement", "for_range_loop", "while_statement"):
            body = loop.child_by_field_name("body")
            inside = statements(body) if body is not None else []
            if len(inside) != 1 or inside[0].type != "if_statement" or _has_else(inside[0]):
                continue
            action = inside[0].child_by_field_name("consequence")
            condition = inside[0].child_by_field_name("condition")
            done = statements(action) if action is not None else []
            if action is None or condition is None or len(done) != 1 or not is_pure(unit, condition):
                continue
            flag = _constant_assignment(unit, done[0])
            if flag is None or flag in names(unit, condition) or flag in _loop_reads(unit, loop):
                continue
            if action.type == "compound_statement":
                hunks = (insert(done[0].end_byte, " break;"),)
            else:
                hunks = (insert(action.start_byte, "{ "), insert(action.end_byte, " break; }"))
            yield Rewrite(hunks, lines(unit, loop), f"Leaves the loop once {flag} is set: nothing changes it again.")


def _has_else(branch: Node) -> bool:
    return branch.child_by_field_name("alternative") is not None


def _loop_reads(unit: Unit, loop: Node) -> frozenset[str]:
    heads = (loop.child_by_field_name(field) for field in ("condition", "update", "right"))
    return frozenset[str]().union(*(names(unit, head) for head in heads if head is not None))


def _constant_assignment(unit: Unit, statement: Node) -> str | None:
    """The name that ``flag = true;`` sets to a constant."""
    inner = statement.named_children[0] if statement.named_children else None
    if statement.type != "expression_statement" or inner is None or inner.type != "assignment_expression":
        return None
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if left is None or right is None or left.type != "identifier" or unit.text_of(inner, "operator") != "=":
        return None
    return unit.text(left) if right.type in ("true", "false", "number_literal", "string_literal") else None


@register
class RunningPower:
    """``pow(x, i)`` in a loop over ``i``."""

    id = "running-power"
    family = "loops"
    rationale = "Multiplies once per round instead of calling pow with a growing exponent."
    gain = 3.0
    finding_kinds = ("slow-arithmetic", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for node in unit.walk("for_statement"):
            loop = counted(unit, node)
            if loop is None or loop.step != "1" or loop.variable in effects(unit, loop.body).written:
                continue
            if loop.body.type != "compound_statement" or _continues(unit, loop.body):
                continue
            groups: dict[str, list[Node]] = {}
            for call in unit.walk("call_expression", under=loop.body):
                given = arguments(call)
                if called(unit, call)[0] != "pow" or len(given) != 2 or unit.text(given[1]) != loop.variable:
                    continue
                if next(enclosing_loops(call), None) == node and invariant(unit, given[0], node):
                    groups.setdefault(unit.text(given[0]), []).append(call)
            for base, calls in groups.items():
                name = fresh.fresh("power")
                function = unit.text_of(calls[0], "function")
                yield Rewrite(
                    merge(
                        around(unit, node, [f"auto {name} = {function}({base}, {unit.text(loop.start)});"]),
                        (replace(call, name) for call in calls),
                        (insert(loop.body.end_byte - 1, f"{name} *= {base}; "),),
                    ),
                    lines(unit, node),
                )


def _continues(unit: Unit, body: Node) -> bool:
    return next(unit.walk("continue_statement", "goto_statement", under=body), None) is not None


class _Reduction(NamedTuple):
    loop: CountedLoop
    scalar: str
    value: str
    """What is added in each round."""
    kind: str
    operator: str


@register
class SeveralAccumulators:
    """Floating-point sums, where each addition waits for the one before."""

    id = "several-accumulators"
    family = "loops"
    rationale = "Adds in four independent sums: the processor need not wait for each addition."
    gain = 1.8
    finding_kinds = ("not-vectorised", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("for_statement"):
            loop = counted(unit, node)
            shape = self._shape(unit, loop) if loop is not None else None
            if shape is not None:
                text = self._text(unit, shape, Names(unit).fresh("partial"), unit.indent(node))
                yield Rewrite((replace(node, text),), lines(unit, node))

    @staticmethod
    def _shape(unit: Unit, loop: CountedLoop) -> _Reduction | None:
        inside = statements(loop.body)
        if len(inside) != 1 or inside[0].type != "expression_statement" or not inside[0].named_children:
            return None
        node = inside[0].named_children[0]
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type != "assignment_expression" or left is None or right is None or left.type != "identifier":
            return None
        kind, operator, scalar = type_of(unit, left), unit.text_of(node, "operator"), unit.text(left)
        if not is_float(kind) or kind is None or operator not in ("+=", "-="):
            return None
        if loop.type in (None, "auto") or loop.operator != "<" or loop.step != "1":
            return None
        if not is_pure(unit, right) or scalar in names(unit, right) | names(unit, loop.bound):
            return None
        return _Reduction(loop, scalar, unit.text(right), kind, operator)

    @staticmethod
    def _text(unit: Unit, shape: _Reduction, partial: str, indent: str) -> str:
        loop, variable = shape.loop, shape.loop.variable
        start, bound = unit.text(loop.start), unit.text(loop.bound)
        pattern = rf"(?<![\w.]){re.escape(variable)}(?!\w)"
        rounds = [re.sub(pattern, f"({variable} + {k})" if k else variable, shape.value) for k in range(4)]
        inner = indent + "    "
        added = "".join(f"\n{inner}    {partial}[{k}] += {value};" for k, value in enumerate(rounds))
        return (
            f"{{\n{inner}{shape.kind} {partial}[4] = {{}};"
            f"\n{inner}{loop.type} {variable} = {start};"
            f"\n{inner}for (; {variable} + 3 < {bound}; {variable} += 4) {{{added}\n{inner}}}"
            f"\n{inner}for (; {variable} < {bound}; ++{variable}) {partial}[0] += {shape.value};"
            f"\n{inner}{shape.scalar} {shape.operator} ({partial}[0] + {partial}[1]) + ({partial}[2] + {partial}[3]);"
            f"\n{indent}}}"
        )


@register
class UnswitchCondition:
    """A test in a loop whose outcome is the same in every round."""

    id = "loop-unswitch"
    family = "loops"
    rationale = "Tests the condition once before the loop instead of in every round."
    gain = 1.15
    finding_kinds = ("invariant-in-loop", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for loop in unit.walk(*LOOPS):
            body = loop.child_by_field_name("body")
            inside = statements(body) if body is not None else []
            if len(inside) != 1 or inside[0].type != "if_statement" or _has_else(inside[0]) or jumps(unit, loop):
                continue
            condition = inside[0].child_by_field_name("condition")
            value = condition.child_by_field_name("value") if condition is not None else None
            if value is None or value.type == "identifier" or not invariant(unit, value, loop):
                continue
            name = fresh.fresh("wanted")
            declared = f"const bool {name} = static_cast<bool>({unit.text(value)});"
            yield Rewrite(merge(around(unit, loop, [declared]), (replace(value, name),)), lines(unit, loop))
