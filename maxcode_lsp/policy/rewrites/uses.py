"""What is done with a variable at each place that names it."""

from __future__ import annotations

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import PURE_CALLS, called, is_conversion, parameters
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.unit import Unit

LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")


def access(leaf: Node) -> Node:
    """The expression that a leaf stands for: ``this->seen`` or ``p.seen`` for the field ``seen``."""
    if leaf.type == "field_identifier" and leaf.parent is not None and leaf.parent.type == "field_expression":
        return leaf.parent
    return leaf


def member(unit: Unit, leaf: Node) -> str | None:
    """``size`` for the ``v`` of ``v.size`` or ``v->size``; None if no member is taken."""
    node = access(leaf)
    up = node.parent
    if up is None or up.type != "field_expression" or up.child_by_field_name("argument") != node:
        return None
    taken = up.child_by_field_name("field")
    return unit.text(taken) if taken is not None else None


def method_call(leaf: Node) -> Node | None:
    """The ``call_expression`` of ``v.size()`` for its ``v``."""
    node = access(leaf)
    up = node.parent
    if up is None or up.type != "field_expression" or up.child_by_field_name("argument") != node:
        return None
    call = up.parent
    return call if call is not None and call.type == "call_expression" else None


def subscript(leaf: Node) -> Node | None:
    """The ``subscript_expression`` of ``v[i]`` for its ``v``."""
    node = access(leaf)
    up = node.parent
    if up is not None and up.type == "subscript_expression" and up.child_by_field_name("argument") == node:
        return up
    return None


def ranged(leaf: Node) -> Node | None:
    """The loop of ``for (auto x : v)`` for its ``v``."""
    node = access(leaf)
    up = node.parent
    if up is not None and up.type == "for_range_loop" and up.child_by_field_name("right") == node:
        return up
    return None


def methods(unit: Unit, variable: Variable) -> set[str] | None:
    """Every member used, with ``[]`` for subscripts and ``for`` for range loops; None if it is used in any
    other way (passed on, assigned, bound to a reference), so that not everything done with it is known.
    """
    found: set[str] = set()
    for leaf in variable.uses:
        name = member(unit, leaf)
        if name is not None:
            found.add(name)
        elif subscript(leaf) is not None:
            found.add("[]")
        elif ranged(leaf) is not None:
            found.add("for")
        else:
            return None
    return found


def is_written(unit: Unit, leaf: Node) -> bool:
    """Whether this place may change the variable itself: assigned, ``++``, address taken, read into, or
    passed where a reference could be taken.
    """
    node = access(leaf)
    up = node.parent
    while up is not None and up.type in ("parenthesized_expression", "subscript_expression", "field_expression"):
        if up.type == "subscript_expression" and up.child_by_field_name("argument") != node:
            return False
        node, up = up, up.parent
    if up is None:
        return False
    if up.type == "assignment_expression":
        return up.child_by_field_name("left") == node
    if up.type == "update_expression":
        return True
    if up.type == "pointer_expression":
        return unit.text(up).startswith("&")
    if up.type == "binary_expression" and unit.text_of(up, "operator") == ">>":
        return up.child_by_field_name("right") == node
    if up.type == "argument_list":
        return _may_write(unit, up, node)
    if up.type in ("init_declarator", "for_range_loop"):
        declarator = up.child_by_field_name("declarator")
        return declarator is not None and declarator.type == "reference_declarator"
    return False


def _may_write(unit: Unit, given: Node, argument: Node) -> bool:
    """Whether a call may change an argument of it, as far as the text shows."""
    call = given.parent
    if call is None or call.type != "call_expression":
        return True
    name, target = called(unit, call)
    definitions = unit.functions.get(name, [])
    if definitions:
        place = given.named_children.index(argument)
        return any(_takes_for_writing(unit, definition, place) for definition in definitions)
    if target is not None:
        return name in ("swap", "merge", "splice")
    return name in ("begin", "end", "get") or not (name in PURE_CALLS or is_conversion(unit, call))


def _takes_for_writing(unit: Unit, definition: Node, place: int) -> bool:
    taken = parameters(definition)
    if place >= len(taken):
        return True
    declarator = taken[place].child_by_field_name("declarator")
    by_value = declarator is None or declarator.type == "identifier"
    return not by_value and "const" not in unit.text(taken[place])


def loop_around(node: Node) -> Node | None:
    """The innermost loop whose body or condition runs the node again and again."""
    child, up = node, node.parent
    while up is not None and up.type not in ("function_definition", "lambda_expression"):
        if up.type in LOOPS and child not in (up.child_by_field_name("initializer"), up.child_by_field_name("right")):
            return up
        child, up = up, up.parent
    return None


def passed_to(unit: Unit, leaf: Node) -> str:
    """Name of the function (without ``std::``) of which the node is an argument; empty without one."""
    up = leaf.parent
    if up is None or up.type != "argument_list" or up.parent is None:
        return ""
    return unit.text_of(up.parent, "function").removeprefix("std::")


def lines_of(unit: Unit, variable: Variable) -> tuple[int, ...]:
    """Lines of the declaration and of all uses."""
    return tuple(sorted({unit.line(variable.name_node), *map(unit.line, variable.uses)}))
