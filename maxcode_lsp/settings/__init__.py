"""All settings: one typed schema, read from ``maxcode.toml``, the workspace's over the user's own, under environment
variables, the editor and the arguments of a command.

Every key is described in ``docs/settings.md``.
"""

from pathlib import Path

from maxcode_lsp.settings.export import editor_properties, editor_text, json_schema, schema_text
from maxcode_lsp.settings.file import Problem, find, load, mistake
from maxcode_lsp.settings.layers import lay, lay_environment, override
from maxcode_lsp.settings.own import own_file
from maxcode_lsp.settings.schema import (
    FILE,
    CacheSettings,
    EditorSettings,
    JournalSettings,
    LimitSettings,
    LlmSettings,
    ModelSettings,
    OutputSettings,
    RewriteSettings,
    Settings,
    StrategySettings,
    WorkloadSettings,
)


def cache_folder() -> Path:
    """The folder of all caches of this user; it may not exist yet."""
    import platformdirs

    return platformdirs.user_cache_path("maxcode")


__all__ = [
    "FILE",
    "CacheSettings",
    "EditorSettings",
    "JournalSettings",
    "LimitSettings",
    "LlmSettings",
    "ModelSettings",
    "OutputSettings",
    "Problem",
    "RewriteSettings",
    "Settings",
    "StrategySettings",
    "WorkloadSettings",
    "cache_folder",
    "editor_properties",
    "editor_text",
    "find",
    "json_schema",
    "lay",
    "lay_environment",
    "load",
    "mistake",
    "override",
    "own_file",
    "schema_text",
]
