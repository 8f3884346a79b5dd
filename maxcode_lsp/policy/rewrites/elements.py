"""Array elements: rows, pointers and values that an inner loop need not find again."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import replace
from maxcode_lsp.policy.rewrites.effects import (
    base_name,
    declares,
    effects,
    invariant,
)
from maxcode_lsp.policy.rewrites.loop_shape import (
    LOOPS,
    is_innermost,
    jumps,
    names,
    subscripts,
)
from maxcode_lsp.policy.rewrites.placement import Names, around, identifier, lines, merge, short
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.types import element_type, layers, type_of, type_of_variable, variable_at
from maxcode_lsp.policy.rewrites.unit import Unit


@register
class RowReference:
    """``a[i]`` of a table of rows, used with several ``j``."""

    id = "row-reference"
    family = "elements"
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
                name = fresh.fresh(identifier("row_" + text))
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
    family = "elements"
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
    family = "elements"
    rationale = "Reads the element once before the loop; the compiler must read it again after every write."
    gain = 1.25
    finding_kinds = ("invariant-in-loop", "hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for loop in unit.walk(*LOOPS):
            if not is_innermost(unit, loop):
                continue
            for text, found in self._elements(unit, loop).items():
                name = fresh.fresh(identifier(text + "_value"))
                hunks = (replace(node, name) for node in found)
                yield Rewrite(
                    merge(around(unit, loop, [f"const auto {name} = {text};"]), hunks),
                    lines(unit, loop),
                    f"Reads {short(text)} once before the loop.",
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
    family = "elements"
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
                    f"Accumulates {short(text)} in a local variable and stores it once after the loop.",
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
