"""Arithmetic: cheaper operations with the same value, or nearly the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import arguments, called
from maxcode_lsp.policy.rewrites.edits import replace
from maxcode_lsp.policy.rewrites.effects import invariant, is_pure
from maxcode_lsp.policy.rewrites.loop_shape import enclosing_loops, names, statements
from maxcode_lsp.policy.rewrites.placement import Names, around, lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.types import bare, is_float, is_integer, type_of, variable_at
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk

_PRODUCTS = {
    "2": "v * v",
    "3": "v * v * v",
    "4": "(v * v) * (v * v)",
    "0.5": "std::sqrt(v)",
    "1.5": "v * std::sqrt(v)",
    "-1": "1.0 / v",
    "-2": "1.0 / (v * v)",
    "1": "v",
}


def _hot(node: Node) -> bool:
    """It runs again and again, as far as the text shows: in a loop, or in a function that one may call."""
    return next(enclosing_loops(node), None) is not None


def _in_function_other_than_main(unit: Unit, node: Node) -> bool:
    definition = unit.enclosing(node, "function_definition")
    return definition is not None and unit.function_name(definition) != "main"


@trusted
@register
class PowerProduct:
    """``pow`` with a small constant exponent, or with the base 2 or -1."""

    id = "pow-product"
    family = "arithmetic"
    rationale = "Multiplies instead of calling pow, which handles every possible exponent."
    gain = 2.5
    finding_kinds = ("slow-arithmetic", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses("long double"):
            return
        for call in unit.walk("call_expression"):
            given = arguments(call)
            if called(unit, call)[0] != "pow" or len(given) != 2 or "pow" in unit.functions:
                continue
            text = self._cheaper(unit, given[0], given[1])
            if text is not None:
                include = unit.include_hunk("cmath")
                yield Rewrite(merge(include, (replace(call, text),)), lines(unit, call))

    @staticmethod
    def _cheaper(unit: Unit, base: Node, exponent: Node) -> str | None:
        power = re.sub(r"\.0*$", "", unit.text(exponent))
        number = re.sub(r"\.0*$", "", unit.text(bare(base)))
        if number == "2" and is_integer(type_of(unit, exponent)):
            return f"std::ldexp(1.0, {unit.text(exponent)})"
        if number == "-1" and is_integer(type_of(unit, exponent)) and is_pure(unit, exponent):
            return f"(({unit.text(exponent)}) % 2 == 0 ? 1.0 : -1.0)"
        if power not in _PRODUCTS or type_of(unit, base) in ("float", "long double"):
            return None
        product = _PRODUCTS[power]
        if type_of(unit, base) == "double" and bare(base).type in ("identifier", "subscript_expression"):
            return "(" + re.sub(r"\bv\b", lambda _: unit.text(base), product) + ")"
        # A parameter of type double converts integers as pow does, and evaluates the base once.
        if power == "0.5":
            return f"std::sqrt({unit.text(base)})"
        return f"([](double v) {{ return {product}; }}({unit.text(base)}))"


@register
class CompareSquares:
    """``sqrt(x) < r`` and ``abs(z) > r`` of complex numbers."""

    id = "sqrt-compare"
    family = "arithmetic"
    rationale = "Compares squares: no square root is needed to see which of two distances is smaller."
    gain = 1.3
    finding_kinds = ("slow-arithmetic", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("binary_expression"):
            if unit.text_of(node, "operator") not in ("<", ">", "<=", ">="):
                continue
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None:
                continue
            hunks = self._squared(unit, left, right) or self._squared(unit, right, left)
            if hunks:
                yield Rewrite(merge(hunks), lines(unit, node))

    def _squared(self, unit: Unit, root: Node, other: Node) -> tuple[Hunk, ...]:
        inside = self._under_root(unit, root)
        if inside is None:
            return ()
        beside = self._under_root(unit, other)
        if beside is not None:
            return (replace(root, inside), replace(other, beside))
        if not is_float(type_of(unit, other)) and bare(other).type != "number_literal":
            return ()
        if not is_pure(unit, other) or unit.text(other).startswith("-"):
            return ()
        text = unit.text(other)
        if re.fullmatch(r"\d+", text):
            text += ".0"  # The square of an int may not be one.
        elif re.fullmatch(r"[\w.]+", text) is None:
            text = f"({text})"
        return (replace(root, inside), replace(other, f"{text} * {text}"))

    @staticmethod
    def _under_root(unit: Unit, node: Node) -> str | None:
        given = arguments(node) if node.type == "call_expression" else []
        if len(given) != 1:
            return None
        name, target = called(unit, node)
        if target is not None or name in unit.functions:
            return None
        if name == "sqrt":
            return f"({unit.text(given[0])})"
        argument = given[0]
        if name == "abs" and argument.type == "identifier":
            variable = variable_at(unit, unit.text(argument), argument)
            if variable is not None and "complex" in unit.text(variable.type):
                return f"std::norm({unit.text(argument)})"
        return None


@register
class Reciprocal:
    """Divisions by the same floating-point number in every iteration."""

    id = "reciprocal"
    family = "arithmetic"
    rationale = "Multiplies by the reciprocal, computed once: a division takes several times longer."
    gain = 1.4
    finding_kinds = ("slow-arithmetic", "hot-lines", "invariant-in-loop")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        fresh = Names(unit)
        groups: dict[tuple[int, str], tuple[Node, list[Node]]] = {}
        for node in unit.walk("binary_expression", "assignment_expression"):
            if unit.text_of(node, "operator") not in ("/", "/="):
                continue
            divisor, loop = node.child_by_field_name("right"), next(enclosing_loops(node), None)
            if divisor is None or loop is None or not is_float(type_of(unit, divisor)):
                continue
            if bare(divisor).type == "number_literal" or not invariant(unit, divisor, loop):
                continue
            groups.setdefault((loop.id, unit.text(divisor)), (loop, []))[1].append(node)
        for (_, text), (loop, nodes) in groups.items():
            name = fresh.fresh("reciprocal")
            hunks = list(around(unit, loop, [f"const auto {name} = 1 / {text};"]))
            for node in nodes:
                operator, divisor = node.child_by_field_name("operator"), node.child_by_field_name("right")
                if operator is not None and divisor is not None:
                    times = replace(operator, "*=" if node.type == "assignment_expression" else "*")
                    hunks += [times, replace(divisor, name)]
            yield Rewrite(merge(hunks), lines(unit, loop))


@register
class ModuloWrap:
    """``(i + 1) % n`` and other sums that leave a ring by little."""

    id = "modulo-wrap"
    family = "arithmetic"
    rationale = "Compares and subtracts instead of dividing: the sum is less than twice the modulus."
    gain = 1.5
    finding_kinds = ("slow-arithmetic", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("binary_expression"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if unit.text_of(node, "operator") != "%" or left is None or right is None:
                continue
            total = bare(left)
            if total.type != "binary_expression" or unit.text_of(total, "operator") not in ("+", "-"):
                continue
            if right.type not in ("identifier", "number_literal", "field_expression") or not is_pure(unit, left):
                continue
            turns = self._turns(unit, total, right)
            if turns == 0 or not (_hot(node) or _in_function_other_than_main(unit, node)):
                continue
            value, modulus = unit.text(total), unit.text(right)
            text = f"{value} < {modulus} ? {value} : {value} - {modulus}"
            if turns == 2:
                text = f"{value} >= 2 * {modulus} ? {value} - 2 * {modulus} : {text}"
            yield Rewrite((replace(node, f"({text})"),), lines(unit, node))

    @staticmethod
    def _turns(unit: Unit, total: Node, modulus: Node) -> int:
        """How often the modulus has to be taken off at most, for sums as ring arithmetic makes them; 0: not one.

        Of two terms one is inside the ring and the other small; the modulus itself as a third keeps it positive.
        """
        text = unit.text(total)
        terms = [term.strip() for term in re.split(r"[+-]", text)]
        if "*" in text or len(text) > 60:
            return 0
        if len(terms) == 3 and unit.text(modulus) in terms:
            # (i - 1 + n) % n stays below 2 n, (i + d + n) % n does not.
            return 1 if re.search(r"- *\d", text) else 2
        return 1 if len(terms) == 2 else 0


@register
class NarrowDivision:
    """64-bit divisions of numbers that mostly fit into 32 bits."""

    id = "narrow-division"
    family = "arithmetic"
    rationale = "Divides in 32 bits where both numbers fit: 64-bit division is several times slower on many processors."
    gain = 1.4
    finding_kinds = ("slow-arithmetic", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("binary_expression"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            operator = unit.text_of(node, "operator")
            if operator not in ("/", "%") or left is None or right is None or "uint32_t" in unit.text(node):
                continue
            kinds = (type_of(unit, left), type_of(unit, right))
            if not any(_is_wide(kind) for kind in kinds) or not all(is_integer(kind) for kind in kinds):
                continue
            # The compiler turns division by a constant into a multiplication.
            if right.type == "number_literal" or _is_constant(unit, right):
                continue
            if not (_hot(node) or _in_function_other_than_main(unit, node)) or not is_pure(unit, node):
                continue
            kind = next(k for k in kinds if _is_wide(k))
            text = (
                f"([]({kind} a, {kind} b) -> {kind} {{ return ((a | b) >> 32) == 0 ? "
                f"static_cast<unsigned int>(a) {operator} static_cast<unsigned int>(b) : a {operator} b; }}"
                f"({unit.text(left)}, {unit.text(right)}))"
            )
            yield Rewrite((replace(node, text),), lines(unit, node))


def _is_wide(kind: str | None) -> bool:
    return kind in ("long long", "long", "int64_t", "unsigned long long", "uint64_t", "size_t", "unsigned long")


def _is_constant(unit: Unit, node: Node) -> bool:
    variable = variable_at(unit, unit.text(node), node) if node.type == "identifier" else None
    declared = unit.text(variable.declaration) if variable is not None else ""
    return re.match(r"(static |inline )*(const|constexpr)\b", declared) is not None


@register
class FloatLiteral:
    """Double constants in float arithmetic."""

    id = "float-literal"
    family = "arithmetic"
    rationale = "Keeps float arithmetic in float: a double constant converts every operand forth and back."
    gain = 1.4
    finding_kinds = ("slow-arithmetic", "not-vectorised", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if not any(unit.text(node) == "float" for node in unit.walk("primitive_type")):
            return
        found = [node for node in unit.walk("number_literal") if self._beside_float(unit, node)]
        if found:
            touched = tuple(sorted({unit.line(node) for node in found}))
            yield Rewrite(merge(replace(node, unit.text(node) + "f") for node in found), touched)

    @staticmethod
    def _beside_float(unit: Unit, node: Node) -> bool:
        if re.fullmatch(r"\d+\.\d*(e[+-]?\d+)?|\.\d+", unit.text(node).lower()) is None or node.parent is None:
            return False
        up = node.parent
        if up.type not in ("binary_expression", "assignment_expression"):
            return False
        sides = (up.child_by_field_name("left"), up.child_by_field_name("right"))
        return any(type_of(unit, side) == "float" for side in sides if side is not None and side != node)


@register
class BranchToSelect:
    """``if (a < b) a = b;`` and ``if (c) ++n;``"""

    id = "branch-to-select"
    family = "arithmetic"
    rationale = "Chooses by arithmetic: no mispredicted branches, and the loop can use vector instructions."
    gain = 1.3
    finding_kinds = ("hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for branch in unit.walk("if_statement"):
            action, condition = branch.child_by_field_name("consequence"), branch.child_by_field_name("condition")
            value = condition.child_by_field_name("value") if condition is not None else None
            if branch.child_by_field_name("alternative") is not None or action is None or value is None:
                continue
            if not _hot(branch) or (branch.parent is not None and branch.parent.type == "else_clause"):
                continue
            done = statements(action)
            if len(done) != 1 or done[0].type != "expression_statement" or not done[0].named_children:
                continue
            text = self._selected(unit, value, done[0].named_children[0])
            if text is not None and is_pure(unit, value):
                yield Rewrite((replace(branch, text),), lines(unit, branch))

    @staticmethod
    def _selected(unit: Unit, condition: Node, action: Node) -> str | None:
        test = unit.text(condition)
        if action.type == "update_expression" and unit.text_of(action, "operator") == "++":
            target = action.child_by_field_name("argument")
            if target is not None and target.type in ("identifier", "subscript_expression"):
                return f"{unit.text(target)} += ({test}) ? 1 : 0;"
            return None
        left, right = action.child_by_field_name("left"), action.child_by_field_name("right")
        if action.type != "assignment_expression" or left is None or right is None:
            return None
        kinds = (type_of(unit, left), type_of(unit, right))
        if not all(is_integer(k) or is_float(k) for k in kinds) or not is_pure(unit, right):
            return None
        if right.type not in ("identifier", "number_literal", "subscript_expression", "binary_expression"):
            return None
        if names(unit, right) and right.type == "subscript_expression" and unit.text(right) not in test:
            return None  # An element that the test does not look at may not be there.
        operator, target, given = unit.text_of(action, "operator"), unit.text(left), unit.text(right)
        if operator == "=":
            return f"{target} = ({test}) ? {given} : {target};"
        return f"{target} {operator} ({test}) ? {given} : 0;" if operator in ("+=", "-=") else None
