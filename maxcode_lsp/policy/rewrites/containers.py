"""Containers: another one that does the same here and costs less."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import in_block, insert, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import qualified, read_type
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import (
    lines_of,
    loop_around,
    member,
    method_call,
    methods,
    passed_to,
    ranged,
    subscript,
)
from maxcode_lsp.records import Hunk

_UNORDERED = {"map": "unordered_map", "set": "unordered_set"}
_UNORDERED_METHODS = frozenset(
    (
        *("count", "find", "[]", "insert", "emplace", "at", "size", "empty", "clear", "erase"),
        *("contains", "end", "cend", "try_emplace", "insert_or_assign"),
    )
)

_ORDER_FREE = frozenset(
    (
        *("max", "min", "abs", "llabs", "gcd", "lcm", "pow", "sqrt", "log", "exp", "size", "length"),
        *("count", "find", "end", "at", "empty", "to_string", "stoi", "insert"),
    )
)
"""Functions whose calls may be reordered between rounds."""


def template_name(unit: Unit, written: Node) -> Node | None:
    """The leaf ``map`` of the written type ``std::map<int, int>``."""
    if written.type == "qualified_identifier":
        if unit.text_of(written, "scope") not in ("std", ""):
            return None
        inner = written.child_by_field_name("name")
        return template_name(unit, inner) if inner is not None else None
    return written.child_by_field_name("name") if written.type == "template_type" else None


def hashable(written: str) -> bool:
    """Whether the standard library hashes the type."""
    kind = read_type(written)
    return kind.is_integer or str(kind) in ("string", "double", "float", "string_view") or written.endswith("*")


def together(unit: Unit, variable: Variable) -> list[Variable]:
    """All variables of one declaration, the first of them first; empty for the others."""
    group = unit.declared_together[variable.declaration.start_byte]
    return group if group[0] is variable else []


def _order_matters(unit: Unit, loop: Node) -> bool:
    """Whether the rounds of a loop may not be taken in another order, as far as one can see."""
    body = loop.child_by_field_name("body")
    if body is None or any(
        True for _ in unit.walk("break_statement", "return_statement", "goto_statement", under=body)
    ):
        return True
    if any(unit.text_of(node, "operator") in ("<<", ">>") for node in unit.walk("binary_expression", under=body)):
        return True
    for call in unit.walk("call_expression", under=body):
        function = call.child_by_field_name("function")
        name = unit.text_of(function, "field") if function is not None and function.type == "field_expression" else ""
        if (name or unit.text_of(call, "function").removeprefix("std::")) not in _ORDER_FREE:
            return True
    return False


def _iterators_move(unit: Unit, variable: Variable) -> bool:
    """Whether an iterator that ``find`` gave is moved on, so that the order of elements is seen."""
    for leaf in variable.uses:
        call = method_call(leaf)
        if call is None or member(unit, leaf) not in ("find", "insert", "emplace"):
            continue
        holder = unit.enclosing(call, "init_declarator", "assignment_expression")
        name = holder.child_by_field_name("declarator") or holder.child_by_field_name("left") if holder else None
        if name is None:
            continue
        for use in unit.identifiers.get(unit.text(name).lstrip("&* "), ()):
            up = use.parent
            if up is not None and up.type == "update_expression":
                return True
            if passed_to(unit, use) in ("next", "prev", "advance", "distance"):
                return True
    return False


def order_unseen(unit: Unit, variable: Variable) -> bool:
    """Whether nothing that is done with a map or set shows the order of its keys."""
    used = methods(unit, variable)
    if used is None or not used <= _UNORDERED_METHODS | {"for"} or unit.in_macro(variable.name):
        return False
    if variable.form not in ("value", "array") or variable.kind == "parameter":
        return False
    loops = [loop for leaf in variable.uses if (loop := ranged(leaf)) is not None]
    return not any(_order_matters(unit, loop) for loop in loops) and not _iterators_move(unit, variable)


@trusted
@register
class UnorderedContainer:
    id = "unordered-container"
    family = "containers"
    rationale = "A hash table instead of a sorted tree: the order of the keys is never looked at."
    gain = 2.2
    finding_kinds = ("ordered-container", "allocation", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            name = template_name(unit, variable.type)
            group = together(unit, variable)
            kind = unit.type_of(variable)
            if name is None or not group or kind.head not in _UNORDERED or unit.text(name) != kind.head:
                continue
            # A third (for sets a second) argument is a comparison of their own.
            if len(kind.arguments) != (2 if kind.head == "map" else 1) or not hashable(kind.arguments[0]):
                continue
            if not all(order_unseen(unit, one) for one in group):
                continue
            new = _UNORDERED[kind.head]
            hunks = (*unit.include_hunk(new), replace(name, new))
            lines = tuple(line for one in group for line in lines_of(unit, one))
            names = ", ".join(f"“{one.name}”" for one in group)
            said = f"{names} as a hash table instead of a sorted tree: the order of the keys is never looked at."
            yield Rewrite(hunks, lines, said)


@register
class UnorderedEverywhere:
    id = "unordered-everywhere"
    family = "containers"
    rationale = "Hash tables instead of sorted trees in all declarations, parameters and results."
    gain = 2.2
    finding_kinds = ("ordered-container", "allocation", "empirical-complexity")

    _ORDERED = ("lower_bound", "upper_bound", "equal_range", "rbegin", "crbegin", "prev", "next", "advance", "extract")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if not unit.uses("map", "set") or unit.uses(*self._ORDERED, "unordered_map", "unordered_set"):
            return
        hunks: list[Hunk] = []
        lines: list[int] = []
        for node in unit.walk("template_type"):
            name = node.child_by_field_name("name")
            kind = read_type(unit.text(node), unit.aliases)
            if name is None or unit.text(name) not in _UNORDERED:
                continue
            if len(kind.arguments) != (2 if kind.head == "map" else 1) or not hashable(kind.arguments[0]):
                return
            hunks.append(replace(name, _UNORDERED[unit.text(name)]))
            lines.append(unit.line(node))
        for variable in unit.variables:
            if unit.type_of(variable).head in _UNORDERED:
                if not all(self._calm(unit, leaf) for leaf in variable.uses) or _iterators_move(unit, variable):
                    return
                lines += lines_of(unit, variable)
        if len(hunks) > 1:
            needed = sorted({hunk.replacement.decode() for hunk in hunks})
            yield Rewrite((*(h for header in needed for h in unit.include_hunk(header)), *hunks), tuple(lines))

    @staticmethod
    def _calm(unit: Unit, leaf: Node) -> bool:
        name, loop = member(unit, leaf), ranged(leaf)
        if loop is not None:
            return not _order_matters(unit, loop)
        return name is None or name in _UNORDERED_METHODS


@register
class HashReserve:
    id = "hash-reserve"
    family = "containers"
    rationale = "The hash table starts large, so that it is not rebuilt each time it doubles."
    gain = 1.2
    finding_kinds = ("allocation", "ordered-container")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            if unit.type_of(variable).head not in ("unordered_map", "unordered_set") or variable.form != "value":
                continue
            declaration = variable.declaration
            if variable.kind != "local" or not in_block(declaration) or loop_around(declaration) is not None:
                continue
            used = methods(unit, variable) or set()
            if used and "reserve" not in used and "rehash" not in used and order_unseen(unit, variable):
                text = f"\n{unit.indent(declaration)}{variable.name}.reserve(1 << 16);"
                yield Rewrite((insert(declaration.end_byte, text),), lines_of(unit, variable))


@register
class CharacterTable:
    id = "character-table"
    family = "containers"
    rationale = "A table with one place a character instead of a search for it."
    gain = 3.0
    finding_kinds = ("ordered-container", "allocation")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            kind = unit.type_of(variable)
            if kind.head not in ("map", "unordered_map") or len(kind.arguments) != 2 or variable.initial is not None:
                continue
            value = read_type(kind.arguments[1], unit.aliases)
            plain = value.is_integer or str(value) in ("double", "float", "string")
            if kind.arguments[0] != "char" or not plain:
                continue
            places = [subscript(leaf) for leaf in variable.uses]
            if variable.form != "value" or not variable.alone or variable.kind == "parameter" or not all(places):
                continue
            hunks = [
                *unit.include_hunk("array"),
                replace(variable.type, f"std::array<{qualified(kind.arguments[1])}, 256>"),
            ]
            hunks.append(insert(variable.name_node.end_byte, "{}"))
            for place in places:
                index = place.child_by_field_name("indices") if place is not None else None
                if index is not None:
                    hunks.append(replace(index, f"[static_cast<unsigned char>({unit.text(index)[1:-1]})]"))
            yield Rewrite(tuple(hunks), lines_of(unit, variable))
