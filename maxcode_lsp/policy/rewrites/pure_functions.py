"""Functions whose results can be kept."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import arguments, called, function_declarator, parameters
from maxcode_lsp.policy.rewrites.effects import declares, effects, is_pure_function
from maxcode_lsp.policy.rewrites.loop_shape import names
from maxcode_lsp.policy.rewrites.memo_table import OWN_NAMES
from maxcode_lsp.policy.rewrites.types import is_integer, is_unsigned, resolve, variable_at, words
from maxcode_lsp.policy.rewrites.unit import Unit


class Key(NamedTuple):
    """An integer parameter that results are kept by."""

    name: str
    type: str
    """Resolved."""

    @property
    def signed(self) -> bool:
        return not is_unsigned(self.type)


class Pure(NamedTuple):
    """A function whose results can be kept."""

    name: str
    definition: Node
    head: str
    """Text before the body, as it also makes a prototype."""
    result: str
    keys: list[Key]
    names: list[str]
    """Names of all parameters in order."""
    fleeting: bool
    """The result also depends on what may change between two calls from outside."""
    self_calls: list[Node]


def threads(unit: Unit) -> bool:
    """The program can run in several threads, which tables without locks do not bear."""
    return unit.uses("thread", "jthread", "async") or b"#pragma omp" in unit.data


def pure_function(unit: Unit, name: str, definition: Node) -> Pure | None:
    """What a function is whose result depends on its arguments alone; None: it is not known to be one."""
    body, declarator = definition.child_by_field_name("body"), function_declarator(definition)
    kind, parent = definition.child_by_field_name("type"), definition.parent
    if body is None or declarator is None or kind is None or parent is None or name == "main":
        return None
    if parent.type == "template_declaration" or "::" in unit.text_of(declarator, "declarator"):
        return None
    head = unit.data[definition.start_byte : body.start_byte].decode(errors="replace").strip()
    if {"constexpr", "consteval", "virtual", "override", "noexcept", "auto", "&", "#"} & set(_specifiers(head)):
        return None
    result = unit.text(kind)
    outer = definition.child_by_field_name("declarator")
    if resolve(unit, result) in ("void", "auto") or outer != declarator or not is_pure_function(unit, definition):
        return None
    keys: list[Key] = []
    listed: list[str] = []
    for parameter in parameters(definition):
        inner, typed = parameter.child_by_field_name("declarator"), parameter.child_by_field_name("type")
        if parameter.type != "parameter_declaration" or inner is None or typed is None:
            return None
        found = inner
        while found.type != "identifier":
            step = found.child_by_field_name("declarator")
            if step is None and not found.named_children:
                return None
            found = step or found.named_children[-1]
        listed.append(unit.text(found))
        if inner.type == "identifier" and is_integer(resolve(unit, unit.text(typed))):
            keys.append(Key(unit.text(inner), resolve(unit, unit.text(typed))))
    calls = [c for c in unit.walk("call_expression", under=body) if called(unit, c)[0] == name]
    if OWN_NAMES & set(listed):
        return None
    key_names = {key.name for key in keys}
    fixed = [n for n in listed if n not in key_names]
    if set(fixed) & effects(unit, body).written or not all(_passes_on(unit, c, listed, fixed) for c in calls):
        return None
    fleeting = bool(fixed) or _reads_what_changes(unit, definition)
    return Pure(name, definition, head, result, keys, listed, fleeting, calls)


def _specifiers(head: str) -> list[str]:
    """The words before the name and after the parameters."""
    return head.split("(", 1)[0].replace("&", " & ").split() + head.rpartition(")")[2].split()


def _passes_on(unit: Unit, call: Node, listed: list[str], fixed: list[str]) -> bool:
    """Parameters that are no keys go on unchanged."""
    given = [unit.text(a) for a in arguments(call)]
    if len(given) != len(listed) or called(unit, call)[1] is not None:
        return False
    return all(given[listed.index(name)] == name for name in fixed)


def _reads_what_changes(unit: Unit, definition: Node) -> bool:
    own = declares(unit, definition)
    for name in names(unit, definition) - own:
        variable = variable_at(unit, name, definition)
        if variable is not None and not words(unit, variable) & {"const", "constexpr"}:
            return True
    return False
