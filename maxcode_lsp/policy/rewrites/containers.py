"""Containers: another one that does the same here and costs less."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import before_statement, in_block, insert, remove, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import read_type
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import (
    lines_of,
    loop_around,
    member,
    method_call,
    methods,
    ranged,
    subscript,
)
from maxcode_lsp.records import Hunk

_UNORDERED = {"map": "unordered_map", "set": "unordered_set"}
_UNORDERED_METHODS = frozenset(
    "count find [] insert emplace at size empty clear erase contains end cend try_emplace insert_or_assign".split()
)
_SEQUENCE_METHODS = frozenset(
    "push_back emplace_back pop_back size empty back front begin end cbegin cend rbegin rend clear for resize".split()
)

_ORDER_FREE = frozenset(
    "max min abs llabs gcd lcm pow sqrt log exp size length count find end at empty to_string stoi insert".split()
)
"""Functions whose calls may be reordered between rounds."""


def template_name(unit: Unit, written: Node) -> Node | None:
    """The leaf ``map`` of the written type ``std::map<int, int>``."""
    if written.type == "qualified_identifier":
        if unit.text_of(written, "scope") not in ("std", ""):
            return None
        inner = written.child_by_field_name("name")
        return template_name(unit, inner) if inner is not None else None
    return written.child_by_field_name("name") if written.type == "template_type" else None


def hashable(written: str) -> bool:
    """Whether the standard library hashes the type."""
    kind = read_type(written)
    return kind.is_integer or str(kind) in ("string", "double", "float", "string_view") or written.endswith("*")


def together(unit: Unit, variable: Variable) -> list[Variable]:
    """All variables of one declaration, the first of them first; empty for the others."""
    group = [other for other in unit.variables if other.declaration == variable.declaration]
    return group if group and group[0] is variable else []


def _order_matters(unit: Unit, loop: Node) -> bool:
    """Whether the rounds of a loop may not be taken in another order, as far as one can see."""
    body = loop.child_by_field_name("body")
    if body is None or any(True for _ in unit.walk("break_statement", "return_statement", "goto_statement", under=body)):
        return True
    if any(unit.text_of(node, "operator") in ("<<", ">>") for node in unit.walk("binary_expression", under=body)):
        return True
    for call in unit.walk("call_expression", under=body):
        function = call.child_by_field_name("function")
        name = unit.text_of(function, "field") if function is not None and function.type == "field_expression" else ""
        if (name or unit.text_of(call, "function").removeprefix("std::")) not in _ORDER_FREE:
            return True
    return False


def _iterators_move(unit: Unit, variable: Variable) -> bool:
    """Whether an iterator that ``find`` gave is moved on, so that the order of elements is seen."""
    for leaf in variable.uses:
        call = method_call(leaf)
        if call is None or member(unit, leaf) not in ("find", "insert", "emplace"):
            continue
        holder = unit.enclosing(call, "init_declarator", "assignment_expression")
        name = holder.child_by_field_name("declarator") or holder.child_by_field_name("left") if holder else None
        if name is None:
            continue
        for use in unit.identifiers.get(unit.text(name).lstrip("&* "), ()):
            up = use.parent
            if up is not None and up.type == "update_expression":
                return True
            if up is not None and up.type == "argument_list" and up.parent is not None:
                if unit.text_of(up.parent, "function").removeprefix("std::") in ("next", "prev", "advance", "distance"):
                    return True
    return False


def order_unseen(unit: Unit, variable: Variable) -> bool:
    """Whether nothing that is done with a map or set shows the order of its keys."""
    used = methods(unit, variable)
    if used is None or not used <= _UNORDERED_METHODS | {"for"} or unit.in_macro(variable.name):
        return False
    if variable.form not in ("value", "array") or variable.kind == "parameter":
        return False
    loops = [loop for leaf in variable.uses if (loop := ranged(leaf)) is not None]
    return not any(_order_matters(unit, loop) for loop in loops) and not _iterators_move(unit, variable)


@trusted
@register
class UnorderedContainer:
    id = "unordered-container"
    family = "containers"
    rationale = "A hash table instead of a sorted tree: the order of the keys is never looked at."
    gain = 2.2
    finding_kinds = ("ordered-container", "allocation", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            name = template_name(unit, variable.type)
            group = together(unit, variable)
            kind = unit.type_of(variable)
            if name is None or not group or kind.head not in _UNORDERED or unit.text(name) != kind.head:
                continue
            # A third (for sets a second) argument is a comparison of their own.
            if len(kind.arguments) != (2 if kind.head == "map" else 1) or not hashable(kind.arguments[0]):
                continue
            if not all(order_unseen(unit, one) for one in group):
                continue
            new = _UNORDERED[kind.head]
            hunks = (*unit.include_hunk(new), replace(name, new))
            lines = tuple(line for one in group for line in lines_of(unit, one))
            names = ", ".join(f"“{one.name}”" for one in group)
            said = f"{names} as a hash table instead of a sorted tree: the order of the keys is never looked at."
            yield Rewrite(hunks, lines, said)


@register
class UnorderedEverywhere:
    id = "unordered-everywhere"
    family = "containers"
    rationale = "Hash tables instead of sorted trees in all declarations, parameters and results."
    gain = 2.2
    finding_kinds = ("ordered-container", "allocation", "empirical-complexity")

    _ORDERED = ("lower_bound", "upper_bound", "equal_range", "rbegin", "crbegin", "prev", "next", "advance", "extract")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if not unit.uses("map", "set") or unit.uses(*self._ORDERED, "unordered_map", "unordered_set"):
            return
        hunks: list[Hunk] = []
        lines: list[int] = []
        for node in unit.walk("template_type"):
            name = node.child_by_field_name("name")
            kind = read_type(unit.text(node), unit.aliases)
            if name is None or unit.text(name) not in _UNORDERED:
                continue
            if len(kind.arguments) != (2 if kind.head == "map" else 1) or not hashable(kind.arguments[0]):
                return
            hunks.append(replace(name, _UNORDERED[unit.text(name)]))
            lines.append(unit.line(node))
        for variable in unit.variables:
            if unit.type_of(variable).head in _UNORDERED:
                if not all(self._calm(unit, leaf) for leaf in variable.uses) or _iterators_move(unit, variable):
                    return
                lines += lines_of(unit, variable)
        if len(hunks) > 1:
            needed = sorted({hunk.replacement.decode() for hunk in hunks})
            yield Rewrite((*(h for header in needed for h in unit.include_hunk(header)), *hunks), tuple(lines))

    @staticmethod
    def _calm(unit: Unit, leaf: Node) -> bool:
        name, loop = member(unit, leaf), ranged(leaf)
        if loop is not None:
            return not _order_matters(unit, loop)
        return name is None or name in _UNORDERED_METHODS


@register
class HashReserve:
    id = "hash-reserve"
    family = "containers"
    rationale = "The hash table starts large, so that it is not rebuilt each time it doubles."
    gain = 1.2
    finding_kinds = ("allocation", "ordered-container")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            if unit.type_of(variable).head not in ("unordered_map", "unordered_set") or variable.form != "value":
                continue
            declaration = variable.declaration
            if variable.kind != "local" or not in_block(declaration) or loop_around(unit, declaration) is not None:
                continue
            used = methods(unit, variable) or set()
            if used and "reserve" not in used and "rehash" not in used and order_unseen(unit, variable):
                text = f"\n{unit.indent(declaration)}{variable.name}.reserve(1 << 16);"
                yield Rewrite((insert(declaration.end_byte, text),), lines_of(unit, variable))


@trusted
@register
class ContiguousSequence:
    id = "contiguous-sequence"
    family = "containers"
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
            allowed = _SEQUENCE_METHODS | ({"[]", "at"} if kind.head == "deque" else set())
            if kind.arguments[0] == "bool" or any(one.form != "value" for one in group):
                continue
            if all((used := methods(unit, one)) is not None and used <= allowed for one in group):
                lines = tuple(line for one in group for line in lines_of(unit, one))
                yield Rewrite((*unit.include_hunk("vector"), replace(name, "vector")), lines)


@trusted
@register
class StackVector:
    id = "stack-vector"
    family = "containers"
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
    family = "containers"
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
        if not hunks or not flags or any("flip" in (methods(unit, one) or ()) or self._printed(unit, one) for one in flags):
            return
        yield Rewrite(tuple(hunks), tuple(line for one in flags for line in lines_of(unit, one)))

    @staticmethod
    def _printed(unit: Unit, variable: Variable) -> bool:
        for leaf in variable.uses:
            node = subscript(leaf) or leaf
            while node.parent is not None and node.parent.type == "subscript_expression":
                node = node.parent
            if node.parent is not None and node.parent.type == "binary_expression":
                if unit.text_of(node.parent, "operator") == "<<":
                    return True
        return False


@trusted
@register
class ReserveBeforeLoop:
    id = "reserve-before-loop"
    family = "containers"
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
                if variable.name_node.start_byte > loop.start_byte or unit.type_of(variable).head not in ("vector", "string"):
                    continue
                outer = loop_around(unit, loop)
                if outer is not None and variable.declaration.start_byte < outer.start_byte:
                    continue
                if "reserve" not in {member(unit, use) for use in variable.uses} and self._empty(unit, variable, loop):
                    text = f"{variable.name}.reserve({count});"
                    yield Rewrite((before_statement(unit, loop, text),), (unit.line(leaf), unit.line(loop)))

    @staticmethod
    def _rounds(unit: Unit, loop: Node) -> str | None:
        """How often a loop runs at most, where that stands there simply."""
        if loop.type == "for_range_loop":
            over = loop.child_by_field_name("right")
            return f"{unit.text(over)}.size()" if over is not None and over.type == "identifier" else None
        condition = loop.child_by_field_name("condition")
        if condition is None or condition.type != "binary_expression" or unit.text_of(condition, "operator") not in ("<", "<="):
            return None
        bound = condition.child_by_field_name("right")
        simple = bound is not None and bound.type in ("identifier", "number_literal", "call_expression", "cast_expression")
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
            if leaf is not None and leaf.type == "identifier" and loop_around(unit, call) == loop:
                if unit.text(leaf) not in seen:
                    seen.add(unit.text(leaf))
                    yield leaf

    @staticmethod
    def _empty(unit: Unit, variable: Variable, loop: Node) -> bool:
        """Whether nothing was added before the loop."""
        return variable.initial is None and not any(use.start_byte < loop.start_byte for use in variable.uses)


@register
class FrontErase:
    id = "deque-for-front"
    family = "containers"
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


@register
class CharacterTable:
    id = "character-table"
    family = "containers"
    rationale = "A table with one place a character instead of a search for it."
    gain = 3.0
    finding_kinds = ("ordered-container", "allocation")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            kind = unit.type_of(variable)
            if kind.head not in ("map", "unordered_map") or len(kind.arguments) != 2 or variable.initial is not None:
                continue
            value = read_type(kind.arguments[1], unit.aliases)
            if kind.arguments[0] != "char" or not (value.is_integer or str(value) in ("double", "float", "string")):
                continue
            places = [subscript(leaf) for leaf in variable.uses]
            if variable.form != "value" or not variable.alone or variable.kind == "parameter" or not all(places):
                continue
            hunks = [*unit.include_hunk("array"), replace(variable.type, f"std::array<{kind.arguments[1]}, 256>")]
            hunks.append(insert(variable.name_node.end_byte, "{}"))
            for place in places:
                index = place.child_by_field_name("indices") if place is not None else None
                if index is not None:
                    hunks.append(replace(index, f"[static_cast<unsigned char>({unit.text(index)[1:-1]})]"))
            yield Rewrite(tuple(hunks), lines_of(unit, variable))
