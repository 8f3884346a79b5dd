"""Readers: formatted input parsed from blocks instead of through the locale machinery."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import declarations_hunk, replace
from maxcode_lsp.policy.rewrites.input_classes import block_input, raw_input, text_input
from maxcode_lsp.policy.rewrites.rule import Rewrite, fast_input, register
from maxcode_lsp.policy.rewrites.streams import STDIO_INPUT
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk

_KEPT_MEMBERS = ("tie", "sync_with_stdio")
_MEMBERS = ("eof", "fail", "good", "clear", "get", "peek", "ignore")
_FORMATS = (
    "hex",
    "oct",
    "noskipws",
    "skipws",
    "boolalpha",
    "setw",
    "setbase",
    "get_time",
    "get_money",
    "rdbuf",
    "imbue",
)


def _introduce(unit: Unit, made: tuple[str, tuple[str, ...]]) -> list[Hunk]:
    text, headers = made
    return [*(hunk for header in headers for hunk in unit.include_hunk(header)), declarations_hunk(unit, text)]


def _parts_by_type(unit: Unit) -> set[str]:
    words = {unit.text(node) for node in unit.walk("primitive_type", "type_identifier")}
    parts = {"float"} if words & {"double", "float"} else set[str]()
    parts |= {"char"} if "char" in words else set()
    return parts | ({"string"} if "string" in words or unit.uses("string") else set())


def overloads(unit: Unit, operator: str) -> bool:
    """Whether the unit defines this operator for types of its own."""
    return any(unit.text(node).replace(" ", "") == f"operator{operator}" for node in unit.walk("operator_name"))


def whole_name(leaf: Node) -> Node:
    """``std::cin`` for its leaf ``cin``."""
    up = leaf.parent
    return up if up is not None and up.type == "qualified_identifier" else leaf


@register
class BulkInput:
    id = "bulk-input"
    family = "readers"
    rationale = "Input is read in blocks and parsed directly, not through iostream's locale machinery."
    gain = 3.0
    finding_kinds = ("stream-input",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        yield from _instead_of_cin(unit, "fast_in", block_input)


@fast_input
@register
class RawInput:
    id = "raw-input"
    family = "readers"
    rationale = "Input is read at once and parsed without checks; malformed numbers give other values than before."
    gain = 3.3
    finding_kinds = ("stream-input",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        yield from _instead_of_cin(unit, "raw_in", raw_input)


def _instead_of_cin(
    unit: Unit, name: str, make: Callable[[set[str]], tuple[str, tuple[str, ...]]]
) -> Iterator[Rewrite]:
    leaves = unit.identifiers.get("cin", [])
    if not leaves or unit.standard < 17 or unit.in_macro("cin") or unit.uses("fast_in", "raw_in"):
        return
    if unit.uses(*STDIO_INPUT, *_FORMATS) or overloads(unit, ">>"):
        return
    parts = _parts_by_type(unit)
    hunks: list[Hunk] = []
    lines: list[int] = []
    for leaf in leaves:
        change = _reading(unit, whole_name(leaf), parts, name)
        if change is None:
            return
        hunks += change
        lines.append(unit.line(leaf))
    if hunks:
        yield Rewrite((*_introduce(unit, make(parts)), *sorted(hunks)), tuple(lines))


def _reading(unit: Unit, node: Node, parts: set[str], name: str) -> list[Hunk] | None:
    """Hunks for one place that names a stream, noting the parts it needs; None if it cannot be changed."""
    up = node.parent
    if up is None:
        return None
    changed = [replace(node, name)]
    if up.type == "field_expression":
        taken = unit.text_of(up, "field")
        if taken in _KEPT_MEMBERS:
            return []
        parts.add(taken)
        return changed if taken in _MEMBERS else None
    if up.type == "binary_expression" and unit.text_of(up, "operator") == ">>":
        if up.child_by_field_name("left") != node:
            return None
        chain: Node | None = up
        while chain is not None and chain.type == "binary_expression" and unit.text_of(chain, "operator") == ">>":
            if unit.text_of(chain, "right").removeprefix("std::") == "ws":
                parts.add("ws")
            chain = chain.parent
        return changed
    if up.type == "argument_list" and up.named_children[0] == node and up.parent is not None:
        function = up.parent.child_by_field_name("function")
        if function is not None and unit.text(function) in ("getline", "std::getline"):
            parts |= {"getline", "string"}
            return [replace(function, "getline"), *changed]
        return None
    if up.type == "condition_clause" or (up.type == "unary_expression" and unit.text(up).startswith("!")):
        return changed
    return None


@register
class BulkText:
    id = "bulk-text"
    family = "readers"
    rationale = "The line is parsed where it is, without a string stream and its locale."
    gain = 2.5
    finding_kinds = ("stream-input", "string-building", "allocation")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.standard < 17 or unit.uses("FastText", *_FORMATS) or overloads(unit, ">>"):
            return
        for variable in unit.variables:
            head = unit.type_of(variable).head
            if head not in ("stringstream", "istringstream") or variable.kind != "local" or variable.form != "value":
                continue
            if not variable.alone or (
                variable.initial is not None and unit.text(variable.initial)[:1] not in ("(", "{")
            ):
                continue
            parts = _parts_by_type(unit)
            # The name stays, so only what the places need is kept of the answer.
            changes = [_place(unit, leaf, parts) for leaf in variable.uses]
            if not changes or any(change is None for change in changes):
                continue
            hunks = sorted(hunk for change in changes if change is not None for hunk in change)
            lines = tuple(unit.line(leaf) for leaf in (variable.name_node, *variable.uses))
            yield Rewrite((*_introduce(unit, text_input(parts)), replace(variable.type, "FastText"), *hunks), lines)


def _place(unit: Unit, leaf: Node, parts: set[str]) -> list[Hunk] | None:
    up = leaf.parent
    if up is not None and up.type == "field_expression" and unit.text_of(up, "field") == "str":
        call = up.parent
        given = call.child_by_field_name("arguments") if call is not None else None
        return [] if given is not None and given.named_children else None
    changed = _reading(unit, leaf, parts, unit.text(leaf))
    return [hunk for hunk in changed if hunk.replacement.decode() != unit.text(leaf)] if changed is not None else None


_CONVERSION = re.compile(r"\s*%(d|u|ld|lld|lu|llu|zu|hd|f|lf|s)|\s+%c")


@register
class ScanfReader:
    id = "scanf-reader"
    family = "readers"
    rationale = "Numbers are parsed from blocks of input instead of by scanf, which reads its format each time."
    gain = 2.5
    finding_kinds = ("stream-input",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.standard < 17 or not unit.uses("scanf") or unit.uses("cin", "FastInput", "fast_in"):
            return
        others = set(STDIO_INPUT) - {"scanf", "getchar", "getchar_unlocked"}
        if unit.uses(*others) or unit.in_macro("scanf") or unit.in_macro("getchar"):
            return
        parts = {"scan"}
        hunks: list[Hunk] = []
        lines: list[int] = []
        for name in ("scanf", "getchar", "getchar_unlocked"):
            for leaf in unit.identifiers.get(name, ()):
                call = whole_name(leaf).parent
                change = self._change(unit, call, parts) if call is not None else None
                if change is None:
                    return
                hunks.append(change)
                lines.append(unit.line(leaf))
        yield Rewrite((*_introduce(unit, block_input(parts)), *sorted(hunks)), tuple(lines))

    @staticmethod
    def _change(unit: Unit, call: Node, parts: set[str]) -> Hunk | None:
        given = call.child_by_field_name("arguments")
        if call.type != "call_expression" or given is None:
            return None
        if "getchar" in unit.text_of(call, "function"):
            return replace(call, "fast_in.getc()")
        arguments = given.named_children
        if not arguments or arguments[0].type != "string_literal":
            return None
        text = unit.text(arguments[0])[1:-1].replace("\\n", " ")
        conversions = [match.group().strip() for match in _CONVERSION.finditer(text)]
        if _CONVERSION.sub("", text).strip() or len(conversions) != len(arguments) - 1:
            return None
        targets: list[str] = []
        for conversion, argument in zip(conversions, arguments[1:], strict=True):
            written = unit.text(argument)
            if conversion == "%s":
                parts.add("token")
                targets.append(f"FastInput::Token{{{written}}}")
                continue
            if conversion in ("%f", "%lf"):
                parts.add("float")
            elif conversion == "%c":
                parts.add("char")
            simple = argument.type == "pointer_expression" and written.startswith("&")
            targets.append(written[1:].strip() if simple else f"*({written})")
        return replace(call, f"fast_in.scan({', '.join(targets)})")
