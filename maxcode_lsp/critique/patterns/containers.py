"""Look-ups that search or walk where they could jump."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.patterns.sight import Sight
from maxcode_lsp.critique.source import LOOPS, Source, enclosing_loop, first_line, last_line
from maxcode_lsp.executor.profile.profile import Work

_SEARCHES = {"find", "find_if", "count", "count_if", "any_of", "none_of"}
_ORDER = {"begin", "rbegin", "cbegin", "lower_bound", "upper_bound", "equal_range"}
_TREE = re.compile(r"^(?:const\s+)?(?:std::)?(multi)?(map|set)\s*<")


def linear_search(source: Source) -> Iterator[Sight]:
    """``find(v.begin(), v.end(), x)`` in a loop, or a loop in a loop that stops at the first equal element."""
    for call in source.walk("call_expression"):
        if source.called(call) not in _SEARCHES or enclosing_loop(call) is None:
            continue
        searched = _range(source, call)
        if searched is not None:
            line = first_line(call)
            message = f"{source.called(call)} goes through {searched} from the start in each round"
            yield Sight(Kind.LINEAR_SEARCH, line, line, message, tuple(range(line, last_line(call) + 1)))
    for loop in source.loops:
        if enclosing_loop(loop) is not None and (array := _searched(source, loop)) is not None:
            first, last = first_line(loop), last_line(loop)
            message = (
                f"A loop goes through {array} until it finds an equal element, in each round of the loop around it"
            )
            yield Sight(Kind.LINEAR_SEARCH, first, last, message, tuple(range(first, last + 1)))


def _range(source: Source, call: Node) -> str | None:
    """What ``f(x.begin(), x.end(), …)`` goes through, where all of it is gone through."""
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    if len(given) < 3:
        return None
    match = re.match(r"^(.*)(?:\.|->)c?begin\(\)$", source.text(given[0]))
    match = match or re.match(r"^(?:std::)?c?begin\((.*)\)$", source.text(given[0]))
    return match[1] if match else None


def _searched(source: Source, loop: Node) -> str | None:
    """The array of a loop whose body is only: if an element equals something, stop."""
    body = loop.child_by_field_name("body")
    statements = body.named_children if body is not None and body.type == "compound_statement" else [body]
    conditions = [s for s in statements if s is not None and s.type == "if_statement"]
    if len(statements) != 1 or len(conditions) != 1 or next(source.walk(*LOOPS, under=conditions[0]), None):
        return None
    condition = conditions[0].child_by_field_name("condition")
    if condition is None or "==" not in source.text(condition):
        return None
    if next(source.walk("break_statement", "return_statement", under=conditions[0]), None) is None:
        return None
    access = next(source.walk("subscript_expression", under=condition), None)
    if access is not None:
        return source.text(access.child_by_field_name("argument"))
    return source.text(loop.child_by_field_name("right")) if loop.type == "for_range_loop" else None


def ordered_container(source: Source) -> Iterator[Sight]:
    """A ``map`` or ``set`` in use; whether its order is read is said with it."""
    for name, kind in source.types.items():
        if _TREE.match(kind) is None:
            continue
        uses = source.uses.get(name, ())
        looped = [node for node in uses if enclosing_loop(node) is not None]
        if not looped:
            continue
        read = any(_reads_order(source, node) for node in uses)
        order = "its order is read too" if read else "its order is never read"
        line = first_line(uses[0])
        what = kind if len(kind) <= 40 else kind.partition("<")[0].strip()
        message = f"Each look-up in “{name}” ({what}) walks a tree, and {order}"
        lines = tuple(first_line(node) for node in looped)
        advice = "" if read else "A hash table would find the same."
        yield Sight(Kind.ORDERED_CONTAINER, line, line, message, lines, advice, work=Work.TREE)


def _reads_order(source: Source, use: Node) -> bool:
    parent = use.parent
    if parent is None:
        return False
    if parent.type == "for_range_loop" and parent.child_by_field_name("right") == use:
        return True
    return parent.type == "field_expression" and source.text(parent.child_by_field_name("field")) in _ORDER
