"""Membership: “is it there already?” answered by a hash set instead of a search through a vector."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.containers import hashable
from maxcode_lsp.policy.rewrites.edits import insert, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import (
    access,
    is_written,
    lines_of,
    loop_around,
    member,
    method_call,
    ranged,
    subscript,
)
from maxcode_lsp.records import Hunk

_ORDER_ONLY = ("sort", "stable_sort", "reverse", "shuffle", "random_shuffle", "rotate")
_READS = ("size", "empty", "front", "back", "reserve", "capacity", "at", "cbegin", "cend")


@register
class SetBeside:
    id = "set-beside-vector"
    family = "membership"
    rationale = "A hash set beside the vector answers whether an element is there, without a search from the start."
    gain = 12.0
    finding_kinds = ("linear-search", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            kind = unit.type_of(variable)
            if kind.head not in ("vector", "deque") or len(kind.arguments) != 1 or not hashable(kind.arguments[0]):
                continue
            if variable.form == "array" or unit.in_macro(variable.name):
                continue
            rewrite = self._rewrite(unit, variable, kind.arguments[0])
            if rewrite is not None:
                yield rewrite

    def _rewrite(self, unit: Unit, variable: Variable, element: str) -> Rewrite | None:
        name = f"{variable.name}_set"
        # A parameter's set is filled once, so only a constant one will do.
        fixed = variable.kind == "parameter" and "const" in unit.text(variable.declaration)
        if unit.uses(name) or (variable.kind == "parameter" and not fixed) or (variable.form != "value" and not fixed):
            return None
        hunks: list[Hunk] = []
        searched: list[Node] = []
        handled = set[int]()
        for call in unit.walk("call_expression"):
            tested = self._tested(unit, call, variable)
            if tested is None:
                continue
            whole, value, is_there, leaves = tested
            prefix = unit.text(access(leaves[0])).removesuffix(variable.name)
            hunks.append(replace(whole, f"{prefix}{name}.count({value}) {'!=' if is_there else '=='} 0"))
            searched.append(call)
            handled |= {leaf.start_byte for leaf in leaves}
        if not searched or not (variable.kind in ("field", "global") or any(loop_around(c) for c in searched)):
            return None
        for leaf in variable.uses:
            if leaf.start_byte in handled:
                continue
            followed = self._followed(unit, leaf, name)
            if followed is None:
                return None
            hunks += followed
        made = self._made(unit, variable, element, name)
        if made is None:
            return None
        hunks = sorted([made, *hunks])
        said = (
            f"A hash set beside “{variable.name}” answers whether an element is there, without a search from the start."
        )
        return Rewrite((*unit.include_hunk("unordered_set"), *hunks), lines_of(unit, variable), said)

    @staticmethod
    def _made(unit: Unit, variable: Variable, element: str, name: str) -> Hunk | None:
        declaration = variable.declaration
        if variable.kind == "parameter":
            body = variable.scope.child_by_field_name("body")
            if body is None or body.type != "compound_statement" or not body.named_children:
                return None
            first = body.named_children[0]
            filled = f"const std::unordered_set<{_qualified(element)}> {name}"
            filled += f"({variable.name}.begin(), {variable.name}.end());"
            return insert(first.start_byte, f"{filled}\n{unit.indent(first)}")
        static = "static " if unit.text(declaration).startswith("static ") else ""
        filled = f"({variable.name}.begin(), {variable.name}.end())" if variable.initial is not None else ""
        if variable.kind == "field" and filled:
            filled = f"{{{variable.name}.begin(), {variable.name}.end()}}"
        text = f"\n{unit.indent(declaration)}{static}std::unordered_set<{_qualified(element)}> {name}{filled};"
        return insert(declaration.end_byte, text)

    @staticmethod
    def _tested(unit: Unit, call: Node, variable: Variable) -> tuple[Node, str, bool, list[Node]] | None:
        """For ``find(v.begin(), v.end(), x) != v.end()``: the whole, ``x``, whether it asks for presence, and
        the names of the vector in it.
        """
        given = call.child_by_field_name("arguments")
        name = unit.text_of(call, "function").removeprefix("std::")
        up = call.parent
        if name not in ("find", "count") or given is None or up is None or len(given.named_children) != 3:
            return None
        first, last, value = given.named_children
        leaves = [leaf for leaf in variable.uses if call.start_byte <= leaf.start_byte < call.end_byte]
        ends = [leaf for leaf in leaves if leaf.start_byte < value.start_byte]
        if len(ends) != 2 or len(leaves) != 2 or not unit.text(first).endswith("begin()"):
            return None
        if not unit.text(last).endswith("end()") or up.type != "binary_expression":
            return None
        operator = unit.text_of(up, "operator")
        other = (
            up.child_by_field_name("right")
            if up.child_by_field_name("left") == call
            else up.child_by_field_name("left")
        )
        compared = unit.text(other) if other is not None else ""
        if name == "find":
            more = [
                leaf
                for leaf in variable.uses
                if other is not None and other.start_byte <= leaf.start_byte < other.end_byte
            ]
            if len(more) != 1 or not compared.endswith("end()") or operator not in ("==", "!="):
                return None
            return up, unit.text(value), operator == "!=", [*leaves, *more]
        if (operator, compared) in ((">", "0"), ("!=", "0"), (">=", "1")):
            return up, unit.text(value), True, leaves
        return (up, unit.text(value), False, leaves) if (operator, compared) in (("==", "0"), ("<", "1")) else None

    @staticmethod
    def _followed(unit: Unit, leaf: Node, name: str) -> list[Hunk] | None:
        """What keeps the set in step at one use of the vector; None if it cannot be kept."""
        taken, call, whole = member(unit, leaf), method_call(leaf), unit.text(access(leaf))
        prefix = whole.removesuffix(unit.text(leaf))
        statement = call.parent if call is not None else None
        if taken in ("push_back", "emplace_back", "clear"):
            if call is None or statement is None or statement.type != "expression_statement":
                return None
            step = "clear()" if taken == "clear" else f"insert({whole}.back())"
            return [insert(call.end_byte, f", {prefix}{name}.{step}")]
        if taken in ("begin", "end"):
            outer = unit.enclosing(leaf, "argument_list")
            outer = unit.enclosing(outer, "call_expression") if outer is not None else None
            function = unit.text_of(outer, "function").removeprefix("std::") if outer is not None else ""
            return [] if function in _ORDER_ONLY else None
        if taken in _READS:
            return [] if call is not None and not is_written(unit, call) else None
        loop = ranged(leaf)
        if loop is not None:
            declared = unit.text_of(loop, "declarator")
            return [] if "&" not in declared or "const" in unit.text(loop).split(":")[0] else None
        place = subscript(leaf)
        return [] if place is not None and not is_written(unit, place) and not _bound(place) else None


def _bound(place: Node) -> bool:
    """Whether a reference to the element may be kept and written through."""
    up = place.parent
    return up is not None and (
        (up.type == "init_declarator" and b"&" in (up.text or b""))
        or up.type in ("pointer_expression", "argument_list")
    )


def _qualified(element: str) -> str:
    return f"std::{element}" if element in ("string", "string_view") else element
