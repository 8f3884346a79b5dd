"""Sequences: elements next to each other, room made once, ends that cost nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.containers import template_name, together
from maxcode_lsp.policy.rewrites.edits import before_statement, in_block, remove, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import read_type
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import lines_of, loop_around, member, method_call, methods, subscript
from maxcode_lsp.records import Hunk

_SEQUENCE_METHODS = frozenset(
    (
        *("push_back", "emplace_back", "pop_back", "size", "empty", "back", "front", "begin", "end"),
        *("cbegin", "cend", "rbegin", "rend", "clear", "for", "resize"),
    )
)


@trusted
@register
class ContiguousSequence:
    id = "contiguous-sequence"
    family = "sequences"
    rationale = "Elements lie next to each other in memory: only the end grows and shrinks."
    gain = 1.8
    finding_kinds = ("allocation", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            name = template_name(unit, variable.type)
            group = together(unit, variable)
            kind = unit.type_of(variable)
            if name is None or not group or kind.head not in ("list", "deque") or len(kind.arguments) != 1:
                continue
            allowed = _SEQUENCE_METHODS | ({"[]", "at"} if kind.head == "deque" else set[str]())
            if kind.arguments[0] == "bool" or any(one.form != "value" for one in group):
                continue
            if all((used := methods(unit, one)) is not None and used <= allowed for one in group):
                lines = tuple(line for one in group for line in lines_of(unit, one))
                yield Rewrite((*unit.include_hunk("vector"), replace(name, "vector")), lines)


@trusted
@register
class StackVector:
    id = "stack-vector"
    family = "sequences"
    rationale = "The stack lies in one vector instead of a deque's blocks."
    gain = 1.15
    finding_kinds = ("allocation",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("template_type"):
            kind = read_type(unit.text(node), unit.aliases)
            given = node.child_by_field_name("arguments")
            if unit.text_of(node, "name") != "stack" or len(kind.arguments) != 1 or kind.arguments[0] == "bool":
                continue
            if given is None or node.parent is None:
                continue
            element = unit.text(given)[1:-1].strip()
            prefix = "std::" if node.parent.type == "qualified_identifier" else ""
            text = f"<{element}, {prefix}vector<{element}>>"
            yield Rewrite((*unit.include_hunk("vector"), replace(given, text)), (unit.line(node),))


@register
class VectorOfBool:
    id = "vector-bool"
    family = "sequences"
    rationale = "One byte a flag: reading and writing it needs no masks and shifts."
    gain = 1.3
    finding_kinds = ("hot-lines", "slow-arithmetic")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        hunks: list[Hunk] = []
        for given in unit.walk("template_argument_list"):
            named = unit.text_of(given.parent, "name") if given.parent is not None else ""
            if named == "vector" and unit.text(given).replace(" ", "") == "<bool>":
                hunks.append(replace(given, "<char>"))
        flags = [one for one in unit.variables if "vector<bool>" in str(unit.type_of(one))]
        if (
            not hunks
            or not flags
            or any("flip" in (methods(unit, one) or ()) or self._printed(unit, one) for one in flags)
        ):
            return
        yield Rewrite(tuple(hunks), tuple(line for one in flags for line in lines_of(unit, one)))

    @staticmethod
    def _printed(unit: Unit, variable: Variable) -> bool:
        for leaf in variable.uses:
            node = subscript(leaf) or leaf
            while node.parent is not None and node.parent.type == "subscript_expression":
                node = node.parent
            up = node.parent
            if up is not None and up.type == "binary_expression" and unit.text_of(up, "operator") == "<<":
                return True
        return False


@trusted
@register
class ReserveBeforeLoop:
    id = "reserve-before-loop"
    family = "sequences"
    rationale = "Room for all elements is made once, before the loop that adds them."
    gain = 1.2
    finding_kinds = ("allocation", "clang-tidy")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for loop in unit.walk("for_statement", "for_range_loop"):
            count = self._rounds(unit, loop)
            if count is None or not in_block(loop):
                continue
            for leaf in self._filled(unit, loop):
                variable = unit.variable_of(leaf)
                if variable is None or variable.kind != "local" or variable.form != "value":
                    continue
                if variable.name_node.start_byte > loop.start_byte or unit.type_of(variable).head not in (
                    "vector",
                    "string",
                ):
                    continue
                outer = loop_around(loop)
                if outer is not None and variable.declaration.start_byte < outer.start_byte:
                    continue
                if "reserve" not in {member(unit, use) for use in variable.uses} and self._empty(variable, loop):
                    text = f"{variable.name}.reserve({count});"
                    yield Rewrite((before_statement(unit, loop, text),), (unit.line(leaf), unit.line(loop)))

    @staticmethod
    def _rounds(unit: Unit, loop: Node) -> str | None:
        """How often a loop runs at most, where that stands there simply."""
        if loop.type == "for_range_loop":
            over = loop.child_by_field_name("right")
            return f"{unit.text(over)}.size()" if over is not None and over.type == "identifier" else None
        condition = loop.child_by_field_name("condition")
        if (
            condition is None
            or condition.type != "binary_expression"
            or unit.text_of(condition, "operator") not in ("<", "<=")
        ):
            return None
        bound = condition.child_by_field_name("right")
        simple = bound is not None and bound.type in (
            "identifier",
            "number_literal",
            "call_expression",
            "cast_expression",
        )
        update = unit.text_of(loop, "update")
        if bound is None or not simple or "++" not in update:
            return None
        if bound.type == "call_expression" and not unit.text(bound).endswith(".size()"):
            return None
        return unit.text(bound)

    @staticmethod
    def _filled(unit: Unit, loop: Node) -> Iterator[Node]:
        """Names of vectors that the loop's own body adds to, each once."""
        seen = set[str]()
        body = loop.child_by_field_name("body")
        for call in unit.walk("call_expression", under=body) if body is not None else ():
            function = call.child_by_field_name("function")
            if function is None or unit.text_of(function, "field") not in ("push_back", "emplace_back"):
                continue
            leaf = function.child_by_field_name("argument")
            if leaf is None or leaf.type != "identifier" or loop_around(call) != loop or unit.text(leaf) in seen:
                continue
            seen.add(unit.text(leaf))
            yield leaf

    @staticmethod
    def _empty(variable: Variable, loop: Node) -> bool:
        """Whether nothing was added before the loop."""
        return variable.initial is None and not any(use.start_byte < loop.start_byte for use in variable.uses)


@register
class FrontErase:
    id = "deque-for-front"
    family = "sequences"
    rationale = "Taking or adding at the front moves no other element."
    gain = 6.0
    finding_kinds = ("empirical-complexity", "hot-lines", "allocation")

    _DEQUE = _SEQUENCE_METHODS | {"[]", "at", "erase", "insert", "assign", "reserve", "shrink_to_fit"}

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            name, kind = template_name(unit, variable.type), unit.type_of(variable)
            used = methods(unit, variable)
            if name is None or unit.text(name) != "vector" or variable.form != "value" or not variable.alone:
                continue
            if used is None or not used <= self._DEQUE or not kind.arguments or not self._at_front(unit, variable):
                continue
            dropped: list[Hunk] = []
            for leaf in variable.uses:
                call = method_call(leaf)
                if call is not None and member(unit, leaf) == "reserve" and call.parent is not None:
                    dropped.append(remove(unit, call.parent))
            lines = lines_of(unit, variable)
            hunks = sorted([replace(name, "deque"), *dropped], key=lambda hunk: hunk.start)
            yield Rewrite((*unit.include_hunk("deque"), *hunks), lines)

    @staticmethod
    def _at_front(unit: Unit, variable: Variable) -> bool:
        for leaf in variable.uses:
            call = method_call(leaf)
            given = call.child_by_field_name("arguments") if call is not None else None
            if given is None or not given.named_children or member(unit, leaf) not in ("erase", "insert"):
                continue
            if unit.text(given.named_children[0]).replace(" ", "") == f"{variable.name}.begin()":
                return True
        return False
