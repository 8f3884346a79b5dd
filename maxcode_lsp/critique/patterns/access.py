"""Inner loops that jump through memory."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.critique.kinds import Kind
from maxcode_lsp.critique.patterns.sight import Sight
from maxcode_lsp.critique.source import BODIES, LOOPS, Source, enclosing, first_line, last_line


def strided_access(source: Source) -> Iterator[Sight]:
    """``b[k * n + j]`` or ``b[k][j]`` where ``k`` runs in the innermost loop."""
    for loop in source.walk("for_statement"):
        body, inner = loop.child_by_field_name("body"), loop_variable(source, loop)
        if body is None or inner is None or next(source.walk(*LOOPS, under=body), None) is not None:
            continue
        for access in source.walk("subscript_expression", under=body):
            parent = access.parent
            if (
                parent is not None
                and parent.type == "subscript_expression"
                and parent.child_by_field_name("argument") == access
            ):
                continue
            if not strides(source, access, inner):
                continue
            contiguous = _contiguous(source, access)
            outer = next((v for v in _outer_variables(source, loop) if v in contiguous), None)
            advice = f"With {outer} as the inner loop instead of {inner} it would be read in order." if outer else ""
            message = f"The inner loop over {inner} jumps through memory ({source.text(access)})"
            lines = tuple(range(first_line(loop), last_line(loop) + 1))
            yield Sight(Kind.STRIDED_ACCESS, first_line(loop), last_line(loop), message, lines, advice)
            break


def loop_variable(source: Source, loop: Node) -> str | None:
    """The variable that a ``for`` steps."""
    update = loop.child_by_field_name("update")
    if update is None:
        return None
    stepped = update.child_by_field_name("argument") or update.child_by_field_name("left")
    return source.text(stepped) if stepped is not None and stepped.type == "identifier" else None


def subscripts(source: Source, access: Node) -> tuple[str, list[Node]]:
    """Name and indices of ``a[i][j]``, outermost dimension first."""
    indices: list[Node] = []
    node: Node | None = access
    while node is not None and node.type == "subscript_expression":
        written = node.child_by_field_name("indices")
        if written is not None and written.named_children:
            indices.insert(0, written.named_children[0])
        node = node.child_by_field_name("argument")
    return source.text(node), indices


def strides(source: Source, access: Node, variable: str) -> bool:
    """Whether neighbouring values of the variable lie far apart."""
    _, indices = subscripts(source, access)
    if not indices:
        return False
    last = indices[-1]
    if variable in source.names(last):
        return _multiplied(source, last, variable) and not _alone(source, last, variable)
    # A look-up a[p[k]] jumps too, but no order of loops helps against that.
    return any(index.type == "identifier" and source.text(index) == variable for index in indices[:-1])


def _terms(node: Node) -> Iterator[Node]:
    if node.type == "parenthesized_expression" and node.named_children:
        yield from _terms(node.named_children[0])
    elif node.type == "binary_expression" and _operator(node) in {"+", "-"}:
        for side in ("left", "right"):
            if (child := node.child_by_field_name(side)) is not None:
                yield from _terms(child)
    else:
        yield node


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def _multiplied(source: Source, index: Node, variable: str) -> bool:
    """Whether a term multiplies the variable by something that is not a small number."""
    for term in _terms(index):
        if term.type != "binary_expression" or _operator(term) != "*" or variable not in source.names(term):
            continue
        sides = [side for name in ("left", "right") if (side := term.child_by_field_name(name)) is not None]
        numbers = [source.text(side) for side in sides if side.type == "number_literal"]
        if not any(number.isdigit() and int(number) < 8 for number in numbers):
            return True
    return False


def _alone(source: Source, index: Node, variable: str) -> bool:
    return any(term.type == "identifier" and source.text(term) == variable for term in _terms(index))


def _contiguous(source: Source, access: Node) -> frozenset[str]:
    """Variables whose neighbouring values lie next to each other."""
    _, indices = subscripts(source, access)
    return frozenset(source.text(term) for term in _terms(indices[-1]) if term.type == "identifier")


def _outer_variables(source: Source, loop: Node) -> Iterator[str]:
    up = enclosing(loop, "for_statement", *BODIES)
    while up is not None and up.type == "for_statement":
        if (variable := loop_variable(source, up)) is not None:
            yield variable
        up = enclosing(up, "for_statement", *BODIES)
