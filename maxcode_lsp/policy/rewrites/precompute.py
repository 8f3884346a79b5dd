"""Precomputing: work that is done again for each question is done once for all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import replace
from maxcode_lsp.policy.rewrites.effects import declares, effects, is_pure
from maxcode_lsp.policy.rewrites.loop_shape import CountedLoop, counted, enclosing_loops, names, statements, subscripts
from maxcode_lsp.policy.rewrites.placement import Names, around, lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.types import bare, is_float, is_integer, is_unsigned, resolve, type_of, variable_at
from maxcode_lsp.policy.rewrites.unit import Unit


class _RangeSum(NamedTuple):
    loop: CountedLoop
    total: str
    array: Node
    kind: str
    """Type of the prefix sums."""


@register
class PrefixSums:
    """Sums over ranges of an array that does not change between them."""

    id = "range-sum-prefix"
    family = "precompute"
    rationale = "Takes range sums from prefix sums that are made once: one subtraction instead of a loop."
    gain = 20.0
    finding_kinds = ("hot-lines", "empirical-complexity", "invariant-in-loop")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for node in unit.walk("for_statement"):
            loop = counted(unit, node)
            shape = self._shape(unit, loop) if loop is not None else None
            place = self._place(unit, shape) if shape is not None else None
            if shape is None or place is None:
                continue
            array, prefix = unit.text(shape.array), fresh.fresh(f"{unit.text(shape.array)}_prefix")
            made = [
                f"std::vector<{shape.kind}> {prefix}(std::size({array}) + 1);",
                (
                    f"for (std::size_t at = 0; at < std::size({array}); ++at) "
                    f"{prefix}[at + 1] = {prefix}[at] + {array}[at];"
                ),
            ]
            first, last = unit.text(shape.loop.start), unit.text(shape.loop.bound)
            end = f"({last}) + 1" if shape.loop.operator == "<=" else last
            asked = f"if ({first} {shape.loop.operator} {last}) {shape.total} += {prefix}[{end}] - {prefix}[{first}];"
            yield Rewrite(
                merge(unit.include_hunk("vector"), around(unit, place, made), (replace(node, asked),)),
                lines(unit, place),
                f"Makes prefix sums of {array} once and takes each range sum from them.",
            )

    @staticmethod
    def _shape(unit: Unit, loop: CountedLoop) -> _RangeSum | None:
        inside = statements(loop.body)
        if len(inside) != 1 or loop.step != "1" or loop.type is None or not inside[0].named_children:
            return None
        node = inside[0].named_children[0]
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type != "assignment_expression" or left is None or right is None or left.type != "identifier":
            return None
        operator, total = unit.text_of(node, "operator"), unit.text(left)
        if operator == "=" and right.type == "binary_expression" and unit.text_of(right, "operator") == "+":
            sides = [right.child_by_field_name("left"), right.child_by_field_name("right")]
            rest = [side for side in sides if side is not None and unit.text(side) != total]
            right = rest[0] if len(rest) == 1 else right
        elif operator != "+=":
            return None
        shape = subscripts(right)
        if shape is None or len(shape[1]) != 1 or unit.text(shape[1][0]) != loop.variable:
            return None
        array, kind = shape[0], type_of(unit, right)
        wide = "double" if is_float(kind) else "unsigned long long" if is_unsigned(kind) else "long long"
        if array.type != "identifier" or not (is_integer(kind) or kind in ("double", "float")):
            return None
        if not all(is_pure(unit, n) and total not in names(unit, n) for n in (loop.start, loop.bound)):
            return None
        return _RangeSum(loop, total, array, wide)

    @staticmethod
    def _place(unit: Unit, shape: _RangeSum) -> Node | None:
        """The outermost loop around in which the array does not change."""
        name, best = unit.text(shape.array), None
        variable = variable_at(unit, name, shape.array)
        if variable is None or variable.form == "pointer":
            return None
        if variable.form == "array" and variable.kind == "parameter":
            return None
        for loop in enclosing_loops(shape.loop.node):
            if name in effects(unit, loop).written | declares(unit, loop):
                break
            best = loop
        return best


_COUNTED = r"(?P<c>\w+)(\+\+|\+=1)"
_BITS = (
    # while (x) { c += x & 1; x >>= 1; } and its relatives, white space removed
    r"while\((?P<x>\w+)(>0|!=0)?\)\{(?P<c>\w+)\+=\(?(?P=x)(&1|%2)\)?;(?P=x)(>>=1|/=2|=(?P=x)>>1|=(?P=x)/2);\}",
    (
        rf"while\((?P<x>\w+)(>0|!=0)?\)\{{if\((?P=x)(&1|%2|%2==1|%2!=0|&1==1)\)\{{?{_COUNTED};\}}?"
        r"(?P=x)(>>=1|/=2|=(?P=x)>>1|=(?P=x)/2);\}"
    ),
    rf"while\((?P<x>\w+)(>0|!=0)?\)\{{(?P=x)(&=\(?(?P=x)-1\)?|=(?P=x)&\((?P=x)-1\));{_COUNTED};\}}",
    rf"while\((?P<x>\w+)(>0|!=0)?\)\{{{_COUNTED};(?P=x)(&=\(?(?P=x)-1\)?|=(?P=x)&\((?P=x)-1\));\}}",
)


@register
class CountBits:
    """Loops that count the bits of a number one by one."""

    id = "popcount-loop"
    family = "precompute"
    rationale = "Counts all bits at once with the compiler's population count."
    gain = 4.0
    finding_kinds = ("hot-lines", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for loop in unit.walk("while_statement"):
            text = "".join(unit.text(loop).split())
            match = next(filter(None, (re.fullmatch(pattern, text) for pattern in _BITS)), None)
            if match is None:
                continue
            number, count = match["x"], match["c"]
            variable = variable_at(unit, number, loop)
            if variable is None or variable.form == "array" or number == count:
                continue
            counted_bits = self._call(resolve(unit, unit.text(variable.type)), number)
            if counted_bits is None:
                continue
            test = unit.text_of(loop, "condition").strip("()")
            body = f"{{ {count} += {counted_bits}; {number} = 0; }}"
            yield Rewrite((replace(loop, f"if ({test}) {body}"),), lines(unit, loop))

    @staticmethod
    def _call(kind: str, number: str) -> str | None:
        if kind in ("int", "unsigned", "unsigned int", "uint32_t", "int32_t"):
            return f"__builtin_popcount(static_cast<unsigned int>({number}))"
        wide = ("long long", "unsigned long long", "long", "unsigned long", "int64_t", "uint64_t", "size_t")
        return f"__builtin_popcountll(static_cast<unsigned long long>({number}))" if kind in wide else None


class _Pairs(NamedTuple):
    outer: CountedLoop
    inner: CountedLoop
    wanted: str
    """The earlier value that makes a pair with the present one."""
    value: str
    """The present value."""
    kind: str
    action: str
    """What is done for each pair; ``COUNT`` stands for the number of partners."""


@register
class PairCount:
    """All pairs of an array tried for a sum or for equality."""

    id = "pair-count"
    family = "precompute"
    rationale = "Looks up the matching earlier values in a hash table instead of trying all pairs."
    gain = 30.0
    finding_kinds = ("hot-lines", "empirical-complexity", "linear-search")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        for node in unit.walk("for_statement"):
            outer = counted(unit, node)
            shape = self._shape(unit, outer) if outer is not None else None
            if shape is None:
                continue
            seen, match, key = fresh.fresh("seen"), fresh.fresh("match"), f"std::unordered_map<{shape.kind}, long long>"
            action = shape.action.replace("COUNT", f"{match}->second")
            body = (
                f"{{ const auto {match} = {seen}.find({shape.wanted}); "
                f"if ({match} != {seen}.end()) {{ {action} }} ++{seen}[{shape.value}]; }}"
            )
            end = replace(shape.outer.bound, unit.text(shape.inner.bound))
            hunks = (*around(unit, node, [f"{key} {seen};"]), end, replace(shape.outer.body, body))
            yield Rewrite(merge(unit.include_hunk("unordered_map"), hunks), lines(unit, node))

    def _shape(self, unit: Unit, outer: CountedLoop) -> _Pairs | None:
        inside = statements(outer.body)
        inner = counted(unit, inside[0]) if len(inside) == 1 else None
        if inner is None or outer.step != "1" or inner.step != "1" or inner.operator != outer.operator:
            return None
        if "".join(unit.text(inner.start).split()) != f"{outer.variable}+1":
            return None
        branch = statements(inner.body)
        if len(branch) != 1 or branch[0].type != "if_statement" or branch[0].child_by_field_name("alternative"):
            return None
        condition, action = branch[0].child_by_field_name("condition"), branch[0].child_by_field_name("consequence")
        test = condition.child_by_field_name("value") if condition is not None else None
        told = self._action(unit, action) if action is not None else None
        if test is None or told is None or not self._same_end(unit, outer, inner):
            return None
        pair = self._pair(unit, bare(test), outer.variable, inner.variable)
        return None if pair is None else _Pairs(outer, inner, *pair, told)

    @staticmethod
    def _same_end(unit: Unit, outer: CountedLoop, inner: CountedLoop) -> bool:
        """An outer loop that stops one before the last leaves no pair out."""
        first, last = ("".join(unit.text(loop.bound).split()) for loop in (outer, inner))
        return first in (last, f"{last}-1")

    @staticmethod
    def _action(unit: Unit, action: Node) -> str | None:
        done = [" ".join(unit.text(s).split()) for s in statements(action)]
        if len(done) == 2 and done[1] == "break;":
            del done[1]
        if len(done) != 1:
            return None
        counting = re.fullmatch(r"(\w+) ?(\+\+|\+= ?1);|\+\+ ?(\w+);", done[0])
        if counting is not None:
            return f"{counting.group(1) or counting.group(3)} += COUNT;"
        if re.fullmatch(r"(return|\w+ ?=) ?(true|false|\d+);", done[0]):
            return done[0]
        return None

    @staticmethod
    def _pair(unit: Unit, test: Node, one: str, other: str) -> tuple[str, str, str] | None:
        left, right = test.child_by_field_name("left"), test.child_by_field_name("right")
        if test.type != "binary_expression" or unit.text_of(test, "operator") != "==" or left is None or right is None:
            return None
        left, right = bare(left), bare(right)
        if left.type != "binary_expression" and right.type == "binary_expression":
            left, right = right, left
        total = left.type == "binary_expression" and unit.text_of(left, "operator") == "+"
        terms = [left.child_by_field_name("left"), left.child_by_field_name("right")] if total else [left, right]
        bases: set[str] = set()
        indices: set[str] = set()
        kind: str | None = None
        for term in terms:
            shape = subscripts(bare(term)) if term is not None else None
            if term is None or shape is None or len(shape[1]) != 1 or shape[0].type != "identifier":
                return None
            bases.add(unit.text(shape[0]))
            indices.add(unit.text(shape[1][0]))
            kind = type_of(unit, bare(term))
        if len(bases) != 1 or indices != {one, other} or kind is None:
            return None
        value = f"{bases.pop()}[{one}]"
        if not total:
            if is_integer(kind):
                return value, value, kind
            return (value, value, "std::string") if kind == "string" else None
        if not is_integer(kind) or {one, other} & names(unit, right) or not is_pure(unit, right):
            return None
        return f"static_cast<long long>({unit.text(right)}) - {value}", value, "long long"
