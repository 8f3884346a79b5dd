"""All settings: one typed schema, read from ``maxcode.toml``, under the arguments of the command.

Every key is described in ``docs/settings.md``.
"""

from pathlib import Path

from maxcode_lsp.settings.file import FILE, Problem, find, load, mistake
from maxcode_lsp.settings.schema import (
    CacheSettings,
    LimitSettings,
    OutputSettings,
    RewriteSettings,
    Settings,
    WorkloadSettings,
    json_schema,
)
from maxcode_lsp.settings.values import override


def cache_folder() -> Path:
    """The folder of all caches of this user; it may not exist yet."""
    import platformdirs

    return platformdirs.user_cache_path("maxcode")


__all__ = [
    "FILE",
    "CacheSettings",
    "LimitSettings",
    "OutputSettings",
    "Problem",
    "RewriteSettings",
    "Settings",
    "WorkloadSettings",
    "cache_folder",
    "find",
    "json_schema",
    "load",
    "mistake",
    "override",
]
