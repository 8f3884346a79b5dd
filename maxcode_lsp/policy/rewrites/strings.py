"""Strings: built, compared and searched without temporaries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import before_statement, in_block, insert, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import is_written, loop_around, methods

_PLAIN_CHARACTER = re.compile(r'"(\\[ntr0\\"]|[^"\\])"')


def is_string(unit: Unit, node: Node | None) -> bool:
    """Whether an expression is a variable of type ``std::string``."""
    variable = unit.variable_of(node)
    return variable is not None and variable.form in ("value", "reference") and str(unit.type_of(variable)) == "string"


def _summands(unit: Unit, node: Node) -> list[Node]:
    """``a``, ``b``, ``c`` of ``a + b + c``."""
    added: list[Node] = []
    while node.type == "binary_expression" and unit.text_of(node, "operator") == "+":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            break
        added.append(right)
        node = left
    return [node, *reversed(added)]


@trusted
@register
class AppendInPlace:
    id = "append-in-place"
    family = "strings"
    rationale = "The string grows in place instead of being copied for each addition."
    gain = 6.0
    finding_kinds = ("string-building", "allocation", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("assignment_expression"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None or unit.text_of(node, "operator") != "=" or not is_string(unit, left):
                continue
            first, *added = _summands(unit, right)
            name = unit.text(left)
            if not added or unit.text(first) != name or any(name in unit.text(part) for part in added):
                continue
            text = f"{name} += {unit.text(added[0])}"
            for part in added[1:]:
                text = f"({text}) += {unit.text(part)}"
            yield Rewrite((replace(node, text),), (unit.line(node),))


@trusted
@register
class CharacterAppend:
    id = "character-append"
    family = "strings"
    rationale = "One character is appended as a character, not as a string."
    gain = 1.1
    finding_kinds = ("string-building",)

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("assignment_expression"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if unit.text_of(node, "operator") != "+=" or right is None or not is_string(unit, left):
                continue
            written = unit.text(right)
            one = re.fullmatch(r"(?:std::)?string\(1, ?([^,()]+)\)", written)
            if one is not None:
                yield Rewrite((replace(right, one.group(1)),), (unit.line(node),))
            elif (match := _PLAIN_CHARACTER.fullmatch(written)) is not None:
                yield Rewrite((replace(right, _character(match.group(1))),), (unit.line(node),))


def _character(text: str) -> str:
    return "'\\''" if text == "'" else "'\"'" if text == '\\"' else f"'{text}'"


def _substr(unit: Unit, node: Node | None) -> tuple[str, list[str]] | None:
    """String and arguments of ``s.substr(...)``."""
    if node is None or node.type != "call_expression":
        return None
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or given is None or function.type != "field_expression":
        return None
    if unit.text_of(function, "field") != "substr" or unit.text_of(function, "operator") == "->":
        return None
    return unit.text_of(function, "argument"), [unit.text(argument) for argument in given.named_children]


@trusted
@register
class SubstrCompare:
    id = "substr-compare"
    family = "strings"
    rationale = "Part of a string is compared where it is, without copying it out."
    gain = 2.0
    finding_kinds = ("string-building", "allocation")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for node in unit.walk("binary_expression"):
            operator = unit.text_of(node, "operator")
            if operator not in ("==", "!="):
                continue
            sides = node.child_by_field_name("left"), node.child_by_field_name("right")
            for taken, other in (sides, sides[::-1]):
                parts = _substr(unit, taken)
                if parts is not None and other is not None and parts[1]:
                    yield Rewrite((replace(node, self._compared(unit, *parts, other, operator)),), (unit.line(node),))
                    break

    @staticmethod
    def _compared(unit: Unit, string: str, arguments: list[str], other: Node, operator: str) -> str:
        character = _PLAIN_CHARACTER.fullmatch(unit.text(other))
        if character is not None and arguments[1:] == ["1"] and character.group(1) != "\\0":
            return f"{string}[{arguments[0]}] {operator} {_character(character.group(1))}"
        start, length = arguments[0], arguments[1] if len(arguments) > 1 else "std::string::npos"
        second = _substr(unit, other)
        if second is not None and second[1]:
            more = [*second[1], "std::string::npos"][:2]
            return f"{string}.compare({start}, {length}, {second[0]}, {', '.join(more)}) {operator} 0"
        return f"{string}.compare({start}, {length}, {unit.text(other)}) {operator} 0"


@trusted
@register
class StrlenHoist:
    id = "strlen-hoist"
    family = "strings"
    rationale = "The length of the text is counted once, not in each round of the loop."
    gain = 8.0
    finding_kinds = ("invariant-in-loop", "empirical-complexity", "string-building")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        taken = set[str]()
        for call in unit.walk("call_expression"):
            if unit.text_of(call, "function") not in ("strlen", "std::strlen"):
                continue
            loop = loop_around(call)
            given = call.child_by_field_name("arguments")
            if loop is None or given is None or loop.type == "do_statement" or not in_block(loop):
                continue
            condition = loop.child_by_field_name("condition")
            leaf = given.named_children[0] if given.named_children else None
            variable = unit.variable_of(leaf)
            if condition is None or not condition.start_byte <= call.start_byte < condition.end_byte:
                continue
            if variable is None or leaf is None or variable.name_node.start_byte > loop.start_byte:
                continue
            if any(
                loop.start_byte <= use.start_byte < loop.end_byte and self._changes(unit, use) for use in variable.uses
            ):
                continue
            name = unit.fresh(f"{variable.name}_length", taken)
            hoisted = before_statement(unit, loop, f"const auto {name} = {unit.text(call)};")
            yield Rewrite((hoisted, replace(call, name)), (unit.line(call), unit.line(loop)))

    @staticmethod
    def _changes(unit: Unit, use: Node) -> bool:
        up = use.parent
        if up is not None and up.type == "argument_list" and up.parent is not None:
            return not re.fullmatch(
                r"(std::)?(strlen|printf|puts|isalpha|isdigit|toupper|tolower|strcmp|strchr)",
                unit.text_of(up.parent, "function"),
            )
        if not is_written(unit, use):
            return False
        # A character in the middle may change; an end mark may not.
        assigned = unit.enclosing(use, "assignment_expression")
        target = assigned.child_by_field_name("left") if assigned is not None else None
        if target is None or assigned is None or target.type != "subscript_expression":
            return True
        return unit.text_of(assigned, "right").strip() in ("0", "'\\0'", "NULL")


_STREAMS = ("stringstream", "istringstream", "ostringstream")
_STICKY = (
    "fixed",
    "setprecision",
    "hex",
    "oct",
    "scientific",
    "boolalpha",
    "setfill",
    "precision",
    "setf",
    "exceptions",
)


@trusted
@register
class StringstreamReuse:
    id = "stringstream-reuse"
    family = "strings"
    rationale = "One string stream serves all rounds; making one each time sets up a locale and a buffer."
    gain = 1.6
    finding_kinds = ("string-building", "allocation", "stream-input")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses(*_STICKY):
            return
        moved = set[tuple[str, int]]()
        for variable in unit.variables:
            written = unit.type_of(variable).head
            declaration = variable.declaration
            loop = loop_around(declaration)
            if written not in _STREAMS or variable.kind != "local" or variable.form != "value" or not variable.alone:
                continue
            if loop is None or not in_block(loop) or not in_block(declaration) or _clashes(unit, variable, loop):
                continue
            initial = unit.text(variable.initial).strip() if variable.initial is not None else ""
            value = initial[1:-1].strip() if initial[:1] in ("(", "{") else initial
            if "," in value or "ios" in value:
                continue
            # Two of one name would meet before their loops.
            place = variable.name, loop.parent.start_byte if loop.parent is not None else 0
            if place in moved:
                continue
            moved.add(place)
            made = before_statement(unit, loop, f"{unit.text(variable.type)} {variable.name};")
            reset = (
                f"{variable.name}.clear();\n{unit.indent(declaration)}{variable.name}.str({value or 'std::string()'});"
            )
            yield Rewrite((made, replace(declaration, reset)), (unit.line(declaration),))


def _clashes(unit: Unit, variable: Variable, loop: Node) -> bool:
    """Whether the name means something else already where the loop stands."""
    return any(
        other is not variable
        and other.name == variable.name
        and other.kind in ("local", "parameter")
        and other.scope.start_byte <= loop.start_byte < other.scope.end_byte
        for other in unit.variables
    )


@trusted
@register
class RegexStatic:
    id = "regex-static"
    family = "strings"
    rationale = "The regular expression is compiled once, not each time the line is reached."
    gain = 8.0
    finding_kinds = ("string-building", "allocation", "invariant-in-loop")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            declaration, initial = variable.declaration, variable.initial
            if unit.type_of(variable).head != "regex" or variable.kind != "local" or variable.form != "value":
                continue
            if (
                initial is None
                or any(True for _ in unit.walk("identifier", "type_identifier", under=initial))
                or not variable.alone
            ):
                continue
            if loop_around(declaration) is None and unit.enclosing(declaration, "function_definition") in (
                unit.functions.get("main", [])
            ):
                continue
            written = unit.text(declaration)
            if written.startswith("static") or methods(unit, variable) == {"assign"}:
                continue
            lead = "static " if written.startswith("const") else "static const "
            yield Rewrite((insert(declaration.start_byte, lead),), (unit.line(declaration),))


_ONE_CHARACTER = re.compile(r"'.+'|\"(\\.|[^\"\\])\"|(?:\(char\)|char|static_cast<char>)\s*\(.+\)|to_string\(.+% ?10\)")


@register
class AppendThenReverse:
    id = "append-then-reverse"
    family = "strings"
    rationale = "Characters are appended and turned round once, not put in front of all others each time."
    gain = 4.0
    finding_kinds = ("string-building", "allocation", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable in unit.variables:
            first = unit.text(variable.initial) if variable.initial is not None else '""'
            if str(unit.type_of(variable)) != "string" or variable.kind != "local" or first not in ('""', "string()"):
                continue
            uses = [use for use in variable.uses if loop_around(use) is not None]
            loop = loop_around(variable.uses[0]) if variable.uses else None
            if loop is None or not in_block(loop) or variable.declaration.start_byte > loop.start_byte:
                continue
            inside = [use for use in uses if loop.start_byte <= use.start_byte < loop.end_byte]
            put = self._put_in_front(unit, variable.name, inside)
            if put is None or loop_around(variable.declaration) != loop_around(loop):
                continue
            statement, added = put
            name = variable.name
            turned = f"\n{unit.indent(loop)}std::reverse({name}.begin(), {name}.end());"
            hunks = (replace(statement, f"{name} += {added};"), insert(loop.end_byte, turned))
            yield Rewrite((*unit.include_hunk("algorithm"), *hunks), (unit.line(statement),))

    @staticmethod
    def _put_in_front(unit: Unit, name: str, uses: list[Node]) -> tuple[Node, str] | None:
        """The one statement that uses the string, and the character that it puts in front."""
        statement = unit.enclosing(uses[0], "expression_statement") if uses else None
        if statement is None or any(unit.enclosing(use, "expression_statement") != statement for use in uses):
            return None
        text = unit.text(statement).rstrip(";").strip()
        patterns = (
            rf"{name} = (?P<c>.+) \+ {name}",
            rf"{name}\.insert\(0, ?1, ?(?P<c>.+)\)",
            rf"{name}\.insert\({name}\.begin\(\), ?(?P<c>.+)\)",
        )
        for pattern in patterns:
            match = re.fullmatch(pattern, text)
            if match is not None and ("insert" in text or _ONE_CHARACTER.fullmatch(match["c"])):
                return statement, match["c"]
        return None
