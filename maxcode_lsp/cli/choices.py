"""The settings of a command: ``maxcode.toml`` under the arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from maxcode_lsp.cli.failure import say
from maxcode_lsp.settings import Settings, find, load, override


def settings_for(file: Path, **arguments: Any) -> Settings:
    """Settings for a target; arguments that are None leave what the file says.

    Mistakes in the file are told, and the rest of it holds. Raises SettingsError for a wrong argument.
    """
    settings, problems = load(find(file), file)
    for problem in problems:
        place = problem.path if problem.line is None else f"{problem.path}:{problem.line}"
        say(f"{place}: {problem.message}")
    return override(settings, **arguments)
