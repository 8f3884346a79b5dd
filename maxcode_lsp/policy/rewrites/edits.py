"""Hunks for common edits of syntax nodes."""

from __future__ import annotations

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk


def replace(node: Node, text: str) -> Hunk:
    """The node's text becomes ``text``."""
    return Hunk(node.start_byte, node.end_byte, text.encode())


def insert(at: int, text: str) -> Hunk:
    """``text`` is put in at a byte offset."""
    return Hunk(at, at, text.encode())


def before_statement(unit: Unit, statement: Node, text: str) -> Hunk:
    """``text``, one statement, on a line of its own before another with the same indentation."""
    return insert(statement.start_byte, f"{text}\n{unit.indent(statement)}")


def remove(unit: Unit, statement: Node) -> Hunk:
    """The statement goes, with its line if it stands there alone; the only body of an ``if`` becomes ``;``."""
    if statement.parent is None or statement.parent.type != "compound_statement":
        return replace(statement, ";")
    start = unit.data.rfind(b"\n", 0, statement.start_byte) + 1
    end = unit.data.find(b"\n", statement.end_byte)
    before = unit.data[start : statement.start_byte]
    if end < 0 or before.strip() or unit.data[statement.end_byte : end].strip():
        return replace(statement, "")
    return Hunk(start, end + 1, b"")


def in_block(statement: Node) -> bool:
    """Whether statements can be put before this one as they are."""
    return statement.parent is not None and statement.parent.type == "compound_statement"


def declarations_hunk(unit: Unit, text: str) -> Hunk:
    """Own declarations after the includes, with an empty line around them."""
    at = unit.after_includes
    lead = "" if at == 0 or unit.data[at - 1 : at] == b"\n" else "\n"
    return insert(at, f"{lead}\n{text.strip()}\n")
