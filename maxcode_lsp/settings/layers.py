"""Laying what a client says over settings. It may be any JSON: what is right holds, the rest is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec

from maxcode_lsp.settings.file import Problem
from maxcode_lsp.settings.schema import Settings
from maxcode_lsp.settings.tables import Key, Table, merge, read_table

SECTION = "maxcode"
CLIENTS_OWN = frozenset({"trace", "server"})
"""Keys that editors keep for themselves in the same section: how much is traced, which server is started."""
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
    return _over(settings, values), tuple(problems)


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


def _over(settings: Any, values: Table) -> Any:
    """Replace what ``values`` has, in inner tables too."""
    fresh = {
        key: _over(getattr(settings, key), cast("Table", value)) if isinstance(value, dict) else value
        for key, value in values.items()
    }
    return msgspec.structs.replace(settings, **fresh)
