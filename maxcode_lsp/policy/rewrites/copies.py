"""Copies: values looked at through a reference, and containers kept instead of made again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import arguments, called, function_declarator, parameters
from maxcode_lsp.policy.rewrites.edits import insert, replace
from maxcode_lsp.policy.rewrites.effects import base_name, declares, effects
from maxcode_lsp.policy.rewrites.loop_shape import enclosing_loops, names
from maxcode_lsp.policy.rewrites.placement import Names, around, lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import read_type
from maxcode_lsp.policy.rewrites.types import element_type, is_float, is_integer, resolve, type_of, variable_at
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk

_HEAVY = frozenset({
    "string", "vector", "map", "set", "unordered_map", "unordered_set", "multimap", "multiset", "unordered_multimap",
    "unordered_multiset", "deque", "list", "forward_list", "queue", "stack", "priority_queue", "function",
    "shared_ptr", "tuple", "array", "bitset", "valarray", "basic_string", "wstring",
})  # fmt: skip
_MAPS = ("map", "unordered_map")


def is_heavy(unit: Unit, kind: str) -> bool:
    """Copying a value of the type costs clearly more than passing its address."""
    named = read_type(kind)
    if named.head in _HEAVY:
        return True
    if named.head == "pair":
        return any(is_heavy(unit, part) for part in named.arguments)
    for node in unit.walk("struct_specifier", "class_specifier"):
        if unit.text_of(node, "name") != named.head:
            continue
        body = node.child_by_field_name("body")
        fields = [n for n in body.named_children if n.type == "field_declaration"] if body is not None else []
        kinds = [resolve(unit, unit.text_of(n, "type")) for n in fields]
        return len(fields) > 3 or any(read_type(k).head in _HEAVY for k in kinds)
    return False


@trusted
@register
class RangeForReference:
    """``for (auto x : v)`` where ``x`` is only looked at."""

    id = "range-for-reference"
    family = "copies"
    rationale = "Looks at the elements where they are instead of copying each."
    gain = 1.4
    finding_kinds = ("copy-by-value", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for loop in unit.walk("for_range_loop"):
            kind, declarator = loop.child_by_field_name("type"), loop.child_by_field_name("declarator")
            around, body = loop.child_by_field_name("right"), loop.child_by_field_name("body")
            if kind is None or declarator is None or around is None or body is None:
                continue
            if declarator.type not in ("identifier", "structured_binding_declarator"):
                continue
            given = names(unit, declarator)
            effect = effects(unit, body)
            owner, _ = base_name(unit, around)
            if given & effect.written or owner in effect.written or not self._worth(unit, kind, around):
                continue
            const = any(unit.text(c) == "const" for c in loop.named_children if c.type == "type_qualifier")
            hunks = [insert(kind.end_byte, "&")]
            if not const:
                hunks.append(insert(kind.start_byte, "const "))
            yield Rewrite(merge(hunks), lines(unit, loop))

    @staticmethod
    def _worth(unit: Unit, kind: Node, around: Node) -> bool:
        named = resolve(unit, unit.text(kind))
        if named != "auto":
            return is_heavy(unit, named)
        outer = type_of(unit, around)
        inner = element_type(outer) if outer is not None else None
        return inner is None or not (is_integer(inner) or is_float(inner))


@trusted
@register
class ParameterReference:
    """Containers, strings and big structs passed by value and only looked at."""

    id = "parameter-reference"
    family = "copies"
    rationale = "Passes the argument by reference: no copy at each call."
    gain = 2.0
    finding_kinds = ("copy-by-value", "hot-function", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        own = {variable.declaration: variable for variable in unit.variables if variable.kind == "parameter"}
        for node in unit.walk("function_definition", "lambda_expression"):
            body = node.child_by_field_name("body")
            if body is None or b"override" in unit.data[node.start_byte : body.start_byte]:
                continue
            if b"virtual" in unit.data[node.start_byte : body.start_byte]:
                continue
            hunks: list[Hunk] = []
            for index, parameter in enumerate(parameters(node)):
                variable = own.get(parameter)
                if variable is None or not self._only_looked_at(unit, variable, node):
                    continue
                more = self._prototypes(unit, node, index, unit.text(variable.type))
                if more is not None:
                    hunks += [*_as_reference(unit, parameter), *more]
            if hunks:
                yield Rewrite(merge(hunks), lines(unit, node))

    @staticmethod
    def _only_looked_at(unit: Unit, variable: Variable, function: Node) -> bool:
        kind = resolve(unit, unit.text(variable.type))
        if variable.form != "value" or not is_heavy(unit, kind) or "..." in unit.text(variable.declaration):
            return False
        if variable.name in effects(unit, function).written:
            return False
        looked_up = any(use.parent is not None and use.parent.type == "subscript_expression" for use in variable.uses)
        if looked_up and read_type(kind).head in _MAPS:
            return False  # Looking up with [] may insert, which a reference to const forbids.
        return re.search(rf"\bmove\(\s*{variable.name}\s*\)", unit.text(function)) is None

    @staticmethod
    def _prototypes(unit: Unit, definition: Node, index: int, kind: str) -> list[Hunk] | None:
        """Hunks that change the prototypes too; None if one of them cannot be matched."""
        if definition.type == "lambda_expression":
            return []
        name, count = unit.function_name(definition), len(parameters(definition))
        if name is None or len(unit.functions.get(name, ())) > 1:
            return None
        hunks: list[Hunk] = []
        for node in unit.walk("declaration", "field_declaration"):
            declarator = function_declarator(node)
            told = declarator.child_by_field_name("declarator") if declarator is not None else None
            if told is None or unit.text(told) != name or node.parent is None:
                continue
            if node.parent.type not in ("translation_unit", "declaration_list", "field_declaration_list"):
                continue
            listed = parameters(node)
            if len(listed) != count or unit.text_of(listed[index], "type") != kind:
                return None
            if "virtual" in unit.text(node).split():
                return None
            hunks += _as_reference(unit, listed[index])
        return hunks


def _as_reference(unit: Unit, parameter: Node) -> list[Hunk]:
    """``const T& x`` for ``T x``."""
    kind = parameter.child_by_field_name("type")
    if kind is None:
        return []
    const = any(unit.text(c) == "const" for c in parameter.named_children if c.type == "type_qualifier")
    # Behind a const that follows the type: ``string const x``.
    end = max([kind.end_byte, *(c.end_byte for c in parameter.named_children if c.type == "type_qualifier")])
    front = [] if const else [insert(parameter.start_byte, "const ")]
    return [*front, insert(end, "&")]


@register
class CaptureByReference:
    """``[=]`` in lambdas that are used on the spot."""

    id = "lambda-capture-reference"
    family = "copies"
    rationale = "Captures by reference: no copy of the containers that the lambda looks at."
    gain = 1.5
    finding_kinds = ("copy-by-value", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("lambda_expression"):
            captures = node.child_by_field_name("captures")
            if captures is None or unit.text(captures).replace(" ", "") != "[=]":
                continue
            body = node.child_by_field_name("body")
            if body is None or b"mutable" in unit.data[node.start_byte : body.start_byte]:
                continue
            up = unit.enclosing(node, "return_statement", "compound_statement", "call_expression", "declaration")
            if up is None or up.type == "return_statement" or unit.uses("thread", "async"):
                continue
            if up.type == "call_expression" and called(unit, up)[0] in ("push_back", "emplace_back", "push", "insert"):
                continue
            yield Rewrite((replace(captures, "[&]"),), lines(unit, node))


@register
class ReturnWithoutMove:
    """``return std::move(local);``"""

    id = "return-without-move"
    family = "copies"
    rationale = "Returns the local itself, which the compiler builds in place of the result."
    gain = 1.05
    finding_kinds = ("copy-by-value",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("return_statement"):
            inner = node.named_children[0] if node.named_children else None
            if inner is None or inner.type != "call_expression" or called(unit, inner)[0] != "move":
                continue
            given = arguments(inner)
            definition = unit.enclosing(node, "function_definition", "lambda_expression")
            body = definition.child_by_field_name("body") if definition is not None else None
            if len(given) != 1 or body is None or given[0].type != "identifier":
                continue
            if unit.text(given[0]) in declares(unit, body):
                yield Rewrite((replace(inner, unit.text(given[0])),), lines(unit, node))


@register
class ReusedContainer:
    """Containers made anew in each iteration."""

    id = "reused-container"
    family = "copies"
    rationale = "Keeps the container's memory from one iteration to the next instead of allocating it again."
    gain = 1.4
    finding_kinds = ("hot-lines", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if b"#pragma omp" in unit.data:
            return
        fresh = Names(unit)
        for variable in unit.variables:
            node, parent = variable.declaration, variable.declaration.parent
            if variable.kind != "local" or not variable.alone or node.type != "declaration" or parent is None:
                continue
            if variable.form != "value" or parent.type != "compound_statement" or not self._kept(unit, variable):
                continue
            refill = self._refill(unit, variable)
            loops = list(enclosing_loops(node))
            if refill is None or not loops:
                continue
            outer = loops[-1]
            name = fresh.fresh(f"kept_{variable.name}")
            made = f"{unit.text(variable.type)} {name};"
            uses = (replace(use, name) for use in variable.uses)
            hunks = (*around(unit, outer, [made]), replace(node, refill.format(name)))
            yield Rewrite(
                merge(hunks, uses), lines(unit, outer),
                f"Keeps the memory of {variable.name} from one iteration to the next instead of allocating it again.",
            )  # fmt: skip

    @staticmethod
    def _kept(unit: Unit, variable: Variable) -> bool:
        kind = read_type(resolve(unit, unit.text(variable.type))).head
        if kind not in _CLEARED or "static" in unit.text(variable.declaration).split():
            return False
        moved = rf"\bmove\(\s*{re.escape(variable.name)}\s*\)|&\s*{re.escape(variable.name)}\b"
        return re.search(moved, unit.text(variable.scope)) is None

    @staticmethod
    def _refill(unit: Unit, variable: Variable) -> str | None:
        """The statement that brings the kept container, ``{}``, to its first state."""
        initial = variable.initial
        kind = resolve(unit, unit.text(variable.type))
        if initial is None:
            return "{}.clear();"
        text = unit.text(initial).replace("{", "{{").replace("}", "}}")
        if variable.name in names(unit, initial):
            return None
        if initial.type in ("argument_list", "parameter_list"):
            parts = [unit.text(n).replace("{", "{{").replace("}", "}}") for n in initial.named_children]
            if read_type(kind).head not in ("vector", "deque") or not 1 <= len(parts) <= 2:
                return None
            # One argument may be a size or another container; sizes are numbers.
            if len(parts) == 1 and not _is_number(unit, initial.named_children[0]):
                return None
            return f"{{}}.assign({', '.join([*parts, '{{}}'][:2])});"
        if initial.type == "initializer_list":
            return f"{{}} = {text};" if initial.named_children else "{}.clear();"
        return "{}.clear();" if text == '""' else f"{{}} = {text};"


def _is_number(unit: Unit, node: Node) -> bool:
    if node.type == "parameter_declaration":
        variable = variable_at(unit, unit.text(node), node)
        return variable is not None and is_integer(resolve(unit, unit.text(variable.type)))
    return is_integer(type_of(unit, node))


_CLEARED = frozenset({"vector", "string", "deque", "map", "set", "unordered_map", "unordered_set"})
