"""Strings that are built through temporaries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.patterns.sight import Sight
from maxcode_lsp.critique.source import Source, enclosing_loop, first_line, last_line

_STRING = re.compile(r"^(?:const\s+)?(?:std::)?string$")
_STREAM = re.compile(r"^(?:std::)?[io]?stringstream$")


def string_building(source: Source) -> Iterator[Sight]:
    """``s = s + x``, chains of ``+`` and string streams, in loops."""
    for node in source.walk("assignment_expression", "declaration"):
        if enclosing_loop(node) is None:
            continue
        said = _grown(source, node) if node.type == "assignment_expression" else _stream(source, node)
        if said is not None:
            first, last = first_line(node), last_line(node)
            yield Sight(Kind.STRING_BUILDING, first, last, said[0], tuple(range(first, last + 1)), said[1])


def _grown(source: Source, node: Node) -> tuple[str, str] | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    name = source.text(left)
    if operator is None or right is None or not _STRING.match(source.types.get(name, "")):
        return None
    parts = _summands(right)
    if operator.type == "=" and len(parts) > 1 and source.text(parts[0]) == name:
        return (
            f"“{name}” is copied whole to add to it ({source.text(node)})",
            "Appending with += copies only what is new.",
        )
    if operator.type == "=" and len(parts) > 1 and source.text(parts[-1]) == name:
        return f"“{name}” is copied whole to put something before it ({source.text(node)})", ""
    if operator.type == "+=" and len(parts) > 1:
        return (
            f"Temporary strings are made to append to “{name}” ({source.text(node)})",
            "Appending the parts one by one makes none.",
        )
    return None


def _summands(node: Node) -> list[Node]:
    if node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is not None and operator.type == "+" and left is not None and right is not None:
            return [*_summands(left), *_summands(right)]
    return [node]


def _stream(source: Source, node: Node) -> tuple[str, str] | None:
    kind = source.text(node.child_by_field_name("type"))
    if not _STREAM.match(kind):
        return None
    return (
        f"A {kind.removeprefix('std::')} is made in each round",
        "Making one costs more than most of what is done with it.",
    )
