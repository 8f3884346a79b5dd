"""Hints: what the author knows and the compiler cannot see, told in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import called, parameters
from maxcode_lsp.policy.rewrites.edits import in_block, insert, replace
from maxcode_lsp.policy.rewrites.effects import effects
from maxcode_lsp.policy.rewrites.loop_shape import LOOPS, counted, enclosing_loops, is_innermost, statements
from maxcode_lsp.policy.rewrites.placement import lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.types import is_float, is_integer, resolve, words
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk


def pragma_before(unit: Unit, loop: Node, text: str) -> tuple[Hunk, ...]:
    """A pragma on a line of its own before a loop; the two in braces where the loop stands without any."""
    before = unit.data[: loop.start_byte].rpartition(b"\n")[2]
    indent = unit.indent(loop)
    lead = "" if before.strip() == b"" else "\n"
    told = f"{lead}#pragma {text}\n{indent}"
    if in_block(loop):
        return (insert(loop.start_byte, told),)
    return (insert(loop.start_byte, "{\n" + told.lstrip("\n")), insert(loop.end_byte, f"\n{indent}}}"))


def has_pragma(unit: Unit, loop: Node) -> bool:
    """Something is said to the compiler about the loop already, in the line above it."""
    above = unit.data[: loop.start_byte].rstrip().rpartition(b"\n")[2]
    return above.lstrip().startswith(b"#pragma")


def _calculating_loops(unit: Unit) -> Iterator[Node]:
    """Innermost counted loops without input or output."""
    for node in unit.walk("for_statement"):
        loop = counted(unit, node)
        if loop is None or not is_innermost(unit, node) or has_pragma(unit, node):
            continue
        if not effects(unit, node).outside:
            yield node


@register
class IgnoreDependences:
    """Inner loops that write arrays."""

    id = "loop-ivdep"
    family = "hints"
    rationale = "Says that the iterations do not depend on each other, so that the loop can use vector instructions."
    gain = 1.3
    finding_kinds = ("not-vectorised", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in _calculating_loops(unit):
            if effects(unit, node).elements:
                yield Rewrite(pragma_before(unit, node, "GCC ivdep"), lines(unit, node))


@register
class Unroll:
    """Short inner loops."""

    id = "loop-unroll"
    family = "hints"
    rationale = "Unrolls the loop: fewer jumps, and more independent work at a time."
    gain = 1.12
    finding_kinds = ("hot-lines",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in _calculating_loops(unit):
            body = node.child_by_field_name("body")
            if body is not None and len(statements(body)) <= 4:
                factor = 8 if len(statements(body)) == 1 else 4
                yield Rewrite(pragma_before(unit, node, f"GCC unroll {factor}"), lines(unit, node))


@register
class Restrict:
    """Pointer parameters of functions that loop over them."""

    id = "restrict-parameters"
    family = "hints"
    rationale = (
        "Says that the arrays do not overlap, so that values can stay in registers and loops use vector instructions."
    )
    gain = 1.3
    finding_kinds = ("not-vectorised", "hot-function", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("function_definition"):
            body = node.child_by_field_name("body")
            if body is None or next(unit.walk(*LOOPS, under=body), None) is None or unit.function_name(node) == "main":
                continue
            hunks = [hunk for parameter in parameters(node) if (hunk := self._restricted(unit, parameter)) is not None]
            if len(hunks) >= 2:
                yield Rewrite(merge(hunks), lines(unit, node))

    @staticmethod
    def _restricted(unit: Unit, parameter: Node) -> Hunk | None:
        declarator = parameter.child_by_field_name("declarator")
        if declarator is None or "restrict" in unit.text(parameter):
            return None
        name = declarator.child_by_field_name("declarator")
        if name is None or name.type != "identifier":
            return None
        if declarator.type == "pointer_declarator":
            return insert(name.start_byte, "__restrict ")
        return replace(declarator, f"* __restrict {unit.text(name)}") if declarator.type == "array_declarator" else None


@register
class AlwaysInline:
    """Small functions called in loops."""

    id = "always-inline"
    family = "hints"
    rationale = "Builds the small function into its callers: no call in each iteration."
    gain = 1.15
    finding_kinds = ("not-inlined", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        in_loops = {
            called(unit, call)[0]
            for call in unit.walk("call_expression")
            if next(enclosing_loops(call), None) is not None
        }
        for name, definitions in unit.functions.items():
            if name not in in_loops or len(definitions) != 1 or name == "main":
                continue
            node = definitions[0]
            body = node.child_by_field_name("body")
            if body is None or node.end_point[0] - node.start_point[0] > 20:
                continue
            head = unit.data[node.start_byte : body.start_byte].decode(errors="replace")
            recursive = any(called(unit, call)[0] == name for call in unit.walk("call_expression", under=body))
            if recursive or re.search(r"\b(virtual|override|always_inline|noinline|target_clones|extern)\b", head):
                continue
            member = node.parent is not None and node.parent.type == "field_declaration_list"
            told = "" if member or re.search(r"\b(inline|constexpr)\b", head) else "inline "
            yield Rewrite((insert(node.start_byte, f"[[gnu::always_inline]] {told}"),), lines(unit, node))


@trusted
@register
class ConstantGlobal:
    """Global numbers that nothing writes."""

    id = "constant-global"
    family = "hints"
    rationale = (
        "Makes the number a constant: dividing by it becomes a multiplication, comparing with it needs no memory."
    )
    gain = 1.4
    finding_kinds = ("slow-arithmetic", "hot-lines", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        written = effects(unit, unit.root).written
        for variable in unit.variables:
            if variable.kind != "global" or not variable.alone or variable.form != "value" or variable.initial is None:
                continue
            kind = resolve(unit, unit.text(variable.type))
            if not (is_integer(kind) or is_float(kind)) or variable.name in written:
                continue
            if words(unit, variable) & {"const", "constexpr", "extern", "volatile", "thread_local"}:
                continue
            if unit.enclosing(variable.declaration, "template_declaration") is None:
                touched = tuple(sorted({unit.line(variable.name_node), *(unit.line(use) for use in variable.uses)}))
                yield Rewrite((insert(variable.declaration.start_byte, "const "),), touched)


@register
class InternalLinkage:
    """Functions and globals of a program of one file."""

    id = "internal-linkage"
    family = "hints"
    rationale = (
        "Says that no other file uses the functions and globals, so that they can be specialised and kept in registers."
    )
    gain = 1.05
    finding_kinds = ("not-inlined", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if b"friend" in unit.data or b'extern "C"' in unit.data:
            return
        hunks: list[Hunk] = []
        for node in unit.root.named_children:
            if node.type not in ("function_definition", "declaration") or not self._visible_outside(unit, node):
                continue
            hunks.append(insert(node.start_byte, "static "))
        if hunks:
            touched = tuple(line for node in unit.walk("function_definition") for line in lines(unit, node))
            yield Rewrite(merge(hunks), touched or (1,))

    @staticmethod
    def _visible_outside(unit: Unit, node: Node) -> bool:
        kind = node.child_by_field_name("type")
        if kind is None or (kind.type.endswith("_specifier") and kind.child_by_field_name("body") is not None):
            return False
        start = unit.data[node.start_byte : node.end_byte].split(b"{", 1)[0].split(b"=", 1)[0]
        told = rb"\b(static|extern|inline|const|constexpr|main|operator|thread_local|template)\b|::\s*~?\w+\s*\("
        return re.search(told, start) is None and b"(*" not in start
