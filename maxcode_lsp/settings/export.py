"""The schema for others: JSON Schema of ``maxcode.toml``, and the same keys as settings of an editor extension."""

from __future__ import annotations

import copy
import json
from typing import Any, cast, get_args

import msgspec
from msgspec import NODEFAULT, Struct

from maxcode_lsp.settings.layers import SECTION
from maxcode_lsp.settings.schema import USERS_OWN, Settings
from maxcode_lsp.settings.tables import TARGET
from maxcode_lsp.settings.values import is_table, keys, row_of

Json = dict[str, Any]
DIALECT = "http://json-schema.org/draft-07/schema#"
"""What TOML language servers read."""


def json_schema() -> Json:
    """JSON Schema of the settings file; every key has a description and, where it has one, its default."""
    schema = _table(Settings)
    one = copy.deepcopy(schema)
    one["description"] = "What holds for this file, over all above."
    schema["properties"][TARGET] = {
        "description": "Settings for single files, by path or glob pattern relative to this file.",
        "default": {},
        "type": "object",
        "additionalProperties": one,
    }
    return {"$schema": DIALECT, "title": "maxcode.toml", **schema}


def editor_properties() -> Json:
    """``contributes.configuration.properties`` of a VS Code extension.

    Every default is null, which is *not set*: an editor sends defaults like any other value, and they would come over
    what ``maxcode.toml`` says. The default that then holds is in the description. What only the user may set has the
    scope ``machine``: a workspace's settings cannot.
    """
    return {f"{SECTION}.{key}": _nullable(key, what) for key, what in _leaves(_table(Settings))}


def editor_text() -> str:
    """What ``editor_properties`` gives, as JSON."""
    return json.dumps(editor_properties(), indent=2, ensure_ascii=False) + "\n"


def schema_text() -> str:
    """``docs/maxcode.schema.json``."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _nullable(key: str, what: Json) -> Json:
    default = what.get("default")
    said = "" if default is None else f" Default: {_toml(default)}."
    users = any(own == key or own.startswith(f"{key}.") for own in USERS_OWN)
    lists = [option for option in what.get("anyOf", ()) if option["type"] == "array"]
    kind: Json = lists[0] if lists else {key: value for key, value in what.items() if key != "anyOf"}
    nullable = {**kind, "type": [kind["type"], "null"]}
    if "enum" in kind:
        nullable["enum"] = [*kind["enum"], None]
    scope = "machine" if users else "resource"
    return {**nullable, "scope": scope, "default": None, "description": what["description"] + said}


def _leaves(table: Json, path: str = "") -> list[tuple[str, Json]]:
    found: list[tuple[str, Json]] = []
    for key, what in cast("dict[str, Json]", table["properties"]).items():
        found += _leaves(what, f"{path}{key}.") if "properties" in what else [(path + key, what)]
    return found


def _table(kind: type[Struct], path: str = "") -> Json:
    defaults = {f.name: f.default for f in msgspec.structs.fields(kind)}
    properties: Json = {}
    for key, inner in keys(kind).items():
        if is_table(inner):
            properties[key] = {**_table(inner, f"{path}{key}."), "default": {}}
        else:
            default = defaults[key]
            assert default is not NODEFAULT, key
            # TOML has no null: what is not set by default has no default.
            known = {} if default is None else {"default": msgspec.to_builtins(default)}
            row = row_of(inner)
            value = _value(inner) if row is None else _rows(inner, row, f"{path}{key}.")
            if path + key in USERS_OWN:
                value["description"] += " Not in a workspace's file."
            properties[key] = {**value, **known}
    return {
        "description": (kind.__doc__ or "").strip().replace("``", ""),
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def _rows(kind: Any, row: type[Struct], path: str) -> Json:
    """The schema of a list of tables."""
    (described,) = (meta.description for meta in get_args(kind)[1:])
    return {"description": described, "type": "array", "items": {**_table(row, path), "required": ["name"]}}


def _value(kind: Any) -> Json:
    """The schema of a value; TOML has no null, and a list may be given as one text."""
    schema = msgspec.json.schema(kind)
    options = [option for option in schema.pop("anyOf", ()) if option.get("type") != "null"]
    if len(options) == 1:
        schema |= options[0]
    if schema.get("type") == "array":
        alone = {"type": "string"}
        items = {key: schema.pop(key) for key in ("type", "items") if key in schema}
        schema["anyOf"] = [items, alone]
    if "enum" in schema:
        schema["type"] = "string"
    return schema


def _toml(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value)
