"""Threads and vector loops through OpenMP, only where the build has it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.effects import base_name, declares, effects
from maxcode_lsp.policy.rewrites.hints import has_pragma, pragma_before
from maxcode_lsp.policy.rewrites.loop_shape import LOOPS, CountedLoop, counted, is_innermost, names
from maxcode_lsp.policy.rewrites.placement import lines
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.types import declared_in, type_of_variable, variable_at
from maxcode_lsp.policy.rewrites.unit import Unit

_LEAVING = ("break_statement", "return_statement", "goto_statement", "throw_statement")


def _clauses(unit: Unit, loop: CountedLoop) -> str | None:
    """The reduction clauses that a loop needs; None where its iterations depend on each other."""
    effect = effects(unit, loop.body)
    own = declares(unit, loop.node)
    if effect.outside or loop.variable in effect.written or loop.type is None or loop.operator == "!=":
        return None
    if next(unit.walk(*_LEAVING, under=loop.body), None) is not None:
        return None
    for name in effect.elements - own:
        if not all(loop.variable in names(unit, access) for access in _written_elements(unit, loop.body, name)):
            return None
    sums: list[str] = []
    for name in sorted(effect.whole - own):
        if not _only_added(unit, loop.body, name):
            return None
        sums.append(name)
    return f" reduction(+ : {', '.join(sums)})" if sums else ""


def _written_elements(unit: Unit, body: Node, name: str) -> Iterator[Node]:
    for node in unit.walk("assignment_expression", "update_expression", under=body):
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target is not None and base_name(unit, target) == (name, False):
            yield target
    # Written by a call, or through another name: it is not seen where.
    if any(d.form != "value" and name in names(unit, d.declaration) for d in declared_in(unit, body)):
        yield body


def _only_added(unit: Unit, body: Node, name: str) -> bool:
    adding = 0
    for node in unit.walk("assignment_expression", "update_expression", under=body):
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target is not None and unit.text(target) == name:
            adding += unit.text_of(node, "operator") in ("+=", "++")
    return adding > 0 and adding == sum(unit.text(n) == name for n in unit.walk("identifier", under=body))


@register
class ParallelLoop:
    """Outer loops whose iterations do not touch each other's data."""

    id = "omp-parallel-for"
    family = "parallel"
    rationale = "Shares the iterations among all cores; the build has OpenMP."
    gain = 2.5
    finding_kinds = ("hot-lines", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if "-fopenmp" not in unit.flags:
            return
        covered = -1
        for node in unit.walk("for_statement"):
            loop = counted(unit, node)
            if loop is None or node.start_byte < covered or has_pragma(unit, node) or _in_region(unit, node):
                continue
            clauses = _clauses(unit, loop)
            if clauses is None or next(unit.walk(*LOOPS, "call_expression", under=loop.body), None) is None:
                continue
            if self._packed_bits(unit, loop):
                continue
            covered = node.end_byte
            uneven = any(
                loop.variable in names(unit, part)
                for inner in unit.walk(*LOOPS, under=loop.body)
                if (part := inner.child_by_field_name("condition")) is not None
            )
            schedule = " schedule(dynamic, 8)" if uneven else ""
            pragma = f"omp parallel for{schedule}{clauses}"
            yield Rewrite(pragma_before(unit, node, pragma), lines(unit, node))

    @staticmethod
    def _packed_bits(unit: Unit, loop: CountedLoop) -> bool:
        """Neighbouring elements of a ``vector<bool>`` share a byte, which two threads would write at once."""
        found = (variable_at(unit, name, loop.node) for name in effects(unit, loop.body).elements)
        return any(v is not None and "vector<bool>" in type_of_variable(unit, v) for v in found)


def _in_region(unit: Unit, node: Node) -> bool:
    definition = unit.enclosing(node, "function_definition")
    return definition is not None and "#pragma omp" in unit.text(definition)


@register
class SimdLoop:
    """Inner loops that OpenMP may turn into vector instructions."""

    id = "omp-simd"
    family = "parallel"
    rationale = "Asks for vector instructions, with sums in any order; the build has OpenMP."
    gain = 1.6
    finding_kinds = ("not-vectorised", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if not {"-fopenmp", "-fopenmp-simd"} & set(unit.flags):
            return
        for node in unit.walk("for_statement"):
            loop = counted(unit, node)
            if loop is None or not is_innermost(unit, node) or has_pragma(unit, node):
                continue
            clauses = _clauses(unit, loop)
            if clauses is not None:
                yield Rewrite(pragma_before(unit, node, f"omp simd{clauses}"), lines(unit, node))
