"""Primes, divisors, greatest common divisors and powers, where a better known method fits in place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import parameters
from maxcode_lsp.policy.rewrites.edits import insert, replace
from maxcode_lsp.policy.rewrites.effects import effects, is_pure_function
from maxcode_lsp.policy.rewrites.loop_shape import CountedLoop, counted, names, statements
from maxcode_lsp.policy.rewrites.placement import Names, lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.types import bare, is_integer, is_unsigned, resolve
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk


class _DivisorLoop(NamedTuple):
    """``for (i = a; i < n; ++i) if (n % i == 0) action``"""

    loop: CountedLoop
    number: str
    """Text of ``n``, a plain name."""
    branch: Node
    action: Node


def _divisor_loop(unit: Unit, node: Node) -> _DivisorLoop | None:
    loop = counted(unit, node)
    inside = statements(loop.body) if loop is not None else []
    if loop is None or len(inside) != 1 or inside[0].type != "if_statement":
        return None
    branch = inside[0]
    action, condition = branch.child_by_field_name("consequence"), branch.child_by_field_name("condition")
    value = condition.child_by_field_name("value") if condition is not None else None
    if action is None or value is None or branch.child_by_field_name("alternative") is not None:
        return None
    number = _divided(unit, value, loop.variable)
    written = effects(unit, loop.body)
    if number is None or written.outside or {number, loop.variable} & written.written:
        return None
    return _DivisorLoop(loop, number, branch, action)


def _divided(unit: Unit, test: Node, variable: str) -> str | None:
    """``n`` for ``n % i == 0``, ``!(n % i)`` and ``0 == n % i``."""
    test = bare(test)
    if test.type == "binary_expression" and unit.text_of(test, "operator") == "==":
        sides = [test.child_by_field_name("left"), test.child_by_field_name("right")]
        rest = [bare(side) for side in sides if side is not None and unit.text(side) != "0"]
        if len(rest) != 1:
            return None
        modulo = rest[0]
    elif test.type == "unary_expression" and unit.text_of(test, "operator") == "!":
        argument = test.child_by_field_name("argument")
        if argument is None:
            return None
        modulo = bare(argument)
    else:
        return None
    left, right = modulo.child_by_field_name("left"), modulo.child_by_field_name("right")
    if modulo.type != "binary_expression" or unit.text_of(modulo, "operator") != "%" or left is None or right is None:
        return None
    return unit.text(left) if left.type == "identifier" and unit.text(right) == variable else None


def _runs_to(unit: Unit, shape: _DivisorLoop) -> bool:
    """The loop's bound is ``n`` or about ``n / 2``."""
    bound = re.sub(r"[\s()]", "", unit.text(shape.loop.bound))
    number = re.escape(shape.number)
    return re.fullmatch(rf"{number}(/2)?([+-]1)?", bound) is not None and shape.loop.step == "1"


@trusted
@register
class TrialDivisionBound:
    """Primality by dividing through all smaller numbers."""

    id = "trial-division-bound"
    family = "number_theory"
    rationale = "Tries divisors only up to the square root: a number without one there has none at all."
    gain = 20.0
    finding_kinds = ("hot-lines", "empirical-complexity", "slow-arithmetic")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("for_statement"):
            shape = _divisor_loop(unit, node)
            if shape is None or not self._only_decides(unit, shape) or not _runs_to(unit, shape):
                continue
            if unit.text(shape.loop.start) not in ("2", "3"):
                continue
            # A division, not i * i: the product overflows for large n, and the quotient comes with n % i.
            bound = f"{shape.loop.variable} <= {shape.number} / {shape.loop.variable}"
            yield Rewrite((replace(shape.loop.condition, bound),), lines(unit, node))

    @staticmethod
    def _only_decides(unit: Unit, shape: _DivisorLoop) -> bool:
        """It returns a constant or sets a flag to one; how often does not matter."""
        done = statements(shape.action)
        if not done or len(done) > 2 or (len(done) == 2 and done[1].type != "break_statement"):
            return False
        text = " ".join(unit.text(done[0]).split())
        return re.fullmatch(r"(return|\w+ ?=) ?(false|true|0|1|-1);", text) is not None


@register
class DivisorPairs:
    """Counting or summing the divisors of a number one by one."""

    id = "divisor-pairs"
    family = "number_theory"
    rationale = "Finds divisors in pairs up to the square root instead of trying every number."
    gain = 20.0
    finding_kinds = ("hot-lines", "empirical-complexity", "slow-arithmetic")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("for_statement"):
            shape = _divisor_loop(unit, node)
            if shape is None or not _runs_to(unit, shape) or unit.text(shape.loop.start) not in ("1", "2"):
                continue
            done = statements(shape.action)
            action = " ".join(unit.text(done[0]).split()) if len(done) == 1 else ""
            variable = shape.loop.variable
            if re.fullmatch(rf"(\w+ ?\+\+|\+\+ ?\w+|\w+ ?\+= ?({re.escape(variable)}|1));", action) is None:
                continue
            partner, number = Names(unit).fresh("partner"), shape.number
            condition = unit.text(shape.loop.condition)
            other = re.sub(rf"\b{re.escape(variable)}\b", partner, condition)
            mirrored = re.sub(rf"(\+= ?){re.escape(variable)};", rf"\g<1>{partner};", action)
            body = (
                f"{{ const auto {partner} = {number} / {variable}; if ({condition}) {action} "
                f"if ({partner} != {variable} && {other}) {mirrored} }}"
            )
            bound = f"{variable} <= {number} / {variable}"
            yield Rewrite((replace(shape.loop.condition, bound), replace(shape.action, body)), lines(unit, node))


@register
class PrimeSieve:
    """A function that tests primality by trial division."""

    id = "prime-sieve"
    family = "number_theory"
    rationale = "Answers small primality questions from a sieve that grows with the numbers asked about."
    gain = 8.0
    finding_kinds = ("hot-lines", "hot-function", "empirical-complexity", "slow-arithmetic")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for name, definitions in unit.functions.items():
            if len(definitions) == 1 and "prime" in name.lower() and "sieve" not in name.lower():
                hunks = self._sieved(unit, definitions[0])
                if hunks:
                    yield Rewrite(hunks, lines(unit, definitions[0]))

    def _sieved(self, unit: Unit, definition: Node) -> tuple[Hunk, ...]:
        body, listed = definition.child_by_field_name("body"), parameters(definition)
        if body is None or body.type != "compound_statement" or len(listed) != 1:
            return ()
        name = listed[0].child_by_field_name("declarator")
        kind = resolve(unit, unit.text_of(listed[0], "type"))
        if name is None or name.type != "identifier" or not is_integer(kind):
            return ()
        if not _answers_yes_or_no(unit, definition):
            return ()
        loops = list(unit.walk("for_statement", "while_statement", under=body))
        if len(loops) != 1 or "%" not in unit.text(loops[0]) or not is_pure_function(unit, definition):
            return ()
        text = _SIEVE.format(
            number=unit.text(name),
            low="" if is_unsigned(kind) else f"{unit.text(name)} >= 0 && ",
            composite=Names(unit).fresh("composite"),
            size=Names(unit).fresh("sieve_size"),
            i="prime",
            j="multiple",
        )
        indent = unit.indent(definition)
        text = "".join("\n" + indent + "    " + line if line else "\n" for line in text.strip().split("\n"))
        return merge(unit.include_hunk("vector"), (insert(body.start_byte + 1, text),))


_SIEVE = """
static std::vector<char> {composite}(2, 1);
if ({low}{number} < (1 << 26)) {{
    if (static_cast<std::size_t>({number}) >= {composite}.size()) {{
        std::size_t {size} = static_cast<std::size_t>({number}) * 2 + 1024;
        {composite}.assign({size}, 0);
        {composite}[0] = {composite}[1] = 1;
        for (std::size_t {i} = 2; {i} * {i} < {size}; ++{i})
            if (!{composite}[{i}])
                for (std::size_t {j} = {i} * {i}; {j} < {size}; {j} += {i}) {composite}[{j}] = 1;
    }}
    return !{composite}[{number}];
}}
"""


def _answers_yes_or_no(unit: Unit, definition: Node) -> bool:
    """Every return gives a truth value, and one of them says no."""
    kind = resolve(unit, unit.text_of(definition, "type"))
    returns = unit.walk("return_statement", under=definition)
    given = [unit.text(node).removeprefix("return").strip(" ;()") for node in returns]
    simple = all(re.fullmatch(r"true|false|0|1|\w+|\w+ ?(==|>|<|>=|<=|!=) ?\w+", text) for text in given)
    return kind in ("bool", "int") and bool(given) and simple


@register
class StandardGcd:
    """Own greatest common divisor functions."""

    id = "gcd-std"
    family = "number_theory"
    rationale = "Uses std::gcd, which needs no divisions."
    gain = 1.3
    finding_kinds = ("hot-lines", "hot-function", "slow-arithmetic")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for name, definitions in unit.functions.items():
            if re.fullmatch(r"_*(my_?)?gcd_?\w{0,4}", name.lower()) is None or len(definitions) != 1:
                continue
            definition = definitions[0]
            body, listed = definition.child_by_field_name("body"), parameters(definition)
            kinds = [resolve(unit, unit.text_of(p, "type")) for p in listed]
            given = [p.child_by_field_name("declarator") for p in listed]
            if body is None or body.type != "compound_statement" or len(listed) != 2 or "std::gcd" in unit.text(body):
                continue
            if any(g is None or g.type != "identifier" for g in given) or not all(map(is_integer, kinds)):
                continue
            if not is_pure_function(unit, definition):
                continue
            one, other = (unit.text_of(p, "declarator") for p in listed)
            hunk = replace(body, f"{{ return std::gcd({one}, {other}); }}")
            yield Rewrite(merge(unit.include_hunk("numeric"), (hunk,)), lines(unit, definition))


@register
class PowerBySquaring:
    """``for (i < n) r = r * b % m``"""

    id = "power-by-squaring"
    family = "number_theory"
    rationale = "Raises to a power by repeated squaring: as many steps as the exponent has bits."
    gain = 10.0
    finding_kinds = ("hot-lines", "empirical-complexity", "slow-arithmetic")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("for_statement"):
            loop = counted(unit, node)
            if loop is None or loop.step != "1" or loop.type is None or loop.operator == "!=":
                continue
            inside = statements(loop.body)
            if not 1 <= len(inside) <= 2 or loop.variable in names(unit, loop.body):
                continue
            shape = _multiplied(unit, inside)
            if shape is None or {shape[0], *_words(shape[1])} & effects(unit, loop.bound).written:
                continue
            result, factor, modulus = shape
            if result in names(unit, loop.bound) or result in _words(factor) or result in _words(modulus):
                continue
            yield Rewrite((replace(node, self._text(unit, loop, shape, unit.indent(node))),), lines(unit, node))

    @staticmethod
    def _text(unit: Unit, loop: CountedLoop, shape: tuple[str, str, str], indent: str) -> str:
        result, factor, modulus = shape
        rounds, square = Names(unit).fresh("rounds"), Names(unit).fresh("square")
        start, bound = unit.text(loop.start), unit.text(loop.bound)
        more = " + 1" if loop.operator == "<=" else ""
        times = bound + more if start == "0" else f"({bound}){more} - ({start})"
        reduced = f" % ({modulus})" if modulus else ""
        inner = indent + "    "
        return (
            f"{{\n{inner}auto {square} = static_cast<decltype({result} * ({factor}))>({factor}{reduced});"
            f"\n{inner}for (auto {rounds} = {times}; {rounds} > 0; {rounds} /= 2) {{"
            f"\n{inner}    if ({rounds} % 2 != 0) {result} = {result} * {square}{reduced};"
            f"\n{inner}    if ({rounds} > 1) {square} = {square} * {square}{reduced};"
            f"\n{inner}}}\n{indent}}}"
        )


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _multiplied(unit: Unit, inside: list[Node]) -> tuple[str, str, str] | None:
    """Result, factor and modulus (or an empty text) of ``r = r * b % m;``, ``r *= b;`` and ``r *= b; r %= m;``."""
    text = " ".join("".join(unit.text(s) for s in inside).split())
    term = r"[\w.]+"
    for pattern in (
        rf"(?P<r>\w+) ?\*= ?(?P<b>{term}); ?((?P=r) ?%= ?(?P<m>{term});)?",
        rf"(?P<r>\w+) ?= ?\(? ?((?P=r) ?\* ?(?P<b>{term})|(?P<b2>{term}) ?\* ?(?P=r)) ?\)? ?(% ?(?P<m>{term}))? ?;",
        rf"(?P<r>\w+) ?= ?(?P=r) ?\* ?(?P<b>{term}) ?; ?(?P=r) ?(%=|= ?(?P=r) ?%) ?(?P<m>{term});",
    ):
        match = re.fullmatch(pattern, text)
        if match is not None:
            found = match.groupdict()
            return found["r"], found.get("b") or found.get("b2") or "", found.get("m") or ""
    return None
