"""The settings of a command: files and the environment under the arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from maxcode_lsp.cli.failure import say
from maxcode_lsp.settings import Settings, find, lay_environment, load, override, own_file


def settings_for(file: Path, **arguments: Any) -> Settings:
    """Settings for a target, or for a folder; arguments that are None leave what is below, those of inner tables are
    dotted (``**{"llm.max_cost_usd": 0.5}``).

    Mistakes in files and in the environment are told, and the rest of it holds. Raises SettingsError for a wrong
    argument.
    """
    return override(_read(find(file), file), **arguments)


def own_settings() -> Settings:
    """Settings for what concerns no target: the user's own file and the environment. Mistakes are told."""
    return _read(None, None)


def _read(path: Path | None, target: Path | None) -> Settings:
    settings, problems = load(path, target, own_file())
    settings, more = lay_environment(settings)
    for problem in (*problems, *more):
        place = problem.path if problem.line is None else f"{problem.path}:{problem.line}"
        say(f"{place}: {problem.message}" if place else problem.message)
    return settings
