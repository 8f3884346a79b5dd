"""Indexes: an element of a growing vector found by its key in a hash table instead of by a search from the start."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from maxcode_lsp.policy.rewrites.containers import hashable
from maxcode_lsp.policy.rewrites.edits import insert, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import qualified
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import access, lines_of, member, method_call, passed_to, ranged
from maxcode_lsp.records import Hunk

_GROWS_ONLY = frozenset({"push_back", "emplace_back", "size", "empty", "at", "back", "front", "reserve", "[]"})
_READERS = frozenset({"accumulate", "count", "count_if", "find", "find_if", "any_of", "all_of", "max_element"})


class _Search(Struct, frozen=True):
    """A loop that takes the first element with a key and leaves."""

    loop: Node
    test: Node
    variable: Variable
    field: str
    """The member that is the key; empty for the element itself."""
    key: str
    item: str
    """How the loop declares its element, ``auto& x``, or its counter, ``int i``."""
    by_index: bool


@register
class IndexBeside:
    id = "index-beside-vector"
    family = "indexes"
    rationale = "An index by key beside the vector finds the element without a search from the start."
    gain = 10.0
    finding_kinds = ("linear-search", "empirical-complexity", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.standard < 17:
            return
        for variable in unit.variables:
            kind = unit.type_of(variable)
            if kind.head != "vector" or variable.form != "value" or variable.kind not in ("field", "global"):
                continue
            if len(kind.arguments) != 1 or unit.in_macro(variable.name) or not self._grows_only(unit, variable):
                continue
            searches = [search for leaf in variable.uses if (search := _search(unit, leaf, variable)) is not None]
            for field in sorted({search.field for search in searches}):
                key = _key_type(unit, kind.arguments[0], field)
                if key is not None and not _key_changes(unit, variable, field):
                    chosen = [search for search in searches if search.field == field]
                    yield self._rewrite(unit, variable, field, key, chosen)

    @staticmethod
    def _grows_only(unit: Unit, variable: Variable) -> bool:
        """Whether the vector's elements keep their places."""
        for leaf in variable.uses:
            taken, up = member(unit, leaf), access(leaf).parent
            if taken in ("begin", "end", "cbegin", "cend"):
                call = method_call(leaf)
                outer = call.parent if call is not None else None
                compared = outer is not None and outer.type == "binary_expression"
                if not compared and (call is None or passed_to(unit, call) not in _READERS):
                    return False
            elif taken is not None and taken not in _GROWS_ONLY:
                return False
            elif taken is None and up is not None and up.type == "assignment_expression":
                return up.child_by_field_name("left") != access(leaf)
        return True

    @staticmethod
    def _rewrite(unit: Unit, variable: Variable, field: str, key: str, searches: list[_Search]) -> Rewrite:
        taken = set[str]()
        index = unit.fresh(f"{variable.name}_by_{field or 'value'}", taken)
        known = unit.fresh(f"{variable.name}_known", taken)
        found = unit.fresh(f"{variable.name}_found", taken)
        declaration = variable.declaration
        lead = "mutable " if variable.kind == "field" else ""
        indent = unit.indent(declaration)
        made = f"\n{indent}{lead}std::unordered_map<{key}, std::size_t> {index};"
        made += f"\n{indent}{lead}std::size_t {known} = 0;"
        hunks = [insert(declaration.end_byte, made), *(_looked_up(unit, s, index, known, found) for s in searches)]
        said = (
            f"An index by {field or 'value'} beside “{variable.name}” finds an element without a search from the start."
        )
        return Rewrite((*unit.include_hunk("unordered_map"), *sorted(hunks)), lines_of(unit, variable), said)


def _search(unit: Unit, leaf: Node, variable: Variable) -> _Search | None:
    """The search loop that a use of the vector belongs to: it stands in the loop's head."""
    loop = ranged(leaf) or unit.enclosing(leaf, "for_statement")
    if loop is None or access(leaf) != leaf:
        return None
    test = loop.child_by_field_name("body")
    if test is not None and test.type == "compound_statement" and len(test.named_children) == 1:
        test = test.named_children[0]
    if test is None or test.type != "if_statement" or test.child_by_field_name("alternative") is not None:
        return None
    condition = re.sub(r"\s+", "", unit.text_of(test, "condition"))
    name = re.escape(variable.name)
    if loop.type == "for_range_loop":
        declared = re.fullmatch(r"((?:const\s+)?[\w:]+\s*&?)\s*(\w+)", _declared(unit, loop))
        if declared is None:
            return None
        item, element, by_index = f"{declared.group(1)} {declared.group(2)}", re.escape(declared.group(2)), False
    else:
        head = re.fullmatch(
            rf"for\s*\(\s*([\w:]+)\s+(\w+)\s*=\s*0\s*;\s*\2\s*<\s*(?:\(int\)\s*)?{name}\.size\(\)\s*;\s*(?:\+\+\2|\2\+\+)\s*\)",
            unit.data[loop.start_byte : _body_start(loop)].decode(errors="replace").strip(),
        )
        if head is None or not loop.start_byte <= leaf.start_byte < _body_start(loop):
            return None
        item, element, by_index = f"{head.group(1)} {head.group(2)}", rf"{name}\[{head.group(2)}\]", True
    match = re.fullmatch(rf"\({element}(?:\.(?P<f>\w+))?==(?P<k>[\w.]+)\)", condition) or re.fullmatch(
        rf"\((?P<k>[\w.]+)=={element}(?:\.(?P<f>\w+))?\)", condition
    )
    if match is None or not _leaves(unit, test) or match["k"].split(".")[0] in (variable.name, item.split()[-1]):
        return None
    return _Search(loop, test, variable, match["f"] or "", match["k"], item, by_index)


def _declared(unit: Unit, loop: Node) -> str:
    """``const auto& x`` of ``for (const auto& x : v)``."""
    written, over = loop.child_by_field_name("type"), loop.child_by_field_name("right")
    if written is None or over is None:
        return ""
    start = unit.data.index(b"(", loop.start_byte) + 1
    return unit.data[start : over.start_byte].decode(errors="replace").strip().removesuffix(":").strip()


def _body_start(loop: Node) -> int:
    body = loop.child_by_field_name("body")
    return body.start_byte if body is not None else loop.end_byte


def _leaves(unit: Unit, test: Node) -> bool:
    """Whether what is done with the element ends the search."""
    then = test.child_by_field_name("consequence")
    last = then
    if then is not None and then.type == "compound_statement":
        last = then.named_children[-1] if then.named_children else None
    if then is None or last is None or last.type not in ("return_statement", "break_statement"):
        return False
    return sum(1 for _ in unit.walk("break_statement", "continue_statement", under=then)) == (
        1 if last.type == "break_statement" else 0
    )


def _key_type(unit: Unit, element: str, field: str) -> str | None:
    """The written type of the key, if it can be hashed."""
    if not field:
        return qualified(element) if hashable(element) else None
    for variable in unit.variables:
        if variable.kind != "field" or variable.name != field or variable.form != "value":
            continue
        owner = unit.enclosing(variable.declaration, "struct_specifier", "class_specifier")
        if owner is not None and unit.text_of(owner, "name") == element:
            kind = str(unit.type_of(variable))
            return qualified(kind) if hashable(kind) else None
    return None


def _key_changes(unit: Unit, variable: Variable, field: str) -> bool:
    """Whether a key may be written through the vector or through a reference to an element."""
    for node in unit.walk("assignment_expression", "update_expression"):
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target is None:
            continue
        if not field:
            if target.type == "subscript_expression" and unit.text_of(target, "argument") == variable.name:
                return True
        elif target.type == "field_expression" and unit.text_of(target, "field") == field:
            holder = unit.variable_of(target.child_by_field_name("argument"))
            own = holder is not None and holder.form == "value" and unit.text_of(target, "operator") == "."
            if not own and unit.text_of(target, "argument") != "this":
                return True
    return False


def _looked_up(unit: Unit, search: _Search, index: str, known: str, found: str) -> Hunk:
    """The loop becomes a look-up in the index, which first takes in what was added since the last time."""
    table, field = search.variable.name, f".{search.field}" if search.field else ""
    then = search.test.child_by_field_name("consequence")
    assert then is not None
    inner = then.named_children if then.type == "compound_statement" else [then]
    kept = [unit.text(node) for node in inner if node.type != "break_statement"]
    indent = unit.indent(search.loop)
    place = f"{found}->second"
    element = f"{search.item} = {place if search.by_index else f'{table}[{place}]'};"
    lines = [
        f"for (; {known} < {table}.size(); ++{known}) {index}.emplace({table}[{known}]{field}, {known});",
        f"if (const auto {found} = {index}.find({search.key}); {found} != {index}.end()) {{",
        f"    {element}",
        *(f"    {text}" for text in kept),
        "}",
    ]
    return replace(search.loop, f"\n{indent}".join(lines))
