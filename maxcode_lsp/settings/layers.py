"""Laying over settings what the environment, a client or a command says: what is right holds, the rest is told."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from maxcode_lsp.errors import SettingsError
from maxcode_lsp.messages import refusals
from maxcode_lsp.settings.file import Problem
from maxcode_lsp.settings.schema import Settings
from maxcode_lsp.settings.tables import Key, Table, choose_models, lay_table, merge, read_table
from maxcode_lsp.settings.values import keys, read_value

SECTION = "maxcode"
CLIENTS_OWN = frozenset({"trace", "server"})
"""Keys that editors keep for themselves in the same section: how much is traced, which server is started."""
VARIABLES = {"MAXCODE_MODEL": "model", "MAXCODE_API_BASE": "api_base"}
"""Environment variable to the key that it sets."""
MOST_PROBLEMS = 20


def lay(settings: Settings, given: Any, folder: Path | None = None) -> tuple[Settings, tuple[Problem, ...]]:
    """``settings`` with ``given`` over them. Never raises.

    ``given`` is a table as a client sends it: nested, or with dotted keys (``"output.ignore"``), each with or without
    ``maxcode.`` before it; null leaves what is below. Problems have no path and no line. Relative paths in ``flags`` of
    ``given`` start from ``folder``; None: from where those of ``settings`` do.
    """
    problems: list[Problem] = []

    def wrong(sentence: str, _key: Key) -> None:
        if len(problems) < MOST_PROBLEMS:
            problems.append(Problem(sentence, "", None))

    if given is None:
        return settings, ()
    plain, dotted = _nested(given)
    values: Table = {}
    for table in (plain, dotted):
        merge(values, read_table(table, Settings, (), wrong))
    if folder is not None and "flags" in values:
        values["flags_from"] = str(folder)
    return lay_table(settings, values), tuple(problems)


def lay_environment(
    settings: Settings, environment: Mapping[str, str] = os.environ
) -> tuple[Settings, tuple[Problem, ...]]:
    """``settings`` with what environment variables say over them; an empty one says nothing. As :func:`lay`."""
    given = {name: environment[name] for name in VARIABLES if environment.get(name)}
    problems: list[Problem] = []
    values: Table = {}
    for name, value in given.items():
        key = VARIABLES[name]
        try:
            values[key] = read_value(keys(Settings)[key], key, value)
        except ValueError as error:
            problems.append(Problem(refusals.in_variable(name, refusals.setting_ignored(str(error))), "", None))
    choose_models(values)
    return lay_table(settings, values), tuple(problems)


def override(settings: Settings, **values: Any) -> Settings:
    """Settings with some keys replaced, as command arguments do; None leaves a key as it is.

    Keys of inner tables are dotted. Paths in ``flags`` are then relative to the current folder. Raises SettingsError
    that names the key.
    """
    table: Table = {}
    for key, value in values.items():
        if value is None:
            continue
        outer, _, inner = key.rpartition(".")
        kinds = keys(keys(Settings)[outer]) if outer else keys(Settings)
        try:
            read = read_value(kinds[inner], key, value)
        except ValueError as error:
            raise SettingsError(str(error)) from error
        (table.setdefault(outer, {}) if outer else table)[inner] = read
    choose_models(table)
    if "flags" in table:
        table["flags_from"] = str(Path.cwd())
    return lay_table(settings, table)


def _nested(given: Any) -> tuple[Any, Table]:
    """What ``given`` says in nested tables, and what it says with dotted keys, nested."""
    if not isinstance(given, dict):
        return given, {}
    plain: Table = {}
    dotted: dict[str, Table] = {}
    for name, value in cast("dict[object, Any]", given).items():
        head, dot, rest = str(name).removeprefix(f"{SECTION}.").partition(".")
        if head in CLIENTS_OWN:
            continue
        if dot:
            dotted.setdefault(head, {})[rest] = value
        else:
            plain[head] = value
    return plain, dotted
