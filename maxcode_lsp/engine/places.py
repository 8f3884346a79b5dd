"""Where a user's results and caches are kept."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from maxcode_lsp.settings import cache_folder


def results_folder() -> Path:
    """The folder of proof bundles."""
    return platformdirs.user_data_path("maxcode") / "results"


def builds_folder() -> Path:
    """The folder of the build cache."""
    return cache_folder() / "builds"
