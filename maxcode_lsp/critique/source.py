"""The text under critique, parsed, and the questions that critics ask of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import tree_sitter_cpp
from msgspec import Struct
from tree_sitter import Language, Node, Parser

_CPP = Language(tree_sitter_cpp.language())

LOOPS = ("for_statement", "for_range_loop", "while_statement", "do_statement")
BODIES = ("function_definition", "lambda_expression")


class Function(Struct, frozen=True):
    """A function as written: its name and its lines (from 1)."""

    name: str
    first: int
    last: int


class Source:
    """Normalised text (UTF-8, LF) with its syntax tree. Lines count from 1."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.root = Parser(_CPP).parse(data).root_node

    def text(self, node: Node | None) -> str:
        """The text of a node, white space as written; empty for None."""
        return "" if node is None else self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def line_text(self, line: int) -> str:
        """A line without its indentation."""
        lines = self._lines
        return lines[line - 1].decode(errors="replace").strip() if 0 < line <= len(lines) else ""

    @cached_property
    def _lines(self) -> list[bytes]:
        return self.data.split(b"\n")

    def walk(self, *types: str, under: Node | None = None) -> Iterator[Node]:
        """All named nodes of the given types (all, if none given) in document order, ``under`` included."""
        stack = [under or self.root]
        while stack:
            node = stack.pop()
            if not types or node.type in types:
                yield node
            stack.extend(reversed(node.named_children))

    @cached_property
    def functions(self) -> tuple[tuple[Function, Node], ...]:
        """Every function with a body, in document order."""
        return tuple(
            (Function(self._function_name(node), first_line(node), last_line(node)), node)
            for node in self.walk("function_definition")
            if node.child_by_field_name("body") is not None
        )

    def function_at(self, line: int) -> Function | None:
        """The innermost function that holds the line."""
        holding = [function for function, _ in self.functions if function.first <= line <= function.last]
        return min(holding, key=lambda function: function.last - function.first, default=None)

    @cached_property
    def code_lines(self) -> frozenset[int]:
        """Lines that lie in a function or lambda."""
        return frozenset(line for node in self.walk(*BODIES) for line in range(first_line(node), last_line(node) + 1))

    @cached_property
    def loops(self) -> tuple[Node, ...]:
        """Every loop, in document order."""
        return tuple(self.walk(*LOOPS))

    @cached_property
    def uses(self) -> dict[str, tuple[Node, ...]]:
        """Every use of a name as variable, member or function, in document order."""
        found: dict[str, list[Node]] = {}
        for node in self.walk("identifier", "field_identifier"):
            found.setdefault(self.text(node), []).append(node)
        return {name: tuple(nodes) for name, nodes in found.items()}

    @cached_property
    def call_lines(self) -> dict[str, tuple[int, ...]]:
        """Unqualified name of a function to the lines that call it or hand it to a call (``sort(a, b, less)``)."""
        found: dict[str, list[int]] = {}
        for call in self.walk("call_expression"):
            arguments = call.child_by_field_name("arguments")
            handed = arguments.named_children if arguments is not None else ()
            names = [self.called(call), *(self.text(node) for node in handed if node.type == "identifier")]
            for name in names:
                found.setdefault(name, []).append(first_line(call))
        return {name: tuple(lines) for name, lines in found.items()}

    @cached_property
    def constants(self) -> frozenset[str]:
        """Names on the lines of constants and macros."""
        constant = re.compile(rb"^.*\b(?:const|constexpr|define|enum)\b.*$", re.MULTILINE)
        words = re.compile(rb"[A-Za-z_]\w*")
        return frozenset(word.decode() for line in constant.findall(self.data) for word in words.findall(line))

    @cached_property
    def types(self) -> dict[str, str]:
        """Name of a variable, member or parameter to its type as written. Scopes are not told apart."""
        found: dict[str, str] = {}
        for node in self.walk("declaration", "field_declaration", "parameter_declaration"):
            kind = self.text(node.child_by_field_name("type"))
            for declarator in node.children_by_field_name("declarator"):
                if (name := _declared(declarator)) is not None:
                    found.setdefault(self.text(name), kind)
        return found

    @cached_property
    def structs(self) -> dict[str, tuple[str, ...]]:
        """Name of a class with a body to the types of its members as written."""
        found: dict[str, tuple[str, ...]] = {}
        for node in self.walk("struct_specifier", "class_specifier"):
            body = node.child_by_field_name("body")
            if body is not None:
                members = (n for n in body.named_children if n.type == "field_declaration")
                kinds = tuple(self.text(member.child_by_field_name("type")) for member in members)
                found[self.text(node.child_by_field_name("name"))] = kinds
        return found

    def names(self, node: Node | None) -> frozenset[str]:
        """All identifiers in a node."""
        if node is None:
            return frozenset()
        return frozenset(self.text(n) for n in self.walk("identifier", under=node))

    def called(self, call: Node) -> str:
        """Unqualified name of what a ``call_expression`` calls: ``find`` for ``std::find`` and ``v.find``."""
        function = call.child_by_field_name("function")
        if function is not None and function.type == "field_expression":
            function = function.child_by_field_name("field")
        name = self.text(function).partition("<")[0]
        return name.rpartition("::")[2].strip()

    def _function_name(self, definition: Node) -> str:
        declarator = definition.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            inner = declarator.child_by_field_name("declarator")
            declarator = inner or next((c for c in declarator.named_children if c.type.endswith("declarator")), None)
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        return self.text(name).rpartition("::")[2] or "operator"


def first_line(node: Node) -> int:
    """Line (from 1) on which the node starts."""
    return node.start_point[0] + 1


def last_line(node: Node) -> int:
    """Line (from 1) on which the node ends."""
    return node.end_point[0] + 1


def enclosing(node: Node, *types: str) -> Node | None:
    """The nearest ancestor of one of the types."""
    up = node.parent
    while up is not None and up.type not in types:
        up = up.parent
    return up


def enclosing_loop(node: Node) -> Node | None:
    """The nearest loop around the node in the same function."""
    up = enclosing(node, *LOOPS, *BODIES)
    return up if up is not None and up.type in LOOPS else None


def _declared(declarator: Node) -> Node | None:
    """The name in a declarator; None for functions and the like."""
    node: Node | None = declarator
    while node is not None and node.type not in {"identifier", "field_identifier"}:
        if node.type == "function_declarator":
            return None
        inner = node.child_by_field_name("declarator")
        node = inner or next((c for c in node.named_children if c.type.endswith(("declarator", "identifier"))), None)
    return node
