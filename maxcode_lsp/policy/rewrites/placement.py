"""Putting new statements and names into a unit so that they fit what is there and each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import in_block, insert
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk


def merge(*groups: Iterable[Hunk]) -> tuple[Hunk, ...]:
    """All hunks in order; empty (no rewrite) where two of them overlap."""
    hunks = sorted(dict.fromkeys(hunk for group in groups for hunk in group), key=lambda h: (h.start, h.end))
    for one, other in pairwise(hunks):
        if one.end > other.start:
            return ()
    return tuple(hunks)


def lines(unit: Unit, node: Node) -> tuple[int, ...]:
    """All lines that a node covers, from 1."""
    return tuple(range(unit.line(node), node.end_point[0] + 2))


def around(unit: Unit, statement: Node, before: Sequence[str], after: Sequence[str] = ()) -> tuple[Hunk, ...]:
    """Put statements before and after one; in braces of their own where it stands without any."""
    indent = unit.indent(statement)
    own_line = unit.data[: statement.start_byte].rpartition(b"\n")[2].strip() == b""
    gap = "\n" + indent if own_line else " "
    first, last = gap.join(before), gap.join(after)
    if in_block(statement):
        hunks = [insert(statement.start_byte, first + gap)] if before else []
        return (*hunks, insert(statement.end_byte, gap + last)) if after else tuple(hunks)
    opening = "{" + gap + (first + gap if before else "")
    closing = (gap + last if after else "") + gap + "}"
    return (insert(statement.start_byte, opening), insert(statement.end_byte, closing))


class Names:
    """Hands out names that the unit does not use; never the same twice, so that rewrites combine."""

    def __init__(self, unit: Unit) -> None:
        self._taken = set(unit.identifiers)

    def fresh(self, stem: str) -> str:
        name, count = stem, 1
        while name in self._taken:
            count += 1
            name = f"{stem}_{count}"
        self._taken.add(name)
        return name


def identifier(text: str) -> str:
    """A readable name for an expression: ``row_a_i`` for ``row_a[i]``."""
    name = re.sub(r"[\W_]+", "_", text).strip("_")
    name = re.sub(r"^(\d)", r"v\1", name)
    return name if 0 < len(name) <= 32 else name[:32].rstrip("_") or "value"


def short(text: str) -> str:
    """An expression as it can stand in a sentence."""
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "…"
