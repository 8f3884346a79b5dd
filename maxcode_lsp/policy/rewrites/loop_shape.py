"""Recognising loops: counted ``for`` loops, their variable, bounds and body, and how they nest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.unit import Unit

LOOPS = ("for_statement", "for_range_loop", "while_statement", "do_statement")
FUNCTIONS = ("function_definition", "lambda_expression")


class CountedLoop(NamedTuple):
    """``for (T v = start; v < bound; v += step) body``, counting up."""

    node: Node
    variable: str
    type: str | None
    """Text of the variable's type; None where it is declared before the loop."""
    start: Node
    operator: str
    """``<``, ``<=`` or ``!=``."""
    bound: Node
    step: str
    """Text of the step, ``1`` for ``++``."""
    condition: Node
    body: Node


def counted(unit: Unit, node: Node) -> CountedLoop | None:
    """The loop's shape if it is a counted ``for`` loop."""
    if node.type != "for_statement":
        return None
    init, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    update, body = node.child_by_field_name("update"), node.child_by_field_name("body")
    if init is None or condition is None or update is None or body is None:
        return None
    begin, step = _begin(unit, init), _step(unit, update)
    if begin is None or step is None or condition.type != "binary_expression":
        return None
    variable, kind, start = begin
    left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
    operator = condition.child_by_field_name("operator")
    if left is None or right is None or operator is None or unit.text(left) != variable or step[0] != variable:
        return None
    sign = unit.text(operator)
    if sign not in ("<", "<=", "!=") or variable in names(unit, right):
        return None
    return CountedLoop(node, variable, kind, start, sign, right, step[1], condition, body)


def _begin(unit: Unit, init: Node) -> tuple[str, str | None, Node] | None:
    if init.type == "declaration":
        declarators = init.children_by_field_name("declarator")
        kind = init.child_by_field_name("type")
        if len(declarators) != 1 or kind is None:
            return None
        name, value = declarators[0].child_by_field_name("declarator"), declarators[0].child_by_field_name("value")
        if name is None or value is None or name.type != "identifier":
            return None
        return unit.text(name), unit.text(kind), value
    if init.type == "assignment_expression":
        name, value = init.child_by_field_name("left"), init.child_by_field_name("right")
        if name is None or value is None or name.type != "identifier":
            return None
        return unit.text(name), None, value
    return None


def _step(unit: Unit, update: Node) -> tuple[str, str] | None:
    if update.type == "update_expression":
        argument, operator = update.child_by_field_name("argument"), update.child_by_field_name("operator")
        if argument is None or operator is None or unit.text(operator) != "++":
            return None
        return unit.text(argument), "1"
    if update.type == "assignment_expression":
        left, right = update.child_by_field_name("left"), update.child_by_field_name("right")
        operator = update.child_by_field_name("operator")
        if left is None or right is None or operator is None or unit.text(operator) != "+=":
            return None
        return unit.text(left), unit.text(right)
    return None


def names(unit: Unit, node: Node) -> frozenset[str]:
    """Every identifier in a piece of code (fields of objects left out)."""
    return frozenset(unit.text(n) for n in unit.walk("identifier", under=node))


def header(unit: Unit, loop: Node) -> str:
    """The text from ``for`` to before the body."""
    body = loop.child_by_field_name("body")
    end = body.start_byte if body is not None else loop.end_byte
    return unit.data[loop.start_byte : end].decode(errors="replace").strip()


def statements(body: Node) -> list[Node]:
    """The statements of a body, comments left out."""
    if body.type == "compound_statement":
        return [n for n in body.named_children if n.type != "comment"]
    return [body]


def nest(unit: Unit, outer: CountedLoop) -> list[CountedLoop]:
    """The perfect nest that begins with a loop: each but the last holds only the next."""
    loops = [outer]
    while len(loops) < 6:
        inside = statements(loops[-1].body)
        inner = counted(unit, inside[0]) if len(inside) == 1 else None
        if inner is None:
            break
        loops.append(inner)
    return loops


def jumps(unit: Unit, body: Node) -> bool:
    """Whether control can leave the body other than at its end (nested loops' own breaks count too)."""
    kinds = ("break_statement", "continue_statement", "return_statement", "goto_statement", "throw_statement",
             "labeled_statement", "co_yield_statement")  # fmt: skip
    return next(unit.walk(*kinds, under=body), None) is not None


def enclosing_loops(node: Node) -> Iterator[Node]:
    """The loops around a node, innermost first, up to the function it is in."""
    up = node.parent
    while up is not None and up.type not in FUNCTIONS:
        if up.type in LOOPS:
            yield up
        up = up.parent


def is_innermost(unit: Unit, loop: Node) -> bool:
    """No further loop is in it."""
    body = loop.child_by_field_name("body")
    return body is not None and next(unit.walk(*LOOPS, under=body), None) is None


def subscripts(node: Node) -> tuple[Node, list[Node]] | None:
    """Base and index expressions, outermost index first, of ``a[i][j]``; None for other code."""
    indices: list[Node] = []
    while node.type == "subscript_expression":
        argument, index = node.child_by_field_name("argument"), node.child_by_field_name("indices")
        if argument is None or index is None or len(index.named_children) != 1:
            return None
        indices.append(index.named_children[0])
        node = argument
    return (node, indices[::-1]) if indices else None
