"""All settings: one typed schema, read from ``maxcode.toml``, under the arguments of the command.

Every key is described in ``docs/settings.md``.
"""

from pathlib import Path

from maxcode_lsp.settings.export import editor_properties, json_schema, schema_text
from maxcode_lsp.settings.file import FILE, Problem, find, load, mistake
from maxcode_lsp.settings.layers import lay
from maxcode_lsp.settings.schema import (
    CacheSettings,
    EditorSettings,
    JournalSettings,
    LimitSettings,
    OutputSettings,
    RewriteSettings,
    Settings,
    WorkloadSettings,
)
from maxcode_lsp.settings.values import override


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
    "OutputSettings",
    "Problem",
    "RewriteSettings",
    "Settings",
    "WorkloadSettings",
    "cache_folder",
    "editor_properties",
    "find",
    "json_schema",
    "lay",
    "load",
    "mistake",
    "override",
    "schema_text",
]
