from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Standin = Callable[..., ModuleType]


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user of this machine has set is nobody's business here."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    for name in ("MAXCODE_MODEL", "MAXCODE_API_BASE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Standin:
    """Puts a module in the place of one that the command imports when it is called."""

    def put(name: str, **contents: Any) -> ModuleType:
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
        return module

    return put
