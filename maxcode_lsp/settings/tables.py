"""A whole table of settings, from a file or a client: what is right of it, and what is wrong where."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, cast

from msgspec import Struct

from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.schema import Settings
from maxcode_lsp.settings.values import is_table, keys, read_value

Key = tuple[str, ...]
Table = dict[str, Any]
Wrong = Callable[[str, Key], None]
"""Is told a sentence and the key that it is about."""

TARGET = "target"
"""The table of the file whose tables hold for single targets."""
MOST_GUESSES = 20
"""Keys of one table for which the likely meant one is looked for: that takes a millisecond each."""
LONGEST_KEY = 64


def read_table(raw: Any, schema: type[Struct], at: Key, wrong: Wrong) -> Table:
    """The right values of a table, as far as it is one; inner tables are tables again. Never raises.

    ``at`` is where the table stands. Keys without a value (JSON's null) are left out.
    """
    if not isinstance(raw, dict):
        wrong(refusals.setting_ignored(refusals.setting_wrong(".".join(at) or "settings", raw, "a table")), at)
        return {}
    known = keys(schema)
    values: Table = {}
    guesses = 0
    for key, value in cast("dict[object, Any]", raw).items():
        place = (*at, str(key))
        shown = ".".join(place[2:] if place[0] == TARGET else place)
        if shown == "sandbox" or shown.startswith("sandbox."):
            wrong(refusals.setting_never_in_file(), place)
        elif value is None:
            continue
        elif place == (TARGET,):
            wrong(refusals.setting_only_in_file(TARGET), place)
        elif key not in known:
            guesses += 1
            wrong(refusals.setting_unknown(shown, _alike(shown) if guesses <= MOST_GUESSES else None), place)
        elif is_table(known[place[-1]]):
            values[place[-1]] = read_table(value, known[place[-1]], place, wrong)
        else:
            try:
                values[place[-1]] = read_value(known[place[-1]], shown, value)
            except ValueError as error:
                wrong(refusals.setting_ignored(str(error)), place)
    return values


def merge(values: Table, over: Table) -> None:
    """Put one table over another; inner tables are put over inner tables."""
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            merge(values[key], cast("Table", value))
        else:
            values[key] = value


def _alike(key: str) -> str | None:
    """The known key that was likely meant."""
    if len(key) > LONGEST_KEY:
        return None
    known = [name for name, kind in keys(Settings).items() if not is_table(kind)]
    tables = [(name, kind) for name, kind in keys(Settings).items() if is_table(kind)]
    known += [f"{name}.{inner}" for name, kind in tables for inner in keys(kind)]
    known += [name for name, _ in tables]
    ends = {name.rpartition(".")[2]: name for name in reversed(known)}
    near = difflib.get_close_matches(key, known, 1, 0.7)
    near = near or [ends[end] for end in difflib.get_close_matches(key.rpartition(".")[2], list(ends), 1, 0.7)]
    return near[0] if near else None
