"""Loop order: which loop runs innermost, and blocks that fit the cache."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import replace
from maxcode_lsp.policy.rewrites.effects import effects
from maxcode_lsp.policy.rewrites.loop_shape import (
    LOOPS,
    CountedLoop,
    counted,
    header,
    jumps,
    names,
    nest,
    statements,
    subscripts,
)
from maxcode_lsp.policy.rewrites.placement import lines, merge
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.types import bare
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk

BLOCK = 64
"""Iterations per tile: three tiles of 64 by 64 doubles fit a common second-level cache."""


def strides(unit: Unit, code: Sequence[Node], variable: str) -> int:
    """How many array accesses jump through memory when only ``variable`` moves."""
    count = 0
    for part in code:
        for access in unit.walk("subscript_expression", under=part):
            parent = access.parent
            if parent is None or parent.type != "subscript_expression" or parent.named_children[0] != access:
                count += _jumps_through(unit, access, variable)
    return count


def _jumps_through(unit: Unit, access: Node, variable: str) -> bool:
    shape = subscripts(access)
    if shape is None:
        return False
    _, indices = shape
    if any(variable in names(unit, index) for index in indices[:-1]):
        return True
    return any(unit.text(term) != variable for term in _terms(unit, indices[-1]) if variable in names(unit, term))


def _terms(unit: Unit, node: Node) -> Iterator[Node]:
    node = bare(node)
    if node.type == "binary_expression" and unit.text_of(node, "operator") in ("+", "-"):
        for field in ("left", "right"):
            side = node.child_by_field_name(field)
            if side is not None:
                yield from _terms(unit, side)
    else:
        yield node


def _header_names(unit: Unit, loop: CountedLoop) -> frozenset[str]:
    return names(unit, loop.start) | names(unit, loop.bound)


def _rectangular(unit: Unit, loops: list[CountedLoop]) -> list[CountedLoop]:
    """The longest end of a nest whose headers do not depend on each other's variables."""
    suffix: list[CountedLoop] = []
    for loop in reversed(loops):
        if any(loop.variable in _header_names(unit, inner) for inner in suffix):
            break
        suffix.insert(0, loop)
    return suffix


def _permutable(unit: Unit) -> Iterator[list[CountedLoop]]:
    """All perfect rectangular nests of two loops or more whose bodies are plain calculations."""
    inner: set[int] = set()
    for node in unit.walk("for_statement"):
        outer = counted(unit, node)
        if outer is None or node.id in inner:
            continue
        whole = nest(unit, outer)
        inner |= {loop.node.id for loop in whole}
        loops = _rectangular(unit, whole)
        body = loops[-1].body
        if len(loops) < 2 or jumps(unit, body) or next(unit.walk(*LOOPS, under=body), None) is not None:
            continue
        effect = effects(unit, body)
        if effect.outside or any(loop.variable in effect.written for loop in loops):
            continue
        if any(_header_names(unit, loop) & effect.whole for loop in loops):
            continue
        yield loops


@trusted
@register
class LoopInterchange:
    """Perfect nests: the loop that walks along memory becomes the innermost."""

    id = "loop-interchange"
    family = "loop_order"
    rationale = "Runs the loop that walks along memory innermost: neighbouring elements come with one cache line."
    gain = 3.0
    finding_kinds = ("strided-access", "hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for loops in _permutable(unit):
            body = [loops[-1].body]
            cost = {loop.variable: strides(unit, body, loop.variable) for loop in loops}
            if len(cost) < len(loops):
                continue
            wanted = sorted(loops, key=lambda loop: -cost[loop.variable])
            if cost[wanted[-1].variable] >= cost[loops[-1].variable]:
                continue
            hunks = [
                Hunk(old.node.start_byte, old.body.start_byte, (header(unit, new.node) + _gap(unit, old)).encode())
                for old, new in zip(loops, wanted, strict=True)
                if old is not new
            ]
            order = ", ".join(loop.variable for loop in wanted)
            yield Rewrite(
                merge(hunks),
                lines(unit, loops[0].node),
                f"Runs the loops in the order {order}, so that the innermost walks along memory.",
            )


def _gap(unit: Unit, loop: CountedLoop) -> str:
    text = unit.data[loop.node.start_byte : loop.body.start_byte].decode(errors="replace")
    return text[len(text.rstrip()) :] or " "


class _Accumulation(NamedTuple):
    """``for j { s = e0; for k { s += …; } y = s; }``"""

    outer: CountedLoop
    inner: CountedLoop
    first: str
    """Text of the first value; empty where the element keeps what it has."""
    scalar: str
    """Text that the inner body accumulates into."""
    element: str
    """Text of the element that receives the result."""
    element_node: Node


@trusted
@register
class AccumulateInMemory:
    """Imperfect nests of sums: accumulate into a row of elements instead of one scalar."""

    id = "loop-accumulate-order"
    family = "loop_order"
    rationale = "Accumulates a whole row of results at once, so that the innermost loop walks along memory."
    gain = 4.0
    finding_kinds = ("strided-access", "hot-lines", "not-vectorised")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("for_statement"):
            outer = counted(unit, node)
            shape = self._shape(unit, outer) if outer is not None else None
            if shape is None:
                continue
            code = [shape.inner.body, shape.element_node]
            if strides(unit, code, shape.outer.variable) >= strides(unit, code, shape.inner.variable):
                continue
            around = self._around(unit, shape)
            heads = [header(unit, around.node)] if around is not None else []
            target = around.node if around is not None else shape.outer.node
            yield Rewrite(
                (replace(target, self._text(unit, shape, heads, unit.indent(target))),),
                lines(unit, shape.outer.node),
                f"Accumulates into {shape.element} with {shape.outer.variable} innermost, which walks along memory.",
            )

    def _shape(self, unit: Unit, outer: CountedLoop) -> _Accumulation | None:
        inside = statements(outer.body)
        if not 2 <= len(inside) <= 3:
            return None
        inner = counted(unit, inside[1])
        if inner is None or inner.variable == outer.variable or jumps(unit, inner.body):
            return None
        if outer.variable in _header_names(unit, inner) or inner.variable in _header_names(unit, outer):
            return None
        begin = _assigned(unit, inside[0])
        if begin is None or begin[1] != "=":
            return None
        scalar, _, first, target = begin
        effect = effects(unit, inner.body)
        if effect.outside or len(effect.written) != 1 or next(unit.walk(*LOOPS, under=inner.body), None) is not None:
            return None
        if len(inside) == 2:
            if target.type != "subscript_expression" or outer.variable not in names(unit, target):
                return None
            return _Accumulation(outer, inner, first, scalar, scalar, target)
        end = _assigned(unit, inside[2])
        if end is None or end[2] != scalar or target.type != "identifier" or effect.written != frozenset({scalar}):
            return None
        element, operator, _, place = end
        if place.type != "subscript_expression" or outer.variable not in names(unit, place):
            return None
        if inner.variable in names(unit, place) or operator not in ("=", "+="):
            return None
        if operator == "+=" and not re.fullmatch(r"0(\.0*)?[fFlLuU]*", first):
            return None
        return _Accumulation(outer, inner, first if operator == "=" else "", scalar, element, place)

    @staticmethod
    def _around(unit: Unit, shape: _Accumulation) -> CountedLoop | None:
        """A loop that holds only the outer one, so that the whole nest can be split."""
        up = shape.outer.node.parent
        up = up.parent if up is not None and up.type == "compound_statement" else up
        around = counted(unit, up) if up is not None else None
        if around is None or statements(around.body) != [shape.outer.node]:
            return None
        dependent = _header_names(unit, shape.outer) | _header_names(unit, shape.inner)
        return None if around.variable in dependent else around

    @staticmethod
    def _text(unit: Unit, shape: _Accumulation, heads: list[str], indent: str) -> str:
        body = unit.text(shape.inner.body)
        pattern = r"(?<![\w.])" + re.escape(shape.scalar) + r"(?!\w)"
        body = re.sub(pattern, lambda _: shape.element, body)
        by_j, by_k = header(unit, shape.outer.node), header(unit, shape.inner.node)
        parts: list[str] = []
        if shape.first:
            parts.append(_nested([*heads, by_j], f"{shape.element} = {shape.first};", indent))
        parts.append(_nested([*heads, by_k, by_j], body, indent))
        text = ("\n" + indent).join(parts)
        target = shape.outer.node.parent
        braced = heads or (target is not None and target.type == "compound_statement")
        return text if braced else "{ " + text + " }"


def _nested(heads: list[str], body: str, indent: str) -> str:
    text = ""
    for depth, head in enumerate(heads):
        text += ("\n" + indent + "    " * depth if depth else "") + head
    return f"{text} {body}" if body.startswith("{") else f"{text}\n{indent}{'    ' * len(heads)}{body}"


def _assigned(unit: Unit, statement: Node) -> tuple[str, str, str, Node] | None:
    """Target, operator, value and target node of ``T s = e;`` or ``x = e;``."""
    if statement.type == "declaration":
        declarators = statement.children_by_field_name("declarator")
        if len(declarators) != 1 or declarators[0].type != "init_declarator":
            return None
        name, value = declarators[0].child_by_field_name("declarator"), declarators[0].child_by_field_name("value")
        if name is None or value is None or name.type != "identifier":
            return None
        text = unit.text(value)
        if value.type in ("argument_list", "initializer_list"):
            text = text[1:-1].strip() or "0"
        return unit.text(name), "=", text, name
    if statement.type != "expression_statement" or len(statement.named_children) != 1:
        return None
    node = statement.named_children[0]
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "assignment_expression" or left is None or right is None:
        return None
    return unit.text(left), unit.text_of(node, "operator"), unit.text(right), left


@register
class LoopTiling:
    """Nests over big arrays in blocks that stay in the cache."""

    id = "loop-tiling"
    family = "loop_order"
    rationale = "Works through the arrays in blocks that stay in the cache until they are done with."
    gain = 1.5
    finding_kinds = ("strided-access", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for loops in _permutable(unit):
            body = [loops[-1].body]
            tiled = loops[-2:]
            every_order_jumps = all(strides(unit, body, loop.variable) for loop in tiled)
            if len(loops) == 2 and not every_order_jumps:
                continue
            if not all(self._plain(loop) for loop in loops):
                continue
            if any(BLOCK_NAME.search(unit.text(loop.node)[:200]) for loop in tiled):
                continue
            heads: list[str] = []
            hunks: list[Hunk] = []
            for loop in tiled:
                block, end = f"{loop.variable}_block", f"{loop.variable}_end"
                kind, start, bound = loop.type, unit.text(loop.start), unit.text(loop.bound)
                head = f"for ({kind} {block} = {start}; {block} < {bound}; {block} += {BLOCK})"
                heads.append(f"{head}\n{unit.indent(loops[0].node)}")
                inside = (
                    f"for ({kind} {loop.variable} = {block}, {end} = std::min<{kind}>({bound}, {block} + {BLOCK}); "
                    f"{loop.variable} < {end}; ++{loop.variable}){_gap(unit, loop)}"
                )
                hunks.append(Hunk(loop.node.start_byte, loop.body.start_byte, inside.encode()))
            first = loops[-3] if len(loops) > 2 else tiled[0]
            if first is tiled[0]:
                hunks[0] = Hunk(hunks[0].start, hunks[0].end, "".join(heads).encode() + hunks[0].replacement)
            else:
                hunks.insert(0, Hunk(first.node.start_byte, first.node.start_byte, "".join(heads).encode()))
            yield Rewrite(merge(unit.include_hunk("algorithm"), hunks), lines(unit, first.node))

    @staticmethod
    def _plain(loop: CountedLoop) -> bool:
        return loop.step == "1" and loop.operator == "<" and loop.type not in (None, "auto")


BLOCK_NAME = re.compile(r"\w_block\b")
"""How a loop that is tiled already looks."""
