"""Values that are computed again and again, and costly ways to compute them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.patterns.sight import Sight
from maxcode_lsp.critique.source import Source, enclosing_loop, first_line, last_line

_PURE = {"pow", "sqrt", "sin", "cos", "tan", "exp", "log", "log2", "log10", "strlen", "atan2", "hypot", "cbrt"}
_WORD = re.compile(
    r"^(?:const\s+|unsigned\s+|signed\s+|std::)*(?:int|long|short|char|bool|size_t|u?int\d+_t|long long|ll|i64|u64)\b"
)
_KEEPS = {"emplace", "insert", "count", "find", "contains", "try_emplace", "push_back", "erase"}


def repeated_recursion(source: Source) -> Iterator[Sight]:
    """A function of a few numbers that calls itself more than once and writes no table."""
    for function, node in source.functions:
        kinds = _parameter_kinds(source, node)
        result = source.text(node.child_by_field_name("type"))
        if not kinds or len(kinds) > 3 or result == "void" or not all(_WORD.match(kind) for kind in kinds):
            continue
        calls = [call for call in source.walk("call_expression", under=node) if source.called(call) == function.name]
        if len(calls) < 2 or _keeps_results(source, node):
            continue
        times = "twice" if len(calls) == 2 else f"{len(calls)} times"
        message = f"“{function.name}” calls itself {times} and keeps no results, so it solves the same case again"
        lines = tuple(range(function.first, function.last + 1))
        yield Sight(
            Kind.REPEATED_RECURSION, function.first, function.last, message, lines, "A table of results would end that."
        )


def _parameter_kinds(source: Source, definition: Node) -> list[str]:
    """Types of the parameters; one that is a reference or pointer counts as not a number."""
    declarator = next(source.walk("function_declarator", under=definition), None)
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    kinds: list[str] = []
    for parameter in parameters.named_children if parameters is not None else ():
        name = parameter.child_by_field_name("declarator")
        plain = name is None or name.type == "identifier"
        kinds.append(source.text(parameter.child_by_field_name("type")) if plain else "&")
    return kinds


def _keeps_results(source: Source, definition: Node) -> bool:
    for node in source.walk("assignment_expression", under=definition):
        left = node.child_by_field_name("left")
        if left is not None and left.type == "subscript_expression":
            return True
    if any(source.called(call) in _KEEPS for call in source.walk("call_expression", under=definition)):
        return True
    # A reference into a table: int& known = memo[n];
    return next(source.walk("reference_declarator", under=definition.child_by_field_name("body")), None) is not None


def invariant_in_loop(source: Source) -> Iterator[Sight]:
    """A costly pure call whose arguments no round changes."""
    changed: dict[int, frozenset[str]] = {}
    for call in source.walk("call_expression"):
        loop = enclosing_loop(call)
        if loop is None or source.called(call) not in _PURE or _in_initializer(loop, call):
            continue
        arguments = call.child_by_field_name("arguments")
        names = source.names(arguments)
        if arguments is None or not names or next(source.walk("call_expression", under=arguments), None) is not None:
            continue
        if loop.id not in changed:
            changed[loop.id] = changed_in(source, loop)
        if names & changed[loop.id]:
            continue
        line = first_line(call)
        yield Sight(
            Kind.INVARIANT_IN_LOOP,
            line,
            line,
            f"{source.text(call)} is computed again in each round and is always the same",
            (line,),
        )


def _in_initializer(loop: Node, call: Node) -> bool:
    initializer = loop.child_by_field_name("initializer")
    return initializer is not None and initializer.start_byte <= call.start_byte < initializer.end_byte


def changed_in(source: Source, loop: Node) -> frozenset[str]:
    """Variables that a loop may change: assigned, stepped, declared, read into or handed to a call."""
    changed: set[str] = set()
    for node in source.walk("assignment_expression", "update_expression", under=loop):
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        changed |= source.names(target)
    for node in source.walk("init_declarator", "declaration", "for_range_loop", under=loop):
        changed |= source.names(node.child_by_field_name("declarator"))
    for node in source.walk("binary_expression", under=loop):
        if source.text(node.child_by_field_name("operator")) == ">>":
            changed |= source.names(node.child_by_field_name("right"))
    for node in source.walk("call_expression", under=loop):
        if source.called(node) not in _PURE:
            changed |= source.names(node)
    return frozenset(changed)


def slow_arithmetic(source: Source) -> Iterator[Sight]:
    """``pow`` with a small whole power, and division by a value that the compiler does not know."""
    for call in source.walk("call_expression"):
        arguments = call.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        if source.called(call) == "pow" and len(given) == 2 and re.fullmatch(r"[2-4](\.0*)?f?", source.text(given[1])):
            line = first_line(call)
            message = f"{source.text(call)} asks for a general power where a product would do"
            yield Sight(Kind.SLOW_ARITHMETIC, line, last_line(call), message, (line,))
    for node in source.walk("binary_expression"):
        right = node.child_by_field_name("right")
        modulus = source.text(node.child_by_field_name("operator")) == "%"
        if not modulus or right is None or right.type != "identifier" or enclosing_loop(node) is None:
            continue
        if source.text(right) not in source.constants:
            line = first_line(node)
            message = f"{source.text(node)} divides by a value that is only known at run time"
            yield Sight(Kind.SLOW_ARITHMETIC, line, line, message, (line,))
