"""Streams: how standard input and output are buffered and flushed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import insert, remove, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk

STDIO_INPUT = ("scanf", "getchar", "getchar_unlocked", "getc", "fgetc", "fgets", "gets", "fread", "stdin", "vscanf")
STDIO_OUTPUT = ("printf", "puts", "putchar", "putchar_unlocked", "fputs", "fputc", "fwrite", "stdout", "vprintf")
ENDS_EARLY = ("fork", "abort", "_exit", "quick_exit", "_Exit", "system", "popen", "raise", "kill")


def mixes_stdio(unit: Unit) -> bool:
    """Whether one direction is used through both iostream and stdio, so that they must stay in step."""
    reads = unit.uses("cin") and unit.uses(*STDIO_INPUT)
    writes = unit.uses("cout") and unit.uses(*STDIO_OUTPUT)
    return reads or writes


def main_body(unit: Unit) -> Node | None:
    """The block of ``main``."""
    mains = unit.functions.get("main", [])
    body = mains[0].child_by_field_name("body") if len(mains) == 1 else None
    return body if body is not None and body.type == "compound_statement" else None


def _has_iostream(unit: Unit) -> bool:
    return any(header in ("iostream", "bits/stdc++.h") for header in unit.includes)


def _at_start_of_main(unit: Unit, *statements: str) -> Hunk | None:
    body = main_body(unit)
    if body is None or not unit.text(body).startswith("{"):
        return None
    first = body.named_children[0] if body.named_children else None
    indent = unit.indent(first) if first is not None and first.start_point[0] > body.start_point[0] else ""
    indent = indent or unit.indent(body) + "    "
    return insert(body.start_byte + 1, "".join(f"\n{indent}{statement}" for statement in statements))


@trusted
@register
class StreamSync:
    id = "stream-sync"
    family = "streams"
    rationale = "iostream no longer keeps in step with stdio, so it buffers and reads in blocks."
    gain = 2.5
    finding_kinds = ("stream-input", "stream-output")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if not unit.uses("cin", "cout") or unit.uses("sync_with_stdio") or mixes_stdio(unit):
            return
        statements = ["std::ios::sync_with_stdio(false);"]
        if unit.uses("cin") and not unit.uses("tie"):
            statements.append("std::cin.tie(nullptr);")
        hunk = _at_start_of_main(unit, *statements) if _has_iostream(unit) else None
        if hunk is not None:
            lines = tuple(unit.line(n) for name in ("cin", "cout") for n in unit.identifiers.get(name, ()))
            yield Rewrite((hunk,), lines)


@trusted
@register
class StreamTie:
    id = "stream-tie"
    family = "streams"
    rationale = "Reading from cin no longer flushes cout first."
    gain = 1.3
    finding_kinds = ("flush-in-loop", "stream-input", "stream-output")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses("tie") or not (unit.uses("cin") and unit.uses("cout")) or not _has_iostream(unit):
            return
        # Where stream-sync applies it does this as well.
        if unit.uses("sync_with_stdio") or mixes_stdio(unit):
            hunk = _at_start_of_main(unit, "std::cin.tie(nullptr);")
            if hunk is not None:
                yield Rewrite((hunk,), tuple(unit.line(n) for n in unit.identifiers["cin"]))


def _operand(unit: Unit, leaf: Node) -> Node | None:
    """The whole operand ``std::endl`` for its leaf, if it is the right side of a ``<<``."""
    node = leaf
    if leaf.parent is not None and leaf.parent.type == "qualified_identifier":
        node = leaf.parent
    up = node.parent
    if up is None or up.type != "binary_expression" or up.child_by_field_name("right") != node:
        return None
    return node if unit.text_of(up, "operator") == "<<" else None


def _first_of_chain(unit: Unit, operand: Node) -> str:
    node = operand.parent
    while node is not None and node.type == "binary_expression" and unit.text_of(node, "operator") == "<<":
        node = node.child_by_field_name("left")
    return unit.text(node).removeprefix("std::") if node is not None else ""


@trusted
@register
class EndlNewline:
    id = "endl-newline"
    family = "streams"
    rationale = "A line end alone, without a flush to the system on each line."
    gain = 3.0
    finding_kinds = ("flush-in-loop", "stream-output")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses(*ENDS_EARLY):
            return
        for macro in unit.walk("preproc_def"):
            if unit.text_of(macro, "name") == "endl":
                return
            value = macro.child_by_field_name("value")
            if value is not None and re.fullmatch(r"\s*(std\s*::\s*)?endl\s*", unit.text(value)):
                yield Rewrite((replace(value, " '\\n'"),), (unit.line(macro),))
        for leaf in unit.identifiers.get("endl", ()):
            operand = _operand(unit, leaf)
            if operand is not None and _first_of_chain(unit, operand) not in ("cerr", "clog"):
                yield Rewrite((replace(operand, "'\\n'"),), (unit.line(operand),))


_UNBUFFERED = re.compile(
    r"fflush ?\( ?(stdout|NULL|nullptr|0)? ?\)"
    r"|setbuf ?\( ?stdout ?, ?(NULL|nullptr|0) ?\)"
    r"|setvbuf ?\( ?stdout ?,.*, ?_IONBF ?,.*\)"
    r"|(std::)?cout ?\. ?flush ?\( ?\)"
    r"|(std::)?cout ?\. ?setf ?\( ?(std::)?(ios|ios_base) ?:: ?unitbuf ?\)"
    r"|(std::)?cout ?<< ?(std::)?(flush|unitbuf)"
)


@trusted
@register
class FlushRemoval:
    id = "flush-removal"
    family = "streams"
    rationale = "Output leaves in large blocks: explicit flushes and unbuffered mode are gone."
    gain = 3.0
    finding_kinds = ("flush-in-loop", "stream-output")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses(*ENDS_EARLY) or not unit.uses("fflush", "setbuf", "setvbuf", "flush", "unitbuf"):
            return
        for statement in unit.walk("expression_statement"):
            text = " ".join(unit.text(statement).rstrip(";").split())
            if _UNBUFFERED.fullmatch(text):
                yield Rewrite((remove(unit, statement),), (unit.line(statement),))
        for leaf in unit.identifiers.get("flush", ()):
            operand = _operand(unit, leaf)
            left = operand.parent.child_by_field_name("left") if operand is not None and operand.parent else None
            if operand is None or left is None or left.type != "binary_expression":
                continue
            if _first_of_chain(unit, operand) not in ("cerr", "clog"):
                yield Rewrite((Hunk(left.end_byte, operand.end_byte, b""),), (unit.line(operand),))


@trusted
@register
class UnlockedCharacters:
    id = "unlocked-characters"
    family = "streams"
    rationale = "One thread only: single characters are read and written without taking a lock each time."
    gain = 1.6
    finding_kinds = ("stream-input", "stream-output")

    _NAMES = ("getchar", "putchar", "getc", "putc", "fgetc", "fputc")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses("thread", "jthread", "async", "pthread_create") or "-fopenmp" in unit.flags:
            return
        hunks: list[Hunk] = []
        lines: list[int] = []
        for call in unit.walk("call_expression"):
            function = call.child_by_field_name("function")
            name = unit.text(function).removeprefix("std::") if function is not None else ""
            if function is not None and name in self._NAMES:
                hunks.append(replace(function, f"{name}_unlocked"))
                lines.append(unit.line(call))
        if hunks:
            yield Rewrite(tuple(hunks), tuple(lines))
