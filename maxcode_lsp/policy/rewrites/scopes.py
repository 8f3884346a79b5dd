"""Variables of a unit: where each is declared, where its name is visible, and where it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tree_sitter import Node

if TYPE_CHECKING:
    from maxcode_lsp.policy.rewrites.unit import Unit

Kind = Literal["local", "global", "parameter", "field"]
Form = Literal["value", "reference", "pointer", "array"]

_FORMS: dict[str, Form] = {
    "reference_declarator": "reference",
    "pointer_declarator": "pointer",
    "array_declarator": "array",
}
_BLOCKS = (
    "compound_statement",
    "for_statement",
    "for_range_loop",
    "if_statement",
    "while_statement",
    "switch_statement",
    "lambda_expression",
    "function_definition",
    "catch_clause",
)
_TYPES = ("struct_specifier", "class_specifier", "union_specifier")


@dataclass(eq=False)
class Variable:
    """One declared name. Identity is the object."""

    name: str
    kind: Kind
    form: Form
    type: Node
    """The written type, without qualifiers, pointers and references."""
    declaration: Node
    """``declaration``, ``field_declaration``, ``parameter_declaration`` or ``for_range_loop``."""
    declarator: Node
    """Its own declarator, initial value included; other names may stand in the same declaration."""
    name_node: Node
    initial: Node | None
    """Initial value: an expression, an initializer list or an argument list."""
    scope: Node
    """The node in which the name is visible; the whole unit for fields and globals."""
    uses: list[Node] = field(default_factory=list[Node])
    """Every leaf that names it, in document order, its declaration not counted."""

    @property
    def alone(self) -> bool:
        """Whether it is the only name of its declaration."""
        return len(self.declaration.children_by_field_name("declarator")) <= 1


def find_variables(unit: Unit) -> list[Variable]:
    """All variables, parameters and fields with their uses, in document order."""
    found = sorted(_declared(unit), key=lambda variable: variable.name_node.start_byte)
    by_name: dict[str, list[Variable]] = {}
    for variable in found:
        by_name.setdefault(variable.name, []).append(variable)
    for name, variables in by_name.items():
        own = {variable.name_node.start_byte for variable in variables}
        # Innermost scope first; of one scope the latest declaration.
        nearest = sorted(variables, key=lambda v: (v.scope.end_byte - v.scope.start_byte, -v.name_node.start_byte))
        for leaf in unit.identifiers.get(name, ()):
            if leaf.start_byte not in own and (variable := _resolve(leaf, nearest)) is not None:
                variable.uses.append(leaf)
    return found


def _resolve(leaf: Node, variables: list[Variable]) -> Variable | None:
    after_dot = leaf.type == "field_identifier"
    for variable in variables:
        if variable.kind == "field":
            return variable
        inside = variable.scope.start_byte <= leaf.start_byte < variable.scope.end_byte
        if inside and not after_dot and variable.name_node.start_byte < leaf.start_byte:
            return variable
    return None


def _declared(unit: Unit) -> Iterator[Variable]:
    kinds = ("declaration", "field_declaration", "parameter_declaration", "optional_parameter_declaration")
    for node in unit.walk(*kinds, "for_range_loop"):
        written = node.child_by_field_name("type")
        if written is None:
            continue
        for declarator in node.children_by_field_name("declarator"):
            named = _named(declarator, in_block=node.type == "declaration")
            if named is None:
                continue
            for name_node, form, initial in named:
                value = initial or node.child_by_field_name("default_value")
                if value is None and node.type == "declaration":
                    value = node.child_by_field_name("value")
                kind, scope = _visibility(unit, node)
                yield Variable(unit.text(name_node), kind, form, written, node, declarator, name_node, value, scope)


def _named(declarator: Node, in_block: bool) -> list[tuple[Node, Form, Node | None]] | None:
    """Names that a declarator gives, with form and initial value; None for functions."""
    form: Form = "value"
    initial: Node | None = None
    node: Node | None = declarator
    while node is not None:
        if node.type in ("identifier", "field_identifier"):
            return [(node, form, initial)]
        if node.type == "structured_binding_declarator":
            return [(child, form, None) for child in node.named_children if child.type == "identifier"]
        if node.type == "function_declarator":
            inner = node.child_by_field_name("declarator")
            parameters = node.child_by_field_name("parameters")
            # ``vector<int> v(n);`` in a block reads like a function that takes an ``n``.
            if in_block and inner is not None and inner.type == "identifier" and _reads_like_values(parameters):
                return [(inner, form, parameters)]
            return None
        if node.type == "init_declarator":
            initial = node.child_by_field_name("value")
        form = _FORMS.get(node.type, form)
        node = node.child_by_field_name("declarator") or next(
            (c for c in node.named_children if c.type.endswith(("declarator", "identifier"))), None
        )
    return None


def _reads_like_values(parameters: Node | None) -> bool:
    if parameters is None or not parameters.named_children:
        return False
    return all(
        child.type == "parameter_declaration"
        and child.child_by_field_name("declarator") is None
        and len(child.named_children) == 1
        and child.named_children[0].type == "type_identifier"
        for child in parameters.named_children
    )


def _visibility(unit: Unit, declaration: Node) -> tuple[Kind, Node]:
    if declaration.type == "for_range_loop":
        return "local", declaration
    if declaration.type in ("parameter_declaration", "optional_parameter_declaration"):
        up = unit.enclosing(declaration, "function_definition", "lambda_expression", "catch_clause", "declaration")
        return "parameter", up or declaration
    up = unit.enclosing(declaration, *_BLOCKS, *_TYPES)
    if up is None:
        return "global", unit.root
    if up.type in _TYPES:
        return "field", unit.root
    return "local", up
