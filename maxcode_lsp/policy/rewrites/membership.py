"""Membership: “is it there already?” answered by a set beside the vector instead of a search through it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import arguments, called, parameters
from maxcode_lsp.policy.rewrites.containers import hashable
from maxcode_lsp.policy.rewrites.edits import declarations_hunk, insert, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register
from maxcode_lsp.policy.rewrites.scopes import Variable
from maxcode_lsp.policy.rewrites.typenames import qualified, read_type
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import (
    access,
    is_written,
    lines_of,
    loop_around,
    member,
    method_call,
    passed_to,
    ranged,
    subscript,
)
from maxcode_lsp.records import Hunk

_ORDER_ONLY = ("sort", "stable_sort", "reverse", "shuffle", "random_shuffle", "rotate")
_READS = ("size", "empty", "front", "back", "reserve", "capacity", "at", "cbegin", "cend")

INDEX_SET = """\
// Set of integers: small ones as marks in a table, all others hashed.
template <class Key>
class IndexSet {
    static constexpr std::uint64_t limit = 1 << 22;
    std::vector<char> marks;
    std::unordered_set<Key> others;

public:
    IndexSet() = default;
    template <class Iterator>
    IndexSet(Iterator from, Iterator to) {
        for (; from != to; ++from) insert(*from);
    }
    void insert(Key key) {
        const auto place = static_cast<std::uint64_t>(key);
        if (place >= limit) {
            others.insert(key);
            return;
        }
        if (place >= marks.size()) marks.resize(place * 2 + 16);
        marks[place] = 1;
    }
    std::size_t count(Key key) const {
        const auto place = static_cast<std::uint64_t>(key);
        return place >= limit ? others.count(key) : place < marks.size() && marks[place];
    }
    void clear() {
        marks.clear();
        others.clear();
    }
};
"""


class _Question(Struct, frozen=True):
    """One place that asks whether a vector has an element."""

    whole: Node
    value: str
    is_there: bool
    """Whether the answer is yes if the element is there."""
    names: list[Node]
    """The leaves in it that name the vector."""


def _vectors(unit: Unit) -> Iterator[tuple[Variable, str]]:
    """Vectors with elements that can be hashed, and the elements' type."""
    for variable in unit.variables:
        kind = unit.type_of(variable)
        if kind.head not in ("vector", "deque") or len(kind.arguments) != 1 or not hashable(kind.arguments[0]):
            continue
        if variable.form != "array" and not unit.in_macro(variable.name):
            yield variable, kind.arguments[0]


@register
class SetBeside:
    id = "set-beside-vector"
    family = "membership"
    rationale = "A hash set beside the vector answers whether an element is there, without a search from the start."
    gain = 12.0
    finding_kinds = ("linear-search", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        for variable, element in _vectors(unit):
            hunks = _beside(unit, variable, f"std::unordered_set<{qualified(element)}>", f"{variable.name}_set")
            if hunks is not None:
                said = f"A hash set beside “{variable.name}” answers whether an element is there, without a search."
                yield Rewrite((*unit.include_hunk("unordered_set"), *hunks), lines_of(unit, variable), said)


@register
class MarksBeside:
    id = "marks-beside-vector"
    family = "membership"
    rationale = "Marks beside the vector, one for each small integer, answer whether an element is there."
    gain = 14.0
    finding_kinds = ("linear-search", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.uses("IndexSet"):
            return
        for variable, element in _vectors(unit):
            kind = read_type(element, unit.aliases)
            if not kind.is_integer or str(kind) in ("bool", "char"):
                continue
            hunks = _beside(unit, variable, f"IndexSet<{element}>", f"{variable.name}_marks")
            if hunks is not None:
                said = (
                    f"Marks beside “{variable.name}”, one for each small integer, answer whether an element is there."
                )
                needed = (
                    hunk for header in ("cstdint", "unordered_set", "vector") for hunk in unit.include_hunk(header)
                )
                yield Rewrite((*needed, declarations_hunk(unit, INDEX_SET), *hunks), lines_of(unit, variable), said)


def _beside(unit: Unit, variable: Variable, kind: str, name: str) -> list[Hunk] | None:
    """Hunks that keep a set of this type and name beside the vector and ask it; None if it cannot be kept."""
    # A parameter's set is filled once, so only a constant one will do.
    fixed = variable.kind == "parameter" and "const" in unit.text(variable.declaration)
    if unit.uses(name) or (variable.kind == "parameter" and not fixed) or (variable.form != "value" and not fixed):
        return None
    calls = {call.start_byte: call for leaf in variable.uses if (call := _call_with(leaf)) is not None}
    questions = [question for call in calls.values() if (question := _asked(unit, call, variable)) is not None]
    again = variable.kind in ("field", "global") or any(loop_around(question.whole) for question in questions)
    made = _made(unit, variable, kind, name)
    if not questions or not again or made is None:
        return None
    hunks = [made]
    handled = set[int]()
    for question in questions:
        prefix = unit.text(access(question.names[0])).removesuffix(variable.name)
        # A whole call stands where any number will do as a truth value.
        sign = "" if question.whole.type == "call_expression" else " != 0" if question.is_there else " == 0"
        hunks.append(replace(question.whole, f"{prefix}{name}.count({question.value}){sign}"))
        handled |= {leaf.start_byte for leaf in question.names}
    for leaf in variable.uses:
        followed = _followed(unit, leaf, name) if leaf.start_byte not in handled else []
        if followed is None:
            return None
        hunks += followed
    return sorted(hunks)


def _made(unit: Unit, variable: Variable, kind: str, name: str) -> Hunk | None:
    """The declaration of the set, filled with what the vector has by then."""
    filled = f"{variable.name}.begin(), {variable.name}.end()"
    declaration = variable.declaration
    if variable.kind == "parameter":
        body = variable.scope.child_by_field_name("body")
        if body is None or body.type != "compound_statement" or not body.named_children:
            return None
        first = body.named_children[0]
        return insert(first.start_byte, f"const {kind} {name}({filled});\n{unit.indent(first)}")
    static = "static " if unit.text(declaration).startswith("static ") else ""
    braces = "" if variable.initial is None else f"{{{filled}}}" if variable.kind == "field" else f"({filled})"
    return insert(declaration.end_byte, f"\n{unit.indent(declaration)}{static}{kind} {name}{braces};")


def _call_with(leaf: Node) -> Node | None:
    """The call that has ``v`` or ``v.begin()`` as an argument."""
    given = (method_call(leaf) or access(leaf)).parent
    return given.parent if given is not None and given.type == "argument_list" else None


def _asked(unit: Unit, call: Node, variable: Variable) -> _Question | None:
    """Reads ``find(v.begin(), v.end(), x) != v.end()``, ``count(…) > 0`` and calls of a function that does so."""
    names = [leaf for leaf in variable.uses if call.start_byte <= leaf.start_byte < call.end_byte]
    given, up = arguments(call), call.parent
    name, target = called(unit, call)
    if call.type != "call_expression" or up is None or target is not None:
        return None
    if len(names) == 1 and len(given) == 2 and (places := _membership_function(unit, name)) is not None:
        table, value = given[places[0]], given[places[1]]
        return _Question(call, unit.text(value), True, names) if table == access(names[0]) else None
    if name not in ("find", "count") or len(given) != 3 or len(names) != 2:
        return None
    first, last, value = given
    if not unit.text(first).endswith("begin()") or not unit.text(last).endswith("end()"):
        return None
    if name == "count" and (up.type == "condition_clause" or unit.text(up).startswith("!")):
        return _Question(call, unit.text(value), True, names)
    if up.type != "binary_expression":
        return None
    operator = unit.text_of(up, "operator")
    left, right = up.child_by_field_name("left"), up.child_by_field_name("right")
    other = right if left == call else left
    compared = unit.text(other) if other is not None else ""
    if name == "find" and other is not None:
        more = [leaf for leaf in variable.uses if other.start_byte <= leaf.start_byte < other.end_byte]
        if len(more) != 1 or not compared.endswith("end()") or operator not in ("==", "!="):
            return None
        return _Question(up, unit.text(value), operator == "!=", [*names, *more])
    if (operator, compared) in ((">", "0"), ("!=", "0"), (">=", "1")):
        return _Question(up, unit.text(value), True, names)
    return _Question(up, unit.text(value), False, names) if (operator, compared) in (("==", "0"), ("<", "1")) else None


def _membership_function(unit: Unit, name: str) -> tuple[int, int] | None:
    """For a function of the unit that only searches one parameter for another: their places."""
    definitions = unit.functions.get(name, [])
    taken = parameters(definitions[0]) if len(definitions) == 1 else []
    if len(taken) != 2:
        return None
    names = [re.findall(r"\w+", unit.text(parameter))[-1] for parameter in taken]
    body = re.sub(r"\s+|[{}]|std::|\b(?:const|auto|return)\b|&", "", unit.text_of(definitions[0], "body"))
    for table, value in ((0, 1), (1, 0)):
        v, x = re.escape(names[table]), re.escape(names[value])
        each = rf"for\([\w:<>]*?(?P<e>[a-z_]\w*?):{v}\)if\((?:(?P=e)=={x}|{x}==(?P=e))\)true;false;"
        counted = rf"for\([\w:]*?(?P<i>[a-z_])=0;(?P=i)<(?:\(int\)|static_cast<int>\()?{v}\.size\(\)\)?;(?:\+\+)?(?P=i)"
        counted += rf"(?:\+\+)?\)if\((?:{v}\[(?P=i)\]=={x}|{x}=={v}\[(?P=i)\])\)true;false;"
        found = rf"find\({v}\.begin\(\),{v}\.end\(\),{x}\)!={v}\.end\(\);"
        if any(re.fullmatch(pattern, body) for pattern in (each, counted, found)):
            return table, value
    return None


def _followed(unit: Unit, leaf: Node, name: str) -> list[Hunk] | None:
    """What keeps the set in step at one use of the vector; None if it cannot be kept."""
    taken, call, whole = member(unit, leaf), method_call(leaf), unit.text(access(leaf))
    prefix = whole.removesuffix(unit.text(leaf))
    statement = call.parent if call is not None else None
    if taken in ("push_back", "emplace_back", "clear"):
        if call is None or statement is None or statement.type != "expression_statement":
            return None
        step = "clear()" if taken == "clear" else f"insert({whole}.back())"
        return [insert(call.end_byte, f", {prefix}{name}.{step}")]
    if taken in ("begin", "end"):
        return [] if call is not None and passed_to(unit, call) in _ORDER_ONLY else None
    if taken in _READS:
        handed_out = taken in ("front", "back", "at") and call is not None and is_written(unit, call)
        return [] if call is not None and not handed_out else None
    loop = ranged(leaf)
    if loop is not None:
        declared = unit.text_of(loop, "declarator")
        return [] if "&" not in declared or "const" in unit.text(loop).split(":")[0] else None
    if taken is not None:
        return None
    return None if is_written(unit, subscript(leaf) or leaf) else []
