"""Writers: formatted output collected and printed in large blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import declarations_hunk, replace
from maxcode_lsp.policy.rewrites.output_class import block_output
from maxcode_lsp.policy.rewrites.readers import overloads, whole_name
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.streams import ENDS_EARLY, STDIO_OUTPUT
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk

_KEPT_MEMBERS = ("tie", "sync_with_stdio")
_MEMBERS = ("flush", "put", "write", "precision")
_FORMATS = (
    *("setw", "setfill", "setbase", "put_time", "hex", "oct", "boolalpha", "scientific", "hexfloat", "defaultfloat"),
    *("showpoint", "showpos", "unitbuf", "imbue", "copyfmt", "rdbuf", "setf", "unsetf"),
)


def _introduce(unit: Unit, parts: set[str]) -> list[Hunk]:
    text, headers = block_output(parts)
    return [*(hunk for header in headers for hunk in unit.include_hunk(header)), declarations_hunk(unit, text)]


def _threaded(unit: Unit) -> bool:
    return unit.uses("thread", "jthread", "async", "pthread_create") or "-fopenmp" in unit.flags


@register
class BulkOutput:
    id = "bulk-output"
    family = "writers"
    rationale = "Output is collected in a block and printed at once, not formatted through iostream piece by piece."
    gain = 2.2
    finding_kinds = ("stream-output",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        leaves = unit.identifiers.get("cout", [])
        if not leaves or unit.standard < 17 or unit.in_macro("cout") or unit.uses("FastOutput", "fast_out"):
            return
        if unit.uses(*STDIO_OUTPUT, *_FORMATS, *ENDS_EARLY) or overloads(unit, "<<") or _threaded(unit):
            return
        parts = {"manipulators"} if unit.uses("endl", "flush") or unit.in_macro("endl") else set[str]()
        words = {unit.text(node) for node in unit.walk("primitive_type")}
        if words & {"double", "float"} or unit.uses("fixed", "setprecision", "sqrt", "pow"):
            parts.add("float")
        if unit.uses("string", "to_string", "string_view", "str"):
            parts.add("string")
        hunks: list[Hunk] = []
        lines: list[int] = []
        for leaf in leaves:
            change = self._change(unit, whole_name(leaf), parts)
            if change is None:
                return
            hunks += change
            lines.append(unit.line(leaf))
        if hunks:
            yield Rewrite((*_introduce(unit, parts), *hunks), tuple(lines))

    @staticmethod
    def _change(unit: Unit, node: Node, parts: set[str]) -> list[Hunk] | None:
        """Hunks for one place that names cout, noting the parts it needs; None if it cannot be changed."""
        up = node.parent
        if up is None:
            return None
        if up.type == "field_expression":
            name = unit.text_of(up, "field")
            if name in _KEPT_MEMBERS:
                return []
            parts.add("float" if name == "precision" else name)
            return [replace(node, "fast_out")] if name in _MEMBERS else None
        if up.type == "binary_expression" and up.child_by_field_name("left") == node:
            return [replace(node, "fast_out")] if unit.text_of(up, "operator") == "<<" else None
        return None


_PIECE = re.compile(r"%(?:(?P<plain>d|i|u|ld|li|lld|lli|lu|llu|zu|c|s|%)|\.(?P<digits>\d)l?f|(?P<float>l?f))")
_CASTS = {
    "d": "int",
    "i": "int",
    "u": "unsigned",
    "ld": "long",
    "li": "long",
    "lld": "long long",
    "lli": "long long",
    "lu": "unsigned long",
    "llu": "unsigned long long",
    "zu": "std::size_t",
    "c": "char",
}


@register
class PrintfWriter:
    id = "printf-writer"
    family = "writers"
    rationale = "Output is collected in a block; printf no longer reads its format on each call."
    gain = 1.8
    finding_kinds = ("stream-output",)

    _NAMES = ("printf", "puts", "putchar", "putchar_unlocked")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.standard < 17 or not unit.uses("printf") or unit.uses("cout", "FastOutput", "fast_out"):
            return
        others = (set(STDIO_OUTPUT) - set(self._NAMES)) | {*ENDS_EARLY, "fprintf", "fflush"}
        if unit.uses(*others) or any(map(unit.in_macro, self._NAMES)) or _threaded(unit):
            return
        parts = set[str]()
        hunks: list[Hunk] = []
        lines: list[int] = []
        for name in self._NAMES:
            for leaf in unit.identifiers.get(name, ()):
                call = whole_name(leaf).parent
                change = self._change(unit, call, parts) if call is not None else None
                if change is None:
                    return
                hunks.append(change)
                lines.append(unit.line(leaf))
        yield Rewrite((*_introduce(unit, parts), *sorted(hunks)), tuple(lines))

    def _change(self, unit: Unit, call: Node, parts: set[str]) -> Hunk | None:
        given = call.child_by_field_name("arguments")
        up = call.parent
        # Elsewhere the number of printed characters could be read.
        if call.type != "call_expression" or given is None or up is None or up.type != "expression_statement":
            return None
        arguments = given.named_children
        name = unit.text_of(call, "function").removeprefix("std::")
        if name == "printf":
            chain = self._chain(unit, arguments, parts)
            return replace(call, chain) if chain is not None else None
        if len(arguments) != 1:
            return None
        written = unit.text(arguments[0])
        if name == "puts":
            return replace(call, f"fast_out << static_cast<const char*>({written}) << '\\n'")
        return replace(call, f"fast_out << static_cast<char>({written})")

    @staticmethod
    def _chain(unit: Unit, arguments: list[Node], parts: set[str]) -> str | None:
        """What replaces a printf with these arguments; None if a conversion has no exact counterpart."""
        if not arguments or arguments[0].type != "string_literal":
            return None
        text, values, chain = unit.text(arguments[0])[1:-1], iter(arguments[1:]), "fast_out"
        literal, at = "", 0
        for match in [*_PIECE.finditer(text), None]:
            literal += text[at : match.start() if match else len(text)]
            if literal.replace("%%", "").count("%"):
                return None
            at = match.end() if match else at
            if match is not None and match["plain"] == "%":
                literal += "%%"
                continue
            if literal:
                chain += f' << "{literal.replace("%%", "%")}"'
                literal = ""
            if match is None:
                break
            value = next(values, None)
            if value is None:
                return None
            written = unit.text(value)
            if match["plain"] == "s":
                chain += f" << static_cast<const char*>({written})"
            elif match["plain"]:
                chain += f" << static_cast<{_CASTS[match['plain']]}>({written})"
            else:
                parts.add("fixed")
                start = f"({chain})" if " " in chain else chain
                chain = f"{start}.fixed({written}, {match['digits'] or 6})"
        return chain if chain != "fast_out" and next(values, None) is None else None
