"""Sorting: only as much, as often and with as few copies as is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import before_statement, in_block, remove, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import read_type
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import is_written, lines_of, loop_around, member, passed_to, ranged, subscript
from maxcode_lsp.records import Hunk


class _Sort(Struct, frozen=True):
    """One ``sort(v.begin(), v.end(), less);`` that is a statement of its own."""

    statement: Node
    call: Node
    variable: Variable
    compare: Node | None


def _sorts(unit: Unit, *names: str) -> Iterator[_Sort]:
    for call in unit.walk("call_expression"):
        given, statement = call.child_by_field_name("arguments"), call.parent
        if given is None or statement is None or statement.type != "expression_statement":
            continue
        if unit.text_of(call, "function").removeprefix("std::") not in names or len(given.named_children) not in (2, 3):
            continue
        first, last, *compare = given.named_children
        match = re.fullmatch(r"(\w+)\.begin\(\)", unit.text(first))
        if match is None or unit.text(last) != f"{match.group(1)}.end()":
            continue
        function = first.child_by_field_name("function")
        variable = unit.variable_of(function.child_by_field_name("argument")) if function is not None else None
        if variable is not None and unit.type_of(variable).head in ("vector", "deque", "array", "string"):
            yield _Sort(statement, call, variable, compare[0] if compare else None)


def _within(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


@trusted
@register
class ComparatorReferences:
    id = "comparator-references"
    family = "sorting"
    rationale = "Elements are compared by reference, not copied for each comparison."
    gain = 2.5
    finding_kinds = ("copy-by-value", "allocation")

    _ALGORITHMS = frozenset(
        (
            *("sort", "stable_sort", "partial_sort", "nth_element", "max_element", "min_element"),
            *("lower_bound", "upper_bound", "find_if", "count_if", "any_of", "all_of", "none_of"),
            *("for_each", "accumulate", "transform", "unique", "remove_if", "binary_search"),
            *("equal_range",),
        )
    )

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for function in unit.walk("lambda_expression"):
            call = function.parent.parent if function.parent is not None else None
            if call is None or call.type != "call_expression":
                continue
            if unit.text_of(call, "function").removeprefix("std::") in self._ALGORITHMS:
                yield from self._rewrites(unit, function)
        for calls in unit.functions.values():
            for definition in calls:
                name = unit.function_name(definition)
                if name and self._is_passed(unit, name):
                    yield from self._rewrites(unit, definition)

    def _is_passed(self, unit: Unit, name: str) -> bool:
        return any(passed_to(unit, leaf) in self._ALGORITHMS for leaf in unit.identifiers.get(name, ()))

    @staticmethod
    def _rewrites(unit: Unit, function: Node) -> Iterator[Rewrite]:
        hunks: list[Hunk] = []
        for variable in unit.variables:
            if variable.kind != "parameter" or variable.scope != function or variable.form != "value":
                continue
            kind = unit.type_of(variable)
            cheap = kind.is_integer or str(kind) in ("double", "float")
            if cheap or any(is_written(unit, use) for use in variable.uses):
                continue
            written = unit.text(variable.declaration)
            const = "" if re.match(r"const\b", written) else "const "
            hunks.append(Hunk(variable.declaration.start_byte, variable.declaration.start_byte, const.encode()))
            hunks.append(Hunk(variable.type.end_byte, variable.type.end_byte, b"&"))
        if hunks:
            yield Rewrite(tuple(h for h in hunks if h.replacement), (unit.line(function),))


@register
class StableSort:
    id = "stable-to-plain-sort"
    family = "sorting"
    rationale = "Sorted in place, without the memory and moves that keeping the order of ties needs."
    gain = 1.3
    finding_kinds = ("hot-lines", "allocation")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for leaf in unit.identifiers.get("stable_sort", ()):
            call = unit.enclosing(leaf, "call_expression")
            if call is not None:
                yield Rewrite((replace(leaf, "sort"),), (unit.line(leaf),))


@register
class TopElements:
    id = "partial-sort"
    family = "sorting"
    rationale = "Only the elements that are looked at are put in order."
    gain = 3.0
    finding_kinds = ("hot-lines", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for sort in _sorts(unit, "sort", "std::sort"):
            scope = sort.statement.parent
            if scope is None or sort.variable.kind not in ("local", "parameter") or sort.variable.form == "array":
                continue
            if sort.variable.form == "reference" or loop_around(sort.statement) is not None:
                continue
            later = [use for use in sort.variable.uses if use.start_byte > sort.statement.end_byte]
            name, compare = sort.variable.name, f", {unit.text(sort.compare)}" if sort.compare is not None else ""
            # After a cut to the first k elements only those are left.
            looked_at = later[:1] if later and member(unit, later[0]) == "resize" else later
            bounds = [self._bound(unit, use) for use in looked_at]
            known = [bound for bound in bounds if bound is not None]
            if not later or len(known) < len(bounds):
                continue
            single = {bound for bound in known if bound}
            if not single:
                continue
            std = "std::" if unit.text_of(sort.call, "function").startswith("std::") else ""
            if len(single) == 1 and all(self._is_place(use) for use in looked_at if member(unit, use) is None):
                place = next(iter(single))
                if not place.isdigit() and not place.endswith("/*end*/"):
                    text = f"{std}nth_element({name}.begin(), {name}.begin() + ({place}), {name}.end(){compare})"
                    yield Rewrite((replace(sort.call, text),), lines_of(unit, sort.variable))
                    continue
            ends = [
                bound.removesuffix("/*end*/") if bound.endswith("/*end*/") else f"{bound} + 1"
                for bound in sorted(single)
            ]
            if len(ends) == 1:
                count = f"std::min<std::size_t>({ends[0]}, {name}.size())"
                text = f"{std}partial_sort({name}.begin(), {name}.begin() + {count}, {name}.end(){compare})"
                yield Rewrite((replace(sort.call, text),), lines_of(unit, sort.variable))

    @staticmethod
    def _is_place(use: Node) -> bool:
        return subscript(use) is not None

    @staticmethod
    def _bound(unit: Unit, use: Node) -> str | None:
        """Up to where a use looks at the sorted elements: an index, an end (marked), empty for none of them."""
        taken = member(unit, use)
        if taken in ("size", "empty"):
            return ""
        if taken == "front":
            return "0"
        if taken == "resize":
            call = unit.enclosing(use, "call_expression")
            given = call.child_by_field_name("arguments") if call is not None else None
            return f"{unit.text(given)[1:-1]}/*end*/" if given is not None and len(given.named_children) == 1 else None
        place = subscript(use)
        if place is None or is_written(unit, place):
            return None
        index = unit.text_of(place, "indices")[1:-1].strip()
        loop = unit.enclosing(use, "for_statement")
        if loop is not None and re.fullmatch(r"[a-z]\w*", index):
            condition = loop.child_by_field_name("condition")
            match = re.fullmatch(rf"{index} ?< ?([\w.]+)", unit.text(condition)) if condition is not None else None
            return f"{match.group(1)}/*end*/" if match is not None else None
        return index if not re.search(r"\b(end|back)\b", index) and loop is None else None


@register
class SortBeforeLoop:
    id = "sort-before-loop"
    family = "sorting"
    rationale = "What does not change in the loop is sorted once, before it."
    gain = 8.0
    finding_kinds = ("invariant-in-loop", "empirical-complexity", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for sort in _sorts(unit, "sort", "stable_sort"):
            loop = loop_around(sort.statement)
            if loop is None or not in_block(loop) or sort.statement.parent != loop.child_by_field_name("body"):
                continue
            if _within(sort.variable.name_node, loop):
                continue
            inside = [use for use in sort.variable.uses if _within(use, loop) and not _within(use, sort.statement)]
            if any(use.start_byte < sort.statement.start_byte or self._changes(unit, use) for use in inside):
                continue
            moved = before_statement(unit, loop, unit.text(sort.statement))
            yield Rewrite((moved, remove(unit, sort.statement)), (unit.line(sort.statement), unit.line(loop)))

    @staticmethod
    def _changes(unit: Unit, use: Node) -> bool:
        taken = member(unit, use)
        if taken is not None:
            return taken not in ("size", "empty", "front", "back", "at", "begin", "end", "cbegin", "cend")
        loop = ranged(use)
        if loop is not None:
            return "&" in unit.text_of(loop, "declarator") and "const" not in unit.text(loop).split(":")[0]
        return subscript(use) is None or is_written(unit, use)


@register
class InsertInOrder:
    id = "insert-in-order"
    family = "sorting"
    rationale = "The new element goes to its place in the sorted sequence, which is not sorted again."
    gain = 8.0
    finding_kinds = ("empirical-complexity", "hot-lines", "invariant-in-loop")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for sort in _sorts(unit, "sort", "stable_sort"):
            before = sort.statement.prev_named_sibling
            if before is None or before.type != "expression_statement" or not in_block(sort.statement):
                continue
            name = sort.variable.name
            match = re.fullmatch(rf"{name}\.(?:push_back|emplace_back)\((.*)\);", unit.text(before), re.DOTALL)
            kind = unit.type_of(sort.variable)
            if match is None or not kind.arguments:
                continue
            compare = f", {unit.text(sort.compare)}" if sort.compare is not None else ""
            std = "std::" if unit.text_of(sort.call, "function").startswith("std::") else ""
            last = f"{name}.end() - 1"
            place = f"{std}upper_bound({name}.begin(), {last}, {name}.back(){compare})"
            moved = f"{std}rotate({place}, {last}, {name}.end());"
            text = f"{unit.text(before)}\n{unit.indent(before)}{moved}"
            hunk = Hunk(before.start_byte, sort.statement.end_byte, text.encode())
            yield Rewrite((hunk,), (unit.line(before), unit.line(sort.statement)))


_SWAP = r"(?:std::)?swap\((?P<a>.+?), ?(?P<b>.+?)\);"


@register
class HandSort:
    id = "hand-sort"
    family = "sorting"
    rationale = "The library's sort instead of two nested loops that swap."
    gain = 30.0
    finding_kinds = ("empirical-complexity", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for outer in unit.walk("for_statement"):
            inner = _only(outer.child_by_field_name("body"), "for_statement")
            test = _only(inner.child_by_field_name("body"), "if_statement") if inner is not None else None
            if inner is None or test is None or test.child_by_field_name("alternative") is not None:
                continue
            i, j = _counter(unit, outer), _counter(unit, inner)
            swapped = self._swapped(unit, test)
            if i is None or j is None or swapped is None or not in_block(outer):
                continue
            compared = re.sub(r"\s+", "", unit.text_of(test, "condition"))[1:-1]
            match = re.fullmatch(r"(.+?)(?<![<>-])(<|>)(?!=)(.+)", compared)
            end = self._end(i, j)
            if match is None or end is None:
                continue
            left, operator, right = match.groups()
            table = next(iter(swapped)).split("[")[0]
            adjacent = {f"{table}[{j[0]}]", f"{table}[{j[0]}+1]"}
            exchange = {f"{table}[{i[0]}]", f"{table}[{j[0]}]"}
            if swapped not in (adjacent, exchange) or {_element(left), _element(right)} != swapped:
                continue
            later = f"{table}[{j[0]}+1]" if swapped == adjacent else f"{table}[{j[0]}]"
            # The pair is swapped when the later one has to come first.
            comes_first, against = (right, left) if _element(right) == later else (left, right)
            rising = (operator == ">") == (comes_first == right)
            text = self._call(unit, outer, table, end, comes_first, against, rising, stable=swapped == adjacent)
            if text is not None:
                hunks = (*unit.include_hunk("algorithm"), replace(outer, text))
                yield Rewrite(hunks, tuple(range(unit.line(outer), outer.end_point[0] + 2)))

    @staticmethod
    def _swapped(unit: Unit, test: Node) -> set[str] | None:
        """The two elements that the body of the test swaps."""
        body = unit.text_of(test, "consequence").strip()
        body = re.sub(r"\s+", "", body[1:-1] if body.startswith("{") else body)
        match = re.fullmatch(_SWAP.replace(" ?", ""), body)
        if match is not None:
            return {match["a"], match["b"]}
        match = re.fullmatch(
            r"[\w:<>,]*?(?P<t>\w+)=(?P<a>[^;]+);(?P<b>[^;]+)=(?P<c>[^;]+);(?P<d>[^;]+)=(?P<u>\w+);", body
        )
        if match is None or not match["t"].endswith(match["u"]) or match["a"] != match["b"] or match["c"] != match["d"]:
            return None
        return {match["a"], match["c"]}

    @staticmethod
    def _end(i: tuple[str, str, str], j: tuple[str, str, str]) -> str | None:
        """How many elements the two loops sort; None if they do not cover all from the first on."""
        bound = j[2].replace(f"-{i[0]}", "").removesuffix("-1")
        start = i[1] == "0" and j[1] in ("0", f"{i[0]}+1")
        return bound if start and i[2].removesuffix("-1") == bound and re.fullmatch(r"[\w.()]+", bound) else None

    @staticmethod
    def _call(
        unit: Unit, outer: Node, table: str, end: str, first: str, second: str, rising: bool, *, stable: bool
    ) -> str | None:
        leaf = next((n for n in unit.walk("identifier", under=outer) if unit.text(n) == table), None)
        variable = unit.variable_of(leaf)
        if variable is None:
            return None
        kind = unit.type_of(variable)
        container = kind.head in ("vector", "deque", "array") and variable.form in ("value", "reference")
        if not container and variable.form not in ("array", "pointer"):
            return None
        element = read_type(kind.arguments[0], unit.aliases) if container else kind
        begin = f"{table}.begin()" if container else table
        keys = _element(first), _element(second)
        key = first[len(keys[0]) :]
        if second[len(keys[1]) :] != key:
            return None
        plain = not key and (element.is_integer or str(element) in ("double", "float", "string"))
        name = "sort" if plain or not stable else "stable_sort"
        less = (
            ""
            if plain and rising
            else f", [](const auto& a, const auto& b) {{ return a{key} {'<' if rising else '>'} b{key}; }}"
        )
        return f"std::{name}({begin}, {begin} + {end}{less});"


def _only(body: Node | None, kind: str) -> Node | None:
    """The one statement of a body, if it is of this kind."""
    if body is not None and body.type == "compound_statement":
        inner = [child for child in body.named_children if child.type != "comment"]
        body = inner[0] if len(inner) == 1 else None
    return body if body is not None and body.type == kind else None


def _counter(unit: Unit, loop: Node) -> tuple[str, str, str] | None:
    """Name, start and exclusive end of a loop that counts up by one, white space removed."""
    head = [re.sub(r"\s+", "", unit.text_of(loop, part)) for part in ("condition", "update")]
    start = re.fullmatch(r".*?(\w+) ?= ?(.+);", unit.text_of(loop, "initializer"))
    condition = re.fullmatch(r"(\w+)(\+1)?<(?:\(int\))?(.+)", head[0])
    if start is None or condition is None or condition.group(1) != start.group(1):
        return None
    if head[1] not in (f"{start.group(1)}++", f"++{start.group(1)}", f"{start.group(1)}+=1"):
        return None
    end = condition.group(3) + ("-1" if condition.group(2) else "")
    end = end.replace("-1-", "-").removesuffix("-1") + ("-1" if "-1" in end else "")
    return start.group(1), re.sub(r"\s+", "", start.group(2)), end


def _element(text: str) -> str:
    """``a[j+1]`` of ``a[j+1].key``."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "[") - (char == "]")
        if char == "]" and depth == 0:
            return text[: at + 1]
    return text
