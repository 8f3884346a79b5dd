"""A parsed translation unit, and the questions that rules ask of it."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from functools import cached_property

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from maxcode_lsp.policy.rewrites.scopes import Variable, find_variables
from maxcode_lsp.policy.rewrites.typenames import TypeName, read_type
from maxcode_lsp.records import Hunk

CPP = Language(tree_sitter_cpp.language())


class Unit:
    """Normalised text (UTF-8 bytes, LF) with its syntax tree and the build's flags."""

    def __init__(self, data: bytes, flags: tuple[str, ...] = ()) -> None:
        self.data = data
        self.flags = flags
        self.tree = Parser(CPP).parse(data)

    @property
    def root(self) -> Node:
        return self.tree.root_node

    def text(self, node: Node) -> str:
        """The source text of a node (odd bytes replaced)."""
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def text_of(self, node: Node, field: str) -> str:
        """The source text of a node's field; empty where it has none."""
        child = node.child_by_field_name(field)
        return self.text(child) if child is not None else ""

    def walk(self, *types: str, under: Node | None = None) -> Iterator[Node]:
        """All named nodes of the given types (all, if none given) in document order."""
        if under is None:
            found = (
                self._nodes
                if not types
                else heapq.merge(
                    *(self._by_type.get(kind, ()) for kind in dict.fromkeys(types)), key=lambda entry: entry[0]
                )
            )
            yield from (node for _, node in found)
            return
        stack = [under]
        while stack:
            node = stack.pop()
            if not types or node.type in types:
                yield node
            stack.extend(reversed(node.named_children))

    @cached_property
    def _nodes(self) -> list[tuple[int, Node]]:
        """Every named node with its place in document order: each rule asks for some, so walk only once."""
        stack, found = [self.root], list[tuple[int, Node]]()
        while stack:
            node = stack.pop()
            found.append((len(found), node))
            stack.extend(reversed(node.named_children))
        return found

    @cached_property
    def _by_type(self) -> dict[str, list[tuple[int, Node]]]:
        kinds: dict[str, list[tuple[int, Node]]] = {}
        for entry in self._nodes:
            kinds.setdefault(entry[1].type, []).append(entry)
        return kinds

    @cached_property
    def faults(self) -> int:
        """Number of places that do not parse."""
        if not self.root.has_error:
            return 0
        stack, count = [self.root], 0
        while stack:
            node = stack.pop()
            count += node.is_error or node.is_missing
            stack.extend(child for child in node.children if child.has_error)
        return count

    @staticmethod
    def line(node: Node) -> int:
        """Line of the node's start, from 1."""
        return node.start_point[0] + 1

    @staticmethod
    def enclosing(node: Node, *types: str) -> Node | None:
        """The nearest ancestor of one of the types."""
        up = node.parent
        while up is not None and up.type not in types:
            up = up.parent
        return up

    @cached_property
    def includes(self) -> tuple[str, ...]:
        """Names of the included headers, as written between the brackets or quotes."""
        paths = (n.child_by_field_name("path") for n in self.walk("preproc_include"))
        return tuple(self.text(p).strip('<>"') for p in paths if p is not None)

    @cached_property
    def identifiers(self) -> dict[str, list[Node]]:
        """Every identifier-like leaf by its text, in document order."""
        found: dict[str, list[Node]] = {}
        kinds = ("identifier", "field_identifier", "type_identifier", "namespace_identifier")
        for node in self.walk(*kinds):
            found.setdefault(self.text(node), []).append(node)
        return found

    def uses(self, *names: str) -> bool:
        """Whether any of the names appears as an identifier."""
        return any(name in self.identifiers for name in names)

    @cached_property
    def variables(self) -> list[Variable]:
        """All variables, parameters and fields with their uses, in document order."""
        return find_variables(self)

    @cached_property
    def declared_together(self) -> dict[int, list[Variable]]:
        """The variables of each declaration, by the offset at which it starts."""
        groups: dict[int, list[Variable]] = {}
        for variable in self.variables:
            groups.setdefault(variable.declaration.start_byte, []).append(variable)
        return groups

    @cached_property
    def _variable_at(self) -> dict[int, Variable]:
        return {leaf.start_byte: variable for variable in self.variables for leaf in variable.uses}

    def variable_of(self, leaf: Node | None) -> Variable | None:
        """What a name, or a member taken by name (``this->seen``), refers to, as far as the text shows."""
        if leaf is not None and leaf.type == "field_expression":
            leaf = leaf.child_by_field_name("field")
        return self._variable_at.get(leaf.start_byte) if leaf is not None and not leaf.named_children else None

    def type_of(self, variable: Variable) -> TypeName:
        """The written type of a variable, aliases followed."""
        return read_type(self.text(variable.type), self.aliases)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Written types by the name that a ``typedef``, ``using`` or simple ``#define`` gives them."""
        found: dict[str, str] = {}
        for node in self.walk("alias_declaration", "type_definition", "preproc_def"):
            name = self.text_of(node, "name") or self.text_of(node, "declarator")
            written = self.text_of(node, "type") or self.text_of(node, "value").strip()
            if name and re.fullmatch(r"[\w:<>, ]+", written) and not written[0].isdigit():
                found.setdefault(name, written)
        return found

    def fresh(self, name: str, taken: set[str]) -> str:
        """A name that the unit does not use, nor ``taken``; it is added there."""
        number, base = 1, name
        while name in taken or name in self.identifiers or name in self._macro_words:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        return name

    def in_macro(self, name: str) -> bool:
        """Whether a macro's text names it, so that not all its uses can be seen."""
        return name in self._macro_words

    @cached_property
    def _macro_words(self) -> frozenset[str]:
        texts = (self.text_of(node, "value") for node in self.walk("preproc_def", "preproc_function_def"))
        return frozenset(word for text in texts for word in re.findall(r"\w+", text))

    @cached_property
    def functions(self) -> dict[str, list[Node]]:
        """``function_definition`` nodes by their unqualified name."""
        found: dict[str, list[Node]] = {}
        for node in self.walk("function_definition"):
            name = self.function_name(node)
            if name:
                found.setdefault(name, []).append(node)
        return found

    def function_name(self, definition: Node) -> str | None:
        """Unqualified name of a ``function_definition``; None for operators and the like."""
        declarator = definition.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.child_by_field_name("declarator") or next(
                (c for c in declarator.named_children if c.type.endswith("declarator")), None
            )
        if declarator is None:
            return None
        name = declarator.child_by_field_name("declarator")
        return self.text(name).rsplit("::", 1)[-1] if name is not None else None

    @cached_property
    def standard(self) -> int:
        """Two-digit year of the C++ standard that the flags ask for; 17 where they do not say."""
        names = {"0x": 11, "1y": 14, "1z": 17, "2a": 20, "2b": 23, "2c": 26, "98": 3, "03": 3}
        for flag in reversed(self.flags):
            if match := re.fullmatch(r"-std=(?:c|gnu)\+\+(\w\w)", flag):
                year = match.group(1)
                return names.get(year) or (int(year) if year.isdigit() else 17)
        return 17

    @cached_property
    def after_includes(self) -> int:
        """Offset at which own declarations can stand: after the last include of the head of the file."""
        at = 0
        for node in self.root.named_children:
            if node.type == "preproc_include":
                at = node.end_byte
            elif not node.type.startswith(("preproc_", "comment", "using_", "alias_", "type_definition")):
                break
        return at

    def include_hunk(self, header: str) -> tuple[Hunk, ...]:
        """Hunks (none or one) that make ``<header>`` included, after the last include of the top."""
        if header in self.includes or "bits/stdc++.h" in self.includes:
            return ()
        at = self.after_includes
        # tree-sitter ends an include after its newline.
        line = f"#include <{header}>\n".encode()
        if at and self.data[at - 1 : at] != b"\n":
            line = b"\n" + line.rstrip(b"\n")
        return (Hunk(at, at, line),)

    def indent(self, node: Node) -> str:
        """White space before the first token of the node's line."""
        start = self.data.rfind(b"\n", 0, node.start_byte) + 1
        match = re.match(rb"[ \t]*", self.data[start : node.end_byte])
        return match.group().decode() if match else ""
