"""Code generation: processors and freedoms with floats that the flags leave unused, asked for in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import called, function_declarator, parameters
from maxcode_lsp.policy.rewrites.edits import insert
from maxcode_lsp.policy.rewrites.loop_shape import LOOPS, statements
from maxcode_lsp.policy.rewrites.placement import lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk


@register
class TargetClones:
    """Functions with loops, built again for newer processors."""

    id = "target-clones"
    family = "code_generation"
    rationale = (
        "Builds the hot functions twice, once with the wide vectors of newer "
        "processors, chosen when the program starts."
    )
    gain = 1.35
    finding_kinds = ("not-vectorised", "hot-function", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if b"target_clones" in unit.data or any("clang" in flag for flag in unit.flags):
            return
        functions = [node for node in unit.walk("function_definition") if self._can_be_cloned(unit, node)]
        mains = [node for node in functions if unit.function_name(node) == "main"]
        others = [node for node in functions if node not in mains]
        touched = tuple(line for node in functions for line in lines(unit, node))
        # The second has fused multiply-add too: faster, but last digits of floating-point results may change.
        for target, extra in (("avx2", ""), ("arch=haswell", " and fused multiply-add")):
            attribute = f'__attribute__((target_clones("{target}", "default")))'
            hunks = [insert(node.start_byte, f"{attribute}\n{unit.indent(node)}") for node in others]
            for node in mains[:1]:
                hunks += self._outlined(unit, node, attribute)
            if hunks:
                yield Rewrite(
                    merge(hunks), touched,
                    f"Builds the functions with loops a second time with AVX2{extra}; "
                    "the program chooses when it starts.",
                )  # fmt: skip

    @staticmethod
    def _can_be_cloned(unit: Unit, node: Node) -> bool:
        parent, body = node.parent, node.child_by_field_name("body")
        declarator = function_declarator(node)
        if parent is None or body is None or declarator is None:
            return False
        if parent.type not in ("translation_unit", "declaration_list"):
            return False
        name = declarator.child_by_field_name("declarator")
        head = unit.data[node.start_byte : body.start_byte].decode(errors="replace")
        if name is None or name.type != "identifier" or re.search(r"\b(constexpr|consteval|auto|inline|asm)\b", head):
            return False
        return next(unit.walk(*LOOPS, under=body), None) is not None

    @staticmethod
    def _outlined(unit: Unit, main: Node, attribute: str) -> list[Hunk]:
        """``main`` itself cannot be cloned: its body moves to a function that it calls."""
        body, declarator = main.child_by_field_name("body"), function_declarator(main)
        listed = parameters(main)
        if body is None or declarator is None or body.type != "compound_statement":
            return []
        given: list[str] = []
        for parameter in listed:
            match = re.search(r"(\w+)\s*(\[\s*\])*$", unit.text(parameter))
            if match is None or len(listed) != 2:
                return []
            given.append(match.group(1))
        takes = unit.text_of(declarator, "parameters")
        returns = next(unit.walk("return_statement", under=body), None) is not None
        head = f"{attribute}\nstatic int run_main{takes} "
        tail = f"\n\nint main{takes} {{ return run_main({', '.join(given)}); }}"
        last = statements(body)[-1:] if returns else []
        end = "" if last and last[0].type == "return_statement" else "    return 0;\n"
        hunks = [Hunk(main.start_byte, body.start_byte, head.encode()), insert(body.end_byte, tail)]
        return [*hunks, insert(body.end_byte - 1, end)] if end else hunks


@register
class MathErrno:
    """Programs that take square roots and do not look at ``errno``."""

    id = "math-no-errno"
    family = "code_generation"
    rationale = "Says that nobody reads errno after sqrt and the like: one instruction instead of a call."
    gain = 1.2
    finding_kinds = ("not-vectorised", "slow-arithmetic", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if (
            unit.uses("errno", "fetestexcept")
            or b"no-math-errno" in unit.data
            or _has(unit, "-fno-math-errno", "-Ofast")
        ):
            return
        roots = [n for n in unit.walk("call_expression") if called(unit, n)[0] in _ROUNDED]
        if roots:
            touched = tuple(sorted({unit.line(n) for n in roots}))
            yield Rewrite((insert(0, '#pragma GCC optimize("no-math-errno,no-trapping-math")\n'),), touched)


_ROUNDED = frozenset(
    {"sqrt", "sqrtf", "floor", "ceil", "round", "trunc", "hypot", "abs", "lround", "fmod", "pow", "exp"}
)


@register
class OptimizeMore:
    """Builds below ``-O3``."""

    id = "optimize-pragma"
    family = "code_generation"
    rationale = "Asks for the optimisations of -O3 in the source, as the build asks for less."
    gain = 1.25
    finding_kinds = ("hot-function", "hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        levels = [flag for flag in unit.flags if re.fullmatch(r"-O.*", flag)]
        if (levels and levels[-1] in ("-O3", "-Ofast")) or b'optimize("O3' in unit.data:
            return
        touched = tuple(line for node in unit.walk("function_definition") for line in lines(unit, node))
        yield Rewrite((insert(0, '#pragma GCC optimize("O3,unroll-loops")\n'),), touched or (1,))


def _has(unit: Unit, *flags: str) -> bool:
    return any(flag in unit.flags for flag in flags)
