"""A whole table of settings, from a file or a client: what is right of it, and what is wrong where."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, cast

import msgspec
from msgspec import Struct

from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.own import own_file
from maxcode_lsp.settings.schema import USERS_OWN, Settings
from maxcode_lsp.settings.values import is_table, keys, read_value, row_of, unnumbered

Key = tuple[str, ...]
"""Where something stands; the third table of a list has ``[2]`` as its part of it."""
Table = dict[str, Any]
Wrong = Callable[[str, Key], None]
"""Is told a sentence and the key that it is about."""

TARGET = "target"
"""The table of the file whose tables hold for single targets."""
NO_MODEL = "none"
ARGUMENTS = {"api_base": "--api-base", "llm.max_cost_usd": "--max-cost"}
"""Of the command line, for keys of ``USERS_OWN``."""
SECRETS = frozenset({"key", "api_key", "apikey", "secret", "password"})
"""What people call a key; no setting is called so."""
MOST_ROWS = 100
MOST_GUESSES = 20
"""Keys of one table for which the likely meant one is looked for: that takes a millisecond each."""
LONGEST_KEY = 64


class _Reader:
    """One reading of one layer."""

    def __init__(self, wrong: Wrong, *, users: bool) -> None:
        self._wrong = wrong
        self._users = users

    def table(self, raw: Any, schema: type[Struct], at: Key) -> Table:
        if not isinstance(raw, dict):
            self._wrong(refusals.setting_ignored(refusals.setting_wrong(_shown(at) or "settings", raw, "a table")), at)
            return {}
        known = keys(schema)
        values: Table = {}
        guesses = 0
        for key, value in cast("dict[object, Any]", raw).items():
            place = (*at, str(key))
            shown = _shown(place)
            if shown == "sandbox" or shown.startswith("sandbox."):
                self._wrong(refusals.setting_never_in_file(), place)
            elif value is None:
                continue
            elif place == (TARGET,):
                self._wrong(refusals.setting_only_in_file(TARGET), place)
            elif key in known:
                self._read(known[place[-1]], value, place, values)
            elif str(key).lower() in SECRETS:
                self._wrong(refusals.setting_is_key(shown), place)
            else:
                guesses += 1
                self._wrong(refusals.setting_unknown(shown, _alike(shown) if guesses <= MOST_GUESSES else None), place)
        return values

    def _read(self, kind: Any, value: Any, place: Key, values: Table) -> None:
        """One known key, put into ``values`` if it is right."""
        shown = _shown(place)
        if self._is_refused(place):
            key = unnumbered(shown)
            self._wrong(refusals.setting_users_own(key, str(own_file()), ARGUMENTS.get(key, "")), place)
        elif is_table(kind):
            values[place[-1]] = self.table(value, kind, place)
        elif (row := row_of(kind)) is not None:
            if (rows := self._rows(value, row, place)) is not None:
                values[place[-1]] = rows
        else:
            try:
                values[place[-1]] = read_value(kind, shown, value)
            except ValueError as error:
                self._wrong(refusals.setting_ignored(str(error)), place)

    def _rows(self, raw: Any, schema: type[Struct], at: Key) -> tuple[Struct, ...] | None:
        """The right tables of a list; None where nothing of it is right."""
        if not isinstance(raw, list):
            self._wrong(refusals.setting_no_list_of_tables(_shown(at)), at)
            return None
        listed = cast("list[Any]", raw)
        if len(listed) > MOST_ROWS:
            self._wrong(refusals.setting_ignored(refusals.setting_too_many(_shown(at), MOST_ROWS)), at)
            return None
        made = [self._row(one, schema, (*at, f"[{number}]")) for number, one in enumerate(listed)]
        right = tuple(row for row in made if row is not None)
        return right if right or not listed else None

    def _row(self, raw: Any, schema: type[Struct], at: Key) -> Struct | None:
        """A table of a list, with its defaults. None where it has no name, or something in it is refused: half of it
        would be something else than what its author meant.
        """
        values = self.table(raw, schema, at)
        if not isinstance(raw, dict) or any(self._is_refused((*at, str(key))) for key in cast("Table", raw)):
            return None
        if not values.get("name"):
            self._wrong(refusals.model_without_name(), at)
            return None
        return msgspec.convert(values, schema)

    def _is_refused(self, place: Key) -> bool:
        return not self._users and unnumbered(_shown(place)) in USERS_OWN


def read_table(raw: Any, schema: type[Struct], at: Key, wrong: Wrong, *, users: bool = True) -> Table:
    """The right values of a table, as far as it is one; inner tables are tables again. Never raises.

    ``at`` is where the table stands. Keys without a value (JSON's null) are left out. ``users``: the user wrote it
    himself; where a workspace did, the keys of ``USERS_OWN`` are wrong.
    """
    values = _Reader(wrong, users=users).table(raw, schema, at)
    if schema is Settings:
        choose_models(values)
    return values


def choose_models(values: Table) -> None:
    """``model`` and ``models`` are one choice: whoever makes it leaves nothing of a choice below. ``none`` is none."""
    if values.get("model") == NO_MODEL:
        values["model"] = ""
    if "model" in values or "models" in values:
        values.setdefault("model", "")
        values.setdefault("models", ())


def merge(values: Table, over: Table) -> None:
    """Put one table over another; inner tables are put over inner tables."""
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            merge(values[key], cast("Table", value))
        else:
            values[key] = value


def lay_table(settings: Any, values: Table) -> Any:
    """A Struct with what ``values`` has in its place, in inner tables too."""
    fresh = {
        key: lay_table(getattr(settings, key), cast("Table", value)) if isinstance(value, dict) else value
        for key, value in values.items()
    }
    return msgspec.structs.replace(settings, **fresh)


def _shown(place: Key) -> str:
    """A key for people: dotted, without the target that its table is for."""
    return ".".join(place[2:] if place[:1] == (TARGET,) and len(place) > 2 else place).replace(".[", "[")


def _alike(key: str) -> str | None:
    """The known key that was likely meant."""
    if len(key) > LONGEST_KEY:
        return None
    key = unnumbered(key)
    tables = {name: kind if is_table(kind) else row_of(kind) for name, kind in keys(Settings).items()}
    known = [name for name, inner in tables.items() if inner is None]
    known += [f"{name}.{each}" for name, inner in tables.items() if inner is not None for each in keys(inner)]
    known += [name for name, inner in tables.items() if inner is not None]
    ends = {name.rpartition(".")[2]: name for name in reversed(known)}
    near = difflib.get_close_matches(key, known, 1, 0.7)
    near = near or [ends[end] for end in difflib.get_close_matches(key.rpartition(".")[2], list(ends), 1, 0.75)]
    return near[0] if near else None
