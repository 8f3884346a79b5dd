from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Standin = Callable[..., ModuleType]


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Standin:
    """Puts a module in the place of one that the command imports when it is called."""

    def put(name: str, **contents: Any) -> ModuleType:
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
        return module

    return put
