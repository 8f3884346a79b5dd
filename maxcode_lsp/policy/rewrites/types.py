"""The types of names and of simple expressions, as far as the text shows them."""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import read_type, split_arguments
from maxcode_lsp.policy.rewrites.unit import Unit

_FLOATS = frozenset({"float", "double", "long double"})
_SEQUENCES = ("vector", "array", "deque", "valarray", "span", "initializer_list")
_DROPPED = re.compile(
    r"\b(?:const|constexpr|static|inline|volatile|register|mutable|extern|thread_local|typename|struct|class)\b"
    r"|\bstd\s*::\s*"
)


def is_integer(kind: str | None) -> bool:
    """A whole number of any size and sign; None, an unknown type, is not."""
    return kind is not None and read_type(kind).is_integer


def is_float(kind: str | None) -> bool:
    """A floating-point number; None, an unknown type, is not."""
    return kind in _FLOATS


def is_unsigned(kind: str | None) -> bool:
    """A whole number without a sign; None, an unknown type, is not."""
    return kind is not None and is_integer(kind) and ("unsigned" in kind or kind.startswith(("uint", "size_t")))


def resolve(unit: Unit, text: str) -> str:
    """A type's text without qualifiers, ``std::``, aliases and needless spaces: ``vector<long long>``."""
    for _ in range(4):
        text = _DROPPED.sub("", text)
        swapped = re.sub(r"\b[A-Za-z_]\w*\b", lambda m: unit.aliases.get(m.group(), m.group()), text)
        if swapped == text or len(swapped) > 400:
            break
        text = swapped
    return re.sub(r"\s*([<>,*&:])\s*", r"\1", " ".join(text.split()))


@lru_cache(maxsize=8)
def _by_name(unit: Unit) -> dict[str, list[Variable]]:
    found: dict[str, list[Variable]] = {}
    for variable in unit.variables:
        found.setdefault(variable.name, []).append(variable)
    return found


def variable_at(unit: Unit, name: str, at: Node) -> Variable | None:
    """What a name stands for at a place; None where the unit does not show it."""
    best: Variable | None = None
    for variable in _by_name(unit).get(name, ()):
        scope = variable.scope
        if variable.kind == "field":
            scope = variable.declaration.parent or scope
        inside = scope.start_byte <= at.start_byte and at.end_byte <= scope.end_byte
        before = variable.kind == "field" or variable.name_node.start_byte <= at.start_byte
        if inside and before and (best is None or scope.start_byte >= best.scope.start_byte):
            best = variable
    return best


def declared_in(unit: Unit, node: Node) -> list[Variable]:
    """The variables declared inside a piece of code."""
    start, end = node.start_byte, node.end_byte
    return [v for v in unit.variables if start <= v.name_node.start_byte < end]


def type_of_variable(unit: Unit, variable: Variable) -> str:
    """Its resolved base type; pointers, references and array bounds left out."""
    return resolve(unit, unit.text(variable.type))


def words(unit: Unit, variable: Variable) -> frozenset[str]:
    """Qualifiers and storage words of its declaration: ``const``, ``static``, …"""
    children = variable.declaration.named_children
    return frozenset(unit.text(c) for c in children if c.type in ("type_qualifier", "storage_class_specifier"))


def source(variable: Variable) -> Node | None:
    """The initial value, or the range that a range loop's variable runs over."""
    if variable.declaration.type == "for_range_loop":
        return variable.declaration.child_by_field_name("right")
    return variable.initial


def layers(variable: Variable) -> int:
    """How many pointers and array bounds its declarator adds to the type."""
    count, node = 0, variable.name_node.parent
    while node is not None and node != variable.declaration:
        count += node.type in ("pointer_declarator", "array_declarator")
        node = node.parent
    return count


def element_type(kind: str) -> str | None:
    """``int`` for ``vector<int>``, ``char`` for ``string``."""
    if kind in ("string", "string_view"):
        return "char"
    head, _, inside = kind.partition("<")
    if head not in _SEQUENCES or not inside.endswith(">"):
        return None
    return split_arguments(inside[:-1])[0]


def type_of(unit: Unit, node: Node) -> str | None:
    """Type of a simple expression: a name, an element, a literal, a cast, or arithmetic on these."""
    node = bare(node)
    if node.type == "binary_expression":
        return _type_of_arithmetic(unit, node)
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        return type_of(unit, argument) if argument is not None and unit.text(node)[:1] in "-+" else None
    if node.type == "number_literal":
        return _type_of_literal(unit.text(node).lower())
    if node.type == "cast_expression":
        return resolve(unit, unit.text_of(node, "type"))
    if node.type == "call_expression":
        function = unit.text_of(node, "function")
        if function.endswith((".size", ".length")):
            return "size_t"
        match = re.fullmatch(r"static_cast<(.*)>", function)
        return resolve(unit, match.group(1)) if match else None
    steps = 0
    while node.type == "subscript_expression":
        argument = node.child_by_field_name("argument")
        if argument is None:
            return None
        node, steps = bare(argument), steps + 1
    if node.type != "identifier" or (variable := variable_at(unit, unit.text(node), node)) is None:
        return None
    return _peeled(unit, variable, steps)


def bare(node: Node) -> Node:
    """An expression without the parentheses around it."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _peeled(unit: Unit, variable: Variable, steps: int) -> str | None:
    kind: str | None = type_of_variable(unit, variable)
    if variable.declaration.type == "for_range_loop" and kind == "auto":
        around = source(variable)
        outer = type_of(unit, around) if around is not None else None
        kind = element_type(outer) if outer else None
    added = layers(variable)
    if added > steps:
        return None
    for _ in range(steps - added):
        kind = element_type(kind) if kind else None
    return kind if kind != "auto" else None


def _type_of_literal(text: str) -> str:
    if text.startswith("0x") or not re.search(r"[.e]", text):
        return "long long" if "l" in text else "int"
    return "float" if text.endswith("f") else "double"


def _type_of_arithmetic(unit: Unit, node: Node) -> str | None:
    if unit.text_of(node, "operator") not in ("+", "-", "*", "/", "%"):
        return None
    sides = [node.child_by_field_name("left"), node.child_by_field_name("right")]
    kinds = [type_of(unit, side) for side in sides if side is not None]
    if len(kinds) != 2 or not all(is_integer(k) or is_float(k) for k in kinds):
        return None
    order = (
        "long double",
        "double",
        "float",
        "unsigned long long",
        "uint64_t",
        "size_t",
        "long long",
        "int64_t",
        "long",
    )
    return next((k for k in order if k in kinds), "int")
