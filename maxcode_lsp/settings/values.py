"""One value of a setting: checked against the schema, and what to say where it does not fit."""

from __future__ import annotations

import math
import re
import shlex
from typing import Annotated, Any, cast, get_args, get_origin

import msgspec
from msgspec import Struct, inspect

from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.checks import CHECKS
from maxcode_lsp.settings.schema import NOT_KEYS

LARGEST = 1 << 53
"""Numbers beyond are taken for mistakes: not every reader of JSON holds them."""
SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_TEXT = 1 << 16
_NUMBER = re.compile(r"\[\d+\]")


def keys(schema: type[Struct]) -> dict[str, Any]:
    """Name to type of the keys of one table."""
    return {f.name: f.type for f in msgspec.structs.fields(schema) if f.name not in NOT_KEYS}


def is_table(kind: Any) -> bool:
    """Whether a key's type is a table of its own."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def row_of(kind: Any) -> type[Struct] | None:
    """Of which table a key's value is a list; None: it is no list of tables."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    inner = get_args(bare)[0] if get_origin(bare) is tuple else None
    return inner if is_table(inner) else None


def unnumbered(key: str) -> str:
    """``models.name`` for ``models[2].name``."""
    return _NUMBER.sub("", key)


def read_value(kind: Any, key: str, value: Any) -> Any:
    """The value as the schema has it. Raises ValueError with a sentence about ``key`` (dotted).

    A list of texts may be given as one text: flags as in a shell, anything else as its only element.
    """
    if not _is_plain(value):
        raise ValueError(refusals.setting_wrong(key, value, wanted(kind)))
    if isinstance(value, str) and _is_list(kind):
        try:
            value = shlex.split(value) if key == "flags" else [value]
        except ValueError as error:
            raise ValueError(refusals.setting_unbalanced(key)) from error
    try:
        read = msgspec.convert(value, kind)
    except msgspec.ValidationError:
        read = math.nan
    if isinstance(read, float | int) and not abs(read) <= LARGEST:  # nor NaN
        raise ValueError(refusals.setting_wrong(key, value, wanted(kind)))
    check = CHECKS.get(unnumbered(key))
    return read if check is None else check(key, read)


def _is_plain(value: Any) -> bool:
    """False for texts that no path, flag or message can hold."""
    if isinstance(value, list):
        return all(_is_plain(inner) for inner in cast("list[Any]", value) if isinstance(inner, str))
    if not isinstance(value, str):
        return True
    return len(value) <= LONGEST_TEXT and "\0" not in value and not SURROGATE.search(value)


def wanted(kind: Any) -> str:
    """What a key wants, in words: ``a whole number of at least 1``."""
    return _words(inspect.type_info(kind))


def _is_list(kind: Any) -> bool:
    info = _bare(inspect.type_info(kind))
    options = info.types if isinstance(info, inspect.UnionType) else (info,)
    return any(isinstance(_bare(option), inspect.VarTupleType) for option in options)


def _bare(info: inspect.Type) -> inspect.Type:
    return info.type if isinstance(info, inspect.Metadata) else info


def _words(info: inspect.Type) -> str:
    info = _bare(info)
    match info:
        case inspect.UnionType():
            return " or ".join(_words(t) for t in info.types if not isinstance(t, inspect.NoneType))
        case inspect.IntType():
            return "a whole number" + _bounds(info)
        case inspect.BoolType():
            return "true or false"
        case inspect.FloatType():
            return "a number" + _bounds(info)
        case inspect.VarTupleType():
            return "a list of texts"
        case inspect.LiteralType():
            return "one of " + ", ".join(f"“{value}”" for value in sorted(map(str, info.values)))
        case inspect.StructType():
            return "a table"
        case _:
            return "a text"


def _bounds(info: inspect.IntType | inspect.FloatType) -> str:
    limits = ((info.ge, "of at least"), (info.gt, "above"), (info.le, "up to"), (info.lt, "below"))
    said = [f"{words} {limit:.10g}" for limit, words in limits if limit is not None]
    return " " + " and ".join(said) if said else ""
