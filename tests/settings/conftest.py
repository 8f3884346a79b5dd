from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own settings are those that a test writes."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
