"""The functions of a document, from a syntax tree that is kept up with its edits.

tree-sitter is imported when functions are first asked for. Parsing is bounded: what cannot be parsed in its time has
no functions, a reason, and is left alone for a while.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from maxcode_lsp.messages import refusals
from maxcode_lsp.text.edits import difference

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

FIRST_LIMIT_S = 1.0
"""CPU time for a whole text. The largest that is served takes about half of it."""
AGAIN_LIMIT_S = 0.25
"""CPU time after an edit, where most of the tree is kept."""
REST_S = 5.0
"""After a parse that took too long, the next is not tried for so long."""
LONGEST_NAME = 200
MOST_MAINS = 100
"""Places where the word ``main`` stands that are looked at one by one."""
MOST_DECLARATORS = 50
"""A pointer to a function that returns a pointer …: nobody writes more."""

_AROUND = frozenset(
    {
        "translation_unit",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
        "linkage_specification",
        "declaration_list",
        "namespace_definition",
        "template_declaration",
        "friend_declaration",
        "struct_specifier",
        "class_specifier",
        "union_specifier",
        "field_declaration_list",
        "field_declaration",
        "declaration",
        "type_definition",
        "ERROR",
    }
)
"""Nodes in which functions stand."""
_SCOPES = frozenset({"namespace_definition", "struct_specifier", "class_specifier", "union_specifier"})


class Function(Struct, frozen=True):
    """A function with a body. Offsets are normalised."""

    name: str
    """After the namespaces and classes around it: ``Matrix::row``, ``operator+``, ``main``."""
    name_start: int
    name_end: int
    start: int
    """With its ``template <…>``."""
    end: int


class Syntax:
    """The functions of one text as it changes."""

    def __init__(self) -> None:
        self.trouble = ""
        """Why the last text that was asked about is not understood, one sentence; empty: it is."""
        self._tree: Tree | None = None
        self._data = b""
        """The text of the tree."""
        self._asked: bytes | None = None
        """The last text that was looked at."""
        self._rest_until_s = 0.0

    def functions(self, data: bytes, name: str, first: int = 0, last: int | None = None) -> tuple[Function, ...]:
        """The functions of a normalised text in document order; ``name`` is the file's, for people.

        Only those that something of ``[first, last]`` belongs to, or ends next to; a short stretch costs little.
        Functions inside functions are not told. In a text with syntax errors, what was found before an edit may be
        found still.
        """
        around = (first, len(data) if last is None else last)
        if time.monotonic() < self._rest_until_s:
            return ()
        limit_s = FIRST_LIMIT_S if self._tree is None else AGAIN_LIMIT_S
        end_s = time.thread_time() + limit_s
        try:
            if data is not self._asked:
                self.trouble, self._asked = self._parse(data, name, end_s), data
            return tuple(_functions(self._tree.root_node, data, around, end_s)) if self._tree is not None else ()
        except _TooLongError:
            self._tree, self._asked, self._rest_until_s = None, None, time.monotonic() + REST_S
            self.trouble = refusals.not_parsed_in_time(name, limit_s)
            return ()

    def main(self, data: bytes, name: str) -> Function | None:
        """The first function called ``main`` and nothing before it."""
        at, found = data.find(b"main"), tuple[Function, ...]()
        for _ in range(MOST_MAINS):
            if at < 0 or any(function.name == "main" for function in found):
                break
            found = self.functions(data, name, at, at + 4)
            at = data.find(b"main", max(at + 4, *(function.end for function in found), 0))
        else:
            found = self.functions(data, name)
        return next((function for function in found if function.name == "main"), None)

    def _parse(self, data: bytes, name: str, end_s: float) -> str:
        """Make the tree that of ``data``. Returns why there is none."""
        from maxcode_lsp.target import program

        if self._tree is None and program.depth(program.mask(data)) > program.DEEPEST:
            return refusals.nested_too_deeply(name, program.DEEPEST)
        old = _edited(self._tree, self._data, data) if self._tree is not None else None
        self._tree, self._data = _parsed(data, old, end_s), data
        return ""


class _TooLongError(Exception):
    """The time for a text is over."""


def _edited(tree: Tree, old: bytes, new: bytes) -> Tree:
    """The tree, told what differs."""
    hunk = difference(old, new)
    end = hunk.start + len(hunk.replacement)
    places = (_point(old, hunk.start), _point(old, hunk.end), _point(new, end))
    tree.edit(hunk.start, hunk.end, end, *places)
    return tree


def _point(data: bytes, offset: int) -> tuple[int, int]:
    """Row and byte in it."""
    return data.count(b"\n", 0, offset), offset - data.rfind(b"\n", 0, offset) - 1


def _parsed(data: bytes, old: Tree | None, end_s: float) -> Tree:
    from tree_sitter import Parser

    from maxcode_lsp.target.program import CPP

    def read(offset: int, _: object) -> bytes:
        return data[offset : offset + 65536]

    def late(*_: object) -> bool:
        return time.thread_time() > end_s

    parser = Parser(CPP)
    try:
        # Only a parse through a callback can be stopped. "No old tree" has no value of its own.
        if old is None:
            return parser.parse(read, progress_callback=late)
        return parser.parse(read, old, progress_callback=late)
    except ValueError:
        raise _TooLongError from None


def _functions(root: Node, data: bytes, around: tuple[int, int], end_s: float) -> Iterator[Function]:
    """Functions under a node that reach into a stretch or end at it, with the names around them."""
    first, last = around
    waiting = [(root, "", root.start_byte)]
    while waiting:
        node, scope, start = waiting.pop()
        if time.thread_time() > end_s:
            raise _TooLongError
        if node.type == "function_definition":
            name = _name(node) if node.child_by_field_name("body") is not None else None
            if name is not None and name[0] < name[1] and start <= last and first <= node.end_byte:
                said = _text(data, *name)
                yield Function((scope + said)[-LONGEST_NAME:], *name, start, node.end_byte)
            continue
        if node.type in _SCOPES and (named := node.child_by_field_name("name")) is not None:
            scope += _text(data, named.start_byte, named.end_byte) + "::"
        templated = node.type == "template_declaration"
        waiting += [
            (child, scope, start if templated else child.start_byte)
            for child in reversed(_inside(node, data, None if templated else around))
            if child.type == "function_definition" or child.type in _AROUND
        ]


def _inside(node: Node, data: bytes, around: tuple[int, int] | None) -> list[Node]:
    """The children (at least those that reach into a stretch or end at it), without what ``#if 0`` leaves out."""
    condition = node.child_by_field_name("condition") if node.type == "preproc_if" else None
    if condition is not None and data[condition.start_byte : condition.end_byte] == b"0":
        other = node.child_by_field_name("alternative")
        return [other] if other is not None else []
    if around is None or (around[0] <= node.start_byte and node.end_byte <= around[1]):
        return node.named_children
    first, last = around
    cursor = node.walk()
    found: list[Node] = []
    at_child = cursor.goto_first_child() if first == 0 else cursor.goto_first_child_for_byte(first - 1) is not None
    while at_child and (child := cursor.node) is not None and child.start_byte <= last:
        found.append(child)
        at_child = cursor.goto_next_sibling()
    return found


def _name(definition: Node) -> tuple[int, int] | None:
    """Where a function's name stands; None where what looks like a function has no parameters."""
    node, has_parameters = definition.child_by_field_name("declarator"), False
    for _ in range(MOST_DECLARATORS):
        if node is None or not node.type.endswith("declarator"):
            break
        has_parameters = has_parameters or node.type == "function_declarator"
        inner = node.child_by_field_name("declarator")
        node = inner or next((c for c in node.named_children if c.type.endswith(("declarator", "identifier"))), None)
    if node is None:
        return None
    if node.type in {"operator_cast", "qualified_identifier"} and (end := _cast(node)) is not None:
        return node.start_byte, end
    return (node.start_byte, node.end_byte) if has_parameters else None


def _cast(node: Node | None) -> int | None:
    """Where the name of a conversion (``operator bool``) ends; None for other names."""
    for _ in range(MOST_DECLARATORS):
        if node is None or node.type == "abstract_function_declarator":
            return node.start_byte if node is not None else None
        node = node.child_by_field_name("declarator" if node.type != "qualified_identifier" else "name")
    return None


def _text(data: bytes, start: int, end: int) -> str:
    """A name, on one line."""
    return " ".join(data[start:end].decode(errors="replace").split())
