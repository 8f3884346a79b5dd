"""Hoisting: what does not change in a loop is computed once, before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import MATHS, arguments, called
from maxcode_lsp.policy.rewrites.edits import replace
from maxcode_lsp.policy.rewrites.effects import (
    base_name,
    declares,
    effects,
    invariant,
    is_pure,
    is_pure_function,
    reads,
)
from maxcode_lsp.policy.rewrites.loop_shape import (
    LOOPS,
    enclosing_loops,
    is_innermost,
    jumps,
    names,
    statements,
    subscripts,
)
from maxcode_lsp.policy.rewrites.placement import Names, around, lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.types import element_type, layers, type_of, type_of_variable, variable_at
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
                f"Computes {_short(text)} once before the loop: its value does not change in it.",
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
                    f"Computes {_short(text)} once instead of {len(calls)} times.",
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


@register
class RowReference:
    """``a[i]`` of a table of rows, used with several ``j``."""

    id = "row-reference"
    family = "hoisting"
    rationale = "Finds the row once before the inner loop instead of going through the table for each element."
    gain = 1.3
    finding_kinds = ("invariant-in-loop", "hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for loop in unit.walk(*LOOPS):
            if not is_innermost(unit, loop):
                continue
            rows = self._rows(unit, loop)
            if not rows:
                continue
            declared: list[str] = []
            hunks: list[tuple[Node, str]] = []
            for text, found in rows.items():
                name = fresh.fresh(_identifier("row_" + text))
                declared.append(f"auto& {name} = {text};")
                hunks += [(node, name) for node in found]
            yield Rewrite(
                merge(around(unit, loop, declared), (replace(node, name) for node, name in hunks)),
                lines(unit, loop),
            )

    @staticmethod
    def _rows(unit: Unit, loop: Node) -> dict[str, list[Node]]:
        changed = effects(unit, loop)
        moving = changed.whole | declares(unit, loop)
        rows: dict[str, list[Node]] = {}
        taken = -1
        for access in unit.walk("subscript_expression", under=loop):
            row = access.child_by_field_name("argument")
            if row is None or row.type != "subscript_expression" or (shape := subscripts(row)) is None:
                continue
            if row.start_byte < taken:
                continue  # Part of a longer row.
            base, indices = shape
            if base.type != "identifier" or not _table(unit, base, len(indices)):
                continue
            if names(unit, row) & moving or any(not invariant(unit, index, loop) for index in indices):
                continue
            taken = row.end_byte
            rows.setdefault(unit.text(row), []).append(row)
        return rows


def _table(unit: Unit, base: Node, depth: int) -> bool:
    """Rows found through memory: vectors of vectors, or pointers to pointers; not plain 2-D arrays."""
    variable = variable_at(unit, unit.text(base), base)
    if variable is None:
        return False
    kind: str | None = type_of_variable(unit, variable)
    if layers(variable) > depth:
        return variable.form == "pointer"
    for _ in range(depth - layers(variable)):
        kind = element_type(kind) if kind else None
    return kind is not None and kind.startswith("vector<") and not kind.startswith("vector<bool")


@register
class DataPointer:
    """``v[i]`` of vectors and strings in an inner loop."""

    id = "data-pointer"
    family = "hoisting"
    rationale = (
        "Reads the vectors through plain pointers that do not overlap, so that the loop can use vector instructions."
    )
    gain = 1.3
    finding_kinds = ("not-vectorised", "hot-lines", "invariant-in-loop")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for loop in unit.walk("for_statement", "while_statement"):
            if not is_innermost(unit, loop):
                continue
            moving = effects(unit, loop).whole | declares(unit, loop)
            bases: dict[str, list[Node]] = {}
            for access in unit.walk("subscript_expression", under=loop):
                base = access.child_by_field_name("argument")
                if base is None or base.type != "identifier" or unit.text(base) in moving:
                    continue
                if _contiguous(unit, base):
                    bases.setdefault(unit.text(base), []).append(base)
            if not bases:
                continue
            names_of = {base: fresh.fresh(f"{base}_data") for base in bases}
            declared = [f"auto* __restrict {name} = {base}.data();" for base, name in names_of.items()]
            hunks = (replace(node, names_of[base]) for base, nodes in bases.items() for node in nodes)
            yield Rewrite(merge(around(unit, loop, declared), hunks), lines(unit, loop))


def _contiguous(unit: Unit, base: Node) -> bool:
    variable = variable_at(unit, unit.text(base), base)
    if variable is None or layers(variable):
        return False
    kind = type_of_variable(unit, variable)
    return kind == "string" or (kind.startswith("vector<") and not kind.startswith(("vector<bool", "vector<vector")))


@register
class HoistElement:
    """An element with a fixed index, read in every iteration."""

    id = "hoist-element"
    family = "hoisting"
    rationale = "Reads the element once before the loop; the compiler must read it again after every write."
    gain = 1.25
    finding_kinds = ("invariant-in-loop", "hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for loop in unit.walk(*LOOPS):
            if not is_innermost(unit, loop):
                continue
            for text, found in self._elements(unit, loop).items():
                name = fresh.fresh(_identifier(text + "_value"))
                hunks = (replace(node, name) for node in found)
                yield Rewrite(
                    merge(around(unit, loop, [f"const auto {name} = {text};"]), hunks),
                    lines(unit, loop),
                    f"Reads {_short(text)} once before the loop.",
                )

    @staticmethod
    def _elements(unit: Unit, loop: Node) -> dict[str, list[Node]]:
        changed = effects(unit, loop)
        moving = changed.whole | declares(unit, loop)
        body = loop.child_by_field_name("body")
        found: dict[str, list[Node]] = {}
        for access in unit.walk("subscript_expression", under=body or loop):
            parent = access.parent
            if parent is None or (parent.type == "subscript_expression" and parent.named_children[0] == access):
                continue
            shape = subscripts(access)
            if shape is None or shape[0].type != "identifier" or names(unit, access) & moving:
                continue
            if any(not invariant(unit, index, loop) for index in shape[1]):
                continue
            kind = type_of(unit, access)
            if kind is None or kind.startswith("vector"):
                continue
            found.setdefault(unit.text(access), []).append(access)
        return {text: nodes for text, nodes in found.items() if not any(_is_target(n) for n in nodes)}


def _is_target(node: Node) -> bool:
    """Whether an element is written or its address is taken right here."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "assignment_expression":
        return parent.child_by_field_name("left") == node
    return parent.type in ("update_expression", "pointer_expression", "argument_list", "field_expression")


@register
class AccumulateScalar:
    """``c[i][j] += …`` with fixed ``i`` and ``j`` in an inner loop."""

    id = "accumulate-scalar"
    family = "hoisting"
    rationale = "Accumulates in a local variable and stores it once: no memory write in each iteration."
    gain = 1.4
    finding_kinds = ("invariant-in-loop", "hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for loop in unit.walk("for_statement", "for_range_loop"):
            if not is_innermost(unit, loop) or jumps(unit, loop):
                continue
            for text, found in self._targets(unit, loop).items():
                name = fresh.fresh("accumulated")
                hunks = (replace(node, name) for node in found)
                yield Rewrite(
                    merge(around(unit, loop, [f"auto {name} = {text};"], [f"{text} = {name};"]), hunks),
                    lines(unit, loop),
                    f"Accumulates {_short(text)} in a local variable and stores it once after the loop.",
                )

    @staticmethod
    def _targets(unit: Unit, loop: Node) -> dict[str, list[Node]]:
        effect = effects(unit, loop)
        if effect.outside:
            return {}
        moving = effect.whole | declares(unit, loop)
        by_base: dict[str, dict[str, list[Node]]] = {}
        for access in unit.walk("subscript_expression", under=loop):
            parent = access.parent
            if parent is None or (parent.type == "subscript_expression" and parent.named_children[0] == access):
                continue
            base, _ = base_name(unit, access)
            by_base.setdefault(base or "", {}).setdefault(unit.text(access), []).append(access)
        found: dict[str, list[Node]] = {}
        for base, accesses in by_base.items():
            # Another element of the same array might be this one.
            if base not in effect.elements or len(accesses) != 1:
                continue
            ((text, nodes),) = accesses.items()
            shape = subscripts(nodes[0])
            if shape is None or names(unit, nodes[0]) & moving or not any(_is_target(n) for n in nodes):
                continue
            kind = type_of(unit, nodes[0])
            if kind is not None and not kind.startswith(("vector", "bool")):
                found[text] = nodes
        return found


def _name_for(unit: Unit, call: Node) -> str:
    name, target = called(unit, call)
    parts = [unit.text(target)] if target is not None else []
    parts += [name, *(unit.text(a) for a in arguments(call))]
    return _identifier("_".join(parts))


def _identifier(text: str) -> str:
    """A readable name for an expression: ``row_a_i`` for ``row_a[i]``."""
    name = re.sub(r"[\W_]+", "_", text).strip("_")
    name = re.sub(r"^(\d)", r"v\1", name)
    return name if 0 < len(name) <= 32 else name[:32].rstrip("_") or "value"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "…"
