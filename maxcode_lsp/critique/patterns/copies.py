"""Objects that are copied where a reference would do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.patterns.sight import Sight
from maxcode_lsp.critique.source import Source, first_line, last_line

_CONTAINER = re.compile(
    r"^(?:const\s+)?(?:std::)?(string|vector|map|set|multimap|multiset|unordered_\w+|deque|list|queue|stack|priority_queue|function)\b"
)
_ELEMENT = re.compile(r"<\s*(.*)>\s*$", re.DOTALL)


def is_heavy(source: Source, kind: str, depth: int = 0) -> bool:
    """Whether copying a type as written costs more than a few words."""
    kind = kind.strip()
    if _CONTAINER.match(kind):
        return True
    bare = kind.removeprefix("const ").removeprefix("struct ").strip()
    members = source.structs.get(bare)
    if members is None or depth > 3:
        return False
    return len(members) > 4 or any(is_heavy(source, member, depth + 1) for member in members)


def copied_parameters(source: Source) -> Iterator[Sight]:
    """Parameters of a heavy type, taken by value."""
    for function, node in source.functions:
        copied = [(kind, name) for kind, name in _by_value(source, node) if is_heavy(source, kind)]
        if not copied or function.name == "operator":
            continue
        said = ", ".join(f"{kind} {name}" for kind, name in copied[:3])
        message = f"“{function.name}” copies {_count(len(copied))} at each call ({said})"
        lines = (*range(function.first, function.last + 1), *source.call_lines.get(function.name, ()))
        where = "in it and on the lines that call it"
        yield Sight(Kind.COPY_BY_VALUE, function.first, function.first, message, lines, where=where)


def _count(number: int) -> str:
    return "an argument" if number == 1 else f"{number} arguments"


def _by_value(source: Source, definition: Node) -> Iterator[tuple[str, str]]:
    declarator = next(source.walk("function_declarator", under=definition), None)
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    for parameter in parameters.named_children if parameters is not None else ():
        name = parameter.child_by_field_name("declarator")
        if parameter.type == "parameter_declaration" and name is not None and name.type == "identifier":
            yield source.text(parameter.child_by_field_name("type")), source.text(name)


def copied_elements(source: Source) -> Iterator[Sight]:
    """``for (auto x : words)`` over a container whose elements are heavy."""
    for loop in source.walk("for_range_loop"):
        declarator = loop.child_by_field_name("declarator")
        if declarator is None or declarator.type not in {"identifier", "structured_binding_declarator"}:
            continue
        kind = source.text(loop.child_by_field_name("type"))
        over = loop.child_by_field_name("right")
        container = source.types.get(source.text(over), "") if over is not None else ""
        element = kind if kind not in {"auto", "const auto"} else element_type(container)
        if not is_heavy(source, element):
            continue
        message = f"The loop copies every element ({element}) of {source.text(over)}"
        lines = tuple(range(first_line(loop), last_line(loop) + 1))
        advice = "A const reference would do."
        yield Sight(
            Kind.COPY_BY_VALUE, first_line(loop), first_line(loop), message, lines, advice, where="in this loop"
        )


def element_type(container: str) -> str:
    """Type of the elements of a container as written: a pair's heavier half for maps."""
    match = _ELEMENT.search(container)
    if match is None:
        return ""
    parts = split_arguments(match[1])
    if re.search(r"map\s*<", container.partition(match[1])[0]):
        return next((part for part in parts[:2] if _CONTAINER.match(part)), "")
    return parts[0] if parts else ""


def split_arguments(text: str) -> list[str]:
    """Template arguments, split at the commas of the first level."""
    parts, depth, start = list[str](), 0, 0
    for at, char in enumerate(text):
        depth += (char in "<(") - (char in ">)")
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]
