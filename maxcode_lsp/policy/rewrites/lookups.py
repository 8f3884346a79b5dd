"""Lookups: an element of a map is searched once where it was searched twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.edits import before_statement, in_block, replace
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.policy.rewrites.uses import is_written, subscript

_MAPS = ("map", "unordered_map")
_SIMPLE_KEY = re.compile(r"[\w.]+|[\w.]+\[\w+\]")


def is_map(unit: Unit, node: Node | None) -> bool:
    """Whether an expression is a map variable (or a reference to one)."""
    variable = unit.variable_of(node)
    return variable is not None and variable.form in ("value", "reference") and unit.type_of(variable).head in _MAPS


def _places(unit: Unit, under: Node) -> dict[tuple[str, str], list[Node]]:
    """``m[k]`` expressions below a node by map and key, for simple keys."""
    found: dict[tuple[str, str], list[Node]] = {}
    for node in unit.walk("subscript_expression", under=under):
        indices = node.child_by_field_name("indices")
        key = unit.text(indices)[1:-1].strip() if indices is not None else ""
        if _SIMPLE_KEY.fullmatch(key) and is_map(unit, node.child_by_field_name("argument")):
            found.setdefault((unit.text_of(node, "argument"), key), []).append(node)
    return found


def _changes(unit: Unit, under: Node, text: str) -> bool:
    """Whether one of the names in an expression may be changed below a node."""
    names = set(re.findall(r"[A-Za-z_]\w*", text))
    return any(
        unit.text(leaf) in names and is_written(unit, leaf)
        for leaf in unit.walk("identifier", "field_identifier", under=under)
    )


@trusted
@register
class CountThenIndex:
    id = "count-then-index"
    family = "lookups"
    rationale = "The element that was found is used, not searched again."
    gain = 1.5
    finding_kinds = ("ordered-container", "linear-search", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if unit.standard < 17:
            return
        taken = set[str]()
        for statement in unit.walk("if_statement"):
            condition = statement.child_by_field_name("condition")
            then = statement.child_by_field_name("consequence")
            if condition is None or then is None or statement.child_by_field_name("alternative") is not None:
                continue
            value = condition.child_by_field_name("value")
            asked = self._asked(unit, value)
            if value is None or asked is None or condition.child_by_field_name("initializer") is not None:
                continue
            table, key = asked
            places = _places(unit, then).get(asked, [])
            if not places or _changes(unit, then, key) or self._grows(unit, then, table, key):
                continue
            name = unit.fresh("found", taken)
            head = f"auto {name} = {table}.find({key}); {name} != {table}.end()"
            hunks = [replace(value, head), *(replace(place, f"{name}->second") for place in places)]
            yield Rewrite(tuple(hunks), tuple(unit.line(node) for node in (value, *places)))

    @staticmethod
    def _asked(unit: Unit, value: Node | None) -> tuple[str, str] | None:
        """Map and key of ``m.count(k)``, ``m.contains(k)`` or ``m.find(k) != m.end()``."""
        if value is None:
            return None
        text = " ".join(unit.text(value).split())
        match = re.fullmatch(r"(.+)\.(?:count|contains)\((.+)\)(?: ?(?:> ?0|!= ?0|== ?1|>= ?1))?", text)
        if match is None:
            match = re.fullmatch(r"(.+)\.find\((.+)\) != (.+)\.end\(\)", text)
            if match is None or match.group(3) != match.group(1):
                return None
        table, key = match.group(1), match.group(2).strip()
        leaf = next((n for n in unit.walk("identifier", under=value) if unit.text(n) == table), None)
        return (table, key) if is_map(unit, leaf) and _SIMPLE_KEY.fullmatch(key) else None

    @staticmethod
    def _grows(unit: Unit, then: Node, table: str, key: str) -> bool:
        """Whether the map is used in any other way than by this key, so that the iterator might die."""
        for leaf in unit.walk("identifier", under=then):
            if unit.text(leaf) == table:
                place = subscript(leaf)
                if place is None or unit.text_of(place, "indices")[1:-1].strip() != key:
                    return True
        return False


@trusted
@register
class OneReference:
    id = "one-lookup"
    family = "lookups"
    rationale = "The element is searched once and used by reference."
    gain = 1.5
    finding_kinds = ("ordered-container", "hot-lines")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        taken = set[str]()
        for statement in unit.walk("expression_statement", "if_statement"):
            if not in_block(statement):
                continue
            for (table, key), places in _places(unit, statement).items():
                if len(places) < 2 or _changes(unit, statement, key) or not self._always(unit, statement, places[0]):
                    continue
                if any(unit.text(leaf) == table and subscript(leaf) is None for leaf in self._names(unit, statement)):
                    continue
                name = unit.fresh("slot", taken)
                made = before_statement(unit, statement, f"auto& {name} = {table}[{key}];")
                yield Rewrite((made, *(replace(place, name) for place in places)), tuple(map(unit.line, places)))

    @staticmethod
    def _names(unit: Unit, statement: Node) -> list[Node]:
        return list(unit.walk("identifier", under=statement))

    @staticmethod
    def _always(unit: Unit, statement: Node, place: Node) -> bool:
        """Whether the first place runs whenever the statement does, so that no element is made too early."""
        if statement.type == "if_statement":
            condition = statement.child_by_field_name("condition")
            if condition is None or not condition.start_byte <= place.start_byte < condition.end_byte:
                return False
        child, up = place, place.parent
        while up is not None and child != statement:
            if up.type == "conditional_expression" and up.child_by_field_name("condition") != child:
                return False
            shortcut = up.type == "binary_expression" and unit.text_of(up, "operator") in ("&&", "||")
            if shortcut and up.child_by_field_name("left") != child:
                return False
            if up.type in ("lambda_expression", "for_statement", "while_statement"):
                return False
            child, up = up, up.parent
        return True
