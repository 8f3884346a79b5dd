"""The user's own settings file: the lowest layer, under every workspace's, and the only one that may say where keys
and money go.
"""

from __future__ import annotations

from pathlib import Path

from maxcode_lsp.settings.schema import FILE


def own_file() -> Path:
    """Where it is; it may not exist."""
    import platformdirs

    return platformdirs.user_config_path("maxcode") / FILE


def is_own(path: Path, own: Path) -> bool:
    """Whether a settings file is the user's own, by whatever name."""
    try:
        return path == own or path.samefile(own)
    except OSError:
        return False
