"""What a piece of code does besides giving a value: which names it writes, and whether it is pure.

The answers are guesses from the syntax tree, good enough to keep hopeless rewrites back: what they
miss (aliases through pointers, say) is for verification to catch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import (
    CONST_METHODS,
    OUTPUT,
    PURE_CALLS,
    arguments,
    called,
    is_const_method,
    is_conversion,
    parameters,
)
from maxcode_lsp.policy.rewrites.loop_shape import names
from maxcode_lsp.policy.rewrites.types import declared_in, source, variable_at, words
from maxcode_lsp.policy.rewrites.unit import Unit

_STREAMS = frozenset({"cout", "cerr", "clog", "cin"})
_ROUNDS = 4
"""Depth of calls to which the effects of the unit's own functions are followed."""


class Effects(NamedTuple):
    """What a piece of code writes, by the name through which it does."""

    whole: frozenset[str] = frozenset()
    """Names assigned, resized, moved from, or handed out for writing."""
    elements: frozenset[str] = frozenset()
    """Names of which elements or members are written."""
    outside: bool = False
    """It does input or output, throws, or calls what the unit does not show."""

    @property
    def written(self) -> frozenset[str]:
        return self.whole | self.elements

    @property
    def none(self) -> bool:
        return not (self.whole or self.elements or self.outside)


class FunctionEffects(NamedTuple):
    """What a call of a function does to its caller's world."""

    outer: Effects = Effects()
    """Writes to names that the function does not declare."""
    arguments: frozenset[int] = frozenset()
    """Indexes of the parameters through which the caller's objects are written."""


def effects(unit: Unit, node: Node) -> Effects:
    """What the code under a node does."""
    return _survey(unit).of(node)


def function_effects(unit: Unit, definition: Node) -> FunctionEffects:
    """What a call of a function definition (or a lambda) does."""
    return _survey(unit).functions.get(definition.id, FunctionEffects(Effects(outside=True)))


def is_pure(unit: Unit, expression: Node) -> bool:
    """Evaluating it has no effect, so that it may be done more or less often."""
    if next(unit.walk("new_expression", "lambda_expression", under=expression), None) is not None:
        return False
    return effects(unit, expression).none


def is_pure_function(unit: Unit, definition: Node) -> bool:
    """It gives a value that depends on its arguments and on what it reads, and does nothing else."""
    body = definition.child_by_field_name("body")
    if body is None or any("static" in unit.text(d).split() for d in unit.walk("declaration", under=body)):
        return False
    effect = function_effects(unit, definition)
    return effect.outer.none and not effect.arguments


def declares(unit: Unit, node: Node) -> frozenset[str]:
    """Names declared inside a piece of code."""
    return frozenset(variable.name for variable in declared_in(unit, node))


def reads(unit: Unit, node: Node) -> frozenset[str]:
    """Names that the value of an expression may depend on, through functions of the unit too."""
    found = set(names(unit, node))
    for call in unit.walk("call_expression", under=node):
        for definition in unit.functions.get(called(unit, call)[0], ()):
            found |= names(unit, definition) - declares(unit, definition)
    return frozenset(found)


def invariant(unit: Unit, expression: Node, loop: Node) -> bool:
    """Pure, and nothing that it depends on changes while the loop runs."""
    if not is_pure(unit, expression):
        return False
    return not reads(unit, expression) & (effects(unit, loop).written | declares(unit, loop))


def base_name(unit: Unit, node: Node | None) -> tuple[str | None, bool]:
    """The name that an lvalue starts with, and whether the lvalue is just that name."""
    whole = True
    while node is not None:
        if node.type in ("identifier", "this"):
            return unit.text(node), whole
        if node.type == "qualified_identifier":
            return unit.text(node).rsplit("::", 1)[-1], whole
        if node.type == "field_expression":
            argument = node.child_by_field_name("argument")
            if argument is not None and argument.type == "this":
                return unit.text_of(node, "field"), whole
            whole, node = False, argument
        elif node.type in ("subscript_expression", "pointer_expression", "update_expression"):
            whole, node = False, node.child_by_field_name("argument")
        elif node.type == "parenthesized_expression":
            node = node.named_children[0] if node.named_children else None
        elif node.type == "call_expression":
            whole, node = False, node.child_by_field_name("function")
        elif node.type == "conditional_expression":
            node = node.child_by_field_name("consequence")
        else:
            break
    return None, False


@lru_cache(maxsize=8)
def _survey(unit: Unit) -> _Survey:
    return _Survey(unit)


class _Survey:
    """The effects of all functions of a unit, found in rounds because they call each other."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._known: dict[int, Effects] = {}
        self.functions: dict[int, FunctionEffects] = {}
        definitions = list(unit.walk("function_definition", "lambda_expression"))
        for _ in range(_ROUNDS):
            before, self._known = dict(self.functions), {}
            for definition in definitions:
                self.functions[definition.id] = self._function(definition)
            if self.functions == before:
                break

    def of(self, node: Node) -> Effects:
        found = self._known.get(node.id)
        if found is None:
            found = self._known[node.id] = self._look(node)
        return found

    def _look(self, node: Node) -> Effects:
        unit = self._unit
        whole: set[str] = set()
        elements: set[str] = set()
        outside = False
        for found in unit.walk(
            "assignment_expression", "update_expression", "call_expression", "binary_expression", "pointer_expression",
            "delete_expression", "co_await_expression", "throw_statement", "gnu_asm_expression", under=node,
        ):  # fmt: skip
            if found.type == "call_expression":
                effect = self._call(found)
                whole |= effect.whole
                elements |= effect.elements
                outside |= effect.outside
                continue
            outside |= found.type in ("co_await_expression", "throw_statement", "gnu_asm_expression")
            outside |= found.type == "binary_expression" and _is_stream(unit, found)
            for target in _targets(unit, found):
                name, is_whole = base_name(unit, target)
                if name is not None:
                    (whole if is_whole else elements).add(name)
        elements |= self._behind(node, whole | elements)
        return Effects(frozenset(whole), frozenset(elements), outside)

    def _behind(self, node: Node, written: Iterable[str]) -> set[str]:
        """What the references and pointers among the written names were made from."""
        unit = self._unit
        own = {variable.name: variable for variable in declared_in(unit, node)}
        found: set[str] = set()
        for name in written:
            variable = own.get(name) or variable_at(unit, name, node)
            if variable is not None and variable.form in ("reference", "pointer"):
                behind, _ = base_name(unit, source(variable))
                found |= {behind} if behind is not None else set()
        return found

    def _function(self, definition: Node) -> FunctionEffects:
        unit, body = self._unit, definition.child_by_field_name("body")
        if body is None:
            return FunctionEffects(Effects(outside=True))
        effect = self.of(body)
        own = {variable.declaration: variable for variable in declared_in(unit, definition)}
        written: set[int] = set()
        for index, parameter in enumerate(parameters(definition)):
            variable = own.get(parameter)
            if variable is None or variable.form == "value" or "const" in words(unit, variable):
                continue
            if variable.name in effect.elements or (variable.form == "reference" and variable.name in effect.whole):
                written.add(index)
        local = declares(unit, definition)
        outer = Effects(effect.whole - local, effect.elements - local, effect.outside)
        return FunctionEffects(outer, frozenset(written))

    def _call(self, call: Node) -> Effects:
        unit = self._unit
        name, target = called(unit, call)
        given = arguments(call)
        if target is not None:
            return self._method(name, target, given)
        if name in unit.functions:
            return self._user(unit.functions[name], given)
        if name in PURE_CALLS:
            return Effects()
        if name in OUTPUT:
            return Effects(outside=True)
        variable = variable_at(unit, name, call)
        if variable is not None and variable.initial is not None and variable.initial.type == "lambda_expression":
            return self._user([variable.initial], given)
        if is_conversion(unit, call):
            return Effects()
        return Effects(self._bases(given), outside=True)

    def _method(self, name: str, target: Node, given: list[Node]) -> Effects:
        unit = self._unit
        if name in CONST_METHODS:
            return Effects()
        base, whole = base_name(unit, target)
        touched = frozenset({base} if base is not None else ())
        handed = self._bases(given) if name in ("swap", "merge", "splice") else frozenset[str]()
        own = unit.functions.get(name, [])
        outer = self._user(own, given)
        if own and all(is_const_method(unit, d) for d in own):
            return outer
        changed = outer.whole | handed | (touched if whole else frozenset[str]())
        return Effects(changed, outer.elements | (frozenset[str]() if whole else touched), outer.outside)

    def _user(self, definitions: list[Node], given: list[Node]) -> Effects:
        whole: set[str] = set()
        elements: set[str] = set()
        outside = False
        for definition in definitions:
            effect = self.functions.get(definition.id, FunctionEffects())
            whole |= effect.outer.whole
            elements |= effect.outer.elements
            outside |= effect.outer.outside
            whole |= self._bases([given[index] for index in effect.arguments if index < len(given)])
        return Effects(frozenset(whole), frozenset(elements), outside)

    def _bases(self, nodes: list[Node]) -> frozenset[str]:
        found = (base_name(self._unit, node)[0] for node in nodes)
        return frozenset(name for name in found if name is not None)


def _targets(unit: Unit, node: Node) -> Iterator[Node | None]:
    """The lvalues that a node itself writes or hands out."""
    operator = unit.text_of(node, "operator")
    if node.type == "assignment_expression":
        yield node.child_by_field_name("left")
    elif node.type == "update_expression" or (node.type == "pointer_expression" and operator == "&"):
        yield node.child_by_field_name("argument")
    elif node.type == "delete_expression":
        yield node.named_children[0] if node.named_children else None
    elif node.type == "binary_expression" and operator == ">>" and _is_stream(unit, node):
        yield node.child_by_field_name("right")


def _is_stream(unit: Unit, node: Node) -> bool:
    if unit.text_of(node, "operator") not in ("<<", ">>"):
        return False
    left: Node | None = node
    while left is not None and left.type == "binary_expression":
        left = left.child_by_field_name("left")
    name, _ = base_name(unit, left)
    if name is None or left is None:
        return False
    if name in _STREAMS:
        return True
    variable = variable_at(unit, name, left)
    return variable is not None and "stream" in unit.text(variable.type)
