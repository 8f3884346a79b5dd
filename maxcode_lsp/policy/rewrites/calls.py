"""Calls: what is called with which arguments, and which functions of the library are known to be pure."""

from __future__ import annotations

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.unit import Unit

MATHS = frozenset({
    "sqrt", "sqrtf", "cbrt", "pow", "powf", "exp", "exp2", "expf", "log", "log2", "log10", "log1p", "expm1", "sin",
    "cos", "tan", "sinf", "cosf", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "hypot", "fmod",
})  # fmt: skip
"""Pure functions of the library that cost much more than a few operations."""
PURE_CALLS = MATHS | frozenset({
    "abs", "labs", "llabs", "fabs", "floor", "ceil", "round", "lround", "llround", "trunc", "fma", "fmin", "fmax",
    "ldexp", "min", "max", "clamp", "gcd", "__gcd", "lcm", "strlen", "strcmp", "strncmp", "memcmp", "isdigit",
    "isalpha", "isspace", "isupper", "islower", "isalnum", "ispunct", "tolower", "toupper", "get", "size", "ssize",
    "begin", "end", "accumulate", "count", "distance", "to_string", "stoi", "stol", "stoll", "stod", "make_pair",
    "make_tuple", "popcount", "countl_zero", "countr_zero", "__builtin_popcount", "__builtin_popcountll",
    "__builtin_ctz", "__builtin_clz", "__builtin_ctzll", "__builtin_clzll", "norm", "real", "imag", "conj", "isnan",
    "isinf", "lower_bound", "upper_bound", "max_element", "min_element", "find", "find_if", "binary_search", "equal",
    "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast",
})  # fmt: skip
CONST_METHODS = frozenset({
    "size", "length", "empty", "count", "find", "at", "front", "back", "top", "c_str", "data", "begin", "end", "cbegin",
    "cend", "rbegin", "rend", "substr", "compare", "capacity", "contains", "lower_bound", "upper_bound", "equal_range",
    "find_first_of", "find_last_of", "find_first_not_of", "rfind", "get", "test", "any", "all", "none", "has_value",
    "value", "value_or", "real", "imag", "starts_with", "ends_with", "str", "max_size",
})  # fmt: skip
OUTPUT = frozenset({"printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "fwrite", "assert", "perror"})
_TYPES = frozenset({"string", "vector", "pair", "array", "complex", "tuple", "map", "set", "optional", "deque"})
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration")


def called(unit: Unit, call: Node) -> tuple[str, Node | None]:
    """Unqualified name of what is called, and the object for a method call."""
    function = call.child_by_field_name("function")
    if function is None:
        return "", None
    if function.type == "field_expression":
        name = unit.text_of(function, "field").split("<", 1)[0]
        return name, function.child_by_field_name("argument")
    return unit.text(function).split("<", 1)[0].rsplit("::", 1)[-1].strip(), None


def arguments(call: Node) -> list[Node]:
    """Of a call, in their order, without comments."""
    found = call.child_by_field_name("arguments")
    return [n for n in found.named_children if n.type != "comment"] if found is not None else []


def function_declarator(node: Node) -> Node | None:
    """The part with name and parameters of a definition, a prototype or a lambda."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type not in ("function_declarator", "abstract_function_declarator"):
        declarator = declarator.child_by_field_name("declarator") or next(
            (c for c in declarator.named_children if c.type.endswith("declarator")), None
        )
    return declarator


def parameters(node: Node) -> list[Node]:
    """The parameter declarations of a definition, a prototype or a lambda."""
    declarator = function_declarator(node)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [n for n in listed.named_children if n.type in _PARAMETERS] if listed is not None else []


def is_const_method(unit: Unit, definition: Node) -> bool:
    """``… const {``: it does not change its object."""
    declarator = function_declarator(definition)
    children = declarator.named_children if declarator is not None else []
    return any(c.type == "type_qualifier" and unit.text(c) == "const" for c in children)


def is_conversion(unit: Unit, call: Node) -> bool:
    """``int(x)``, ``string(n, c)``: it makes a value of a type."""
    function = call.child_by_field_name("function")
    if function is None or function.type in ("primitive_type", "sized_type_specifier", "template_type"):
        return True
    name, target = called(unit, call)
    if target is not None:
        return False
    if name in _TYPES or name in unit.aliases:
        return True
    return any(n.type == "type_identifier" for n in unit.identifiers.get(name, ()))
