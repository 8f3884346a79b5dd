from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from maxcode_lsp.errors import ToolMissing
from maxcode_lsp.extras import EXTRAS, need


def test_a_library_that_is_here_is_given() -> None:
    assert need("json", "llm") is json


def test_a_missing_library_names_its_extra() -> None:
    with pytest.raises(ToolMissing, match=r"needs not_a_library.*pip install 'maxcode-lsp\[llm\]'"):
        need("not_a_library.part", "llm")


def test_a_fault_inside_a_library_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_library.py").write_text("import not_a_library\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModuleNotFoundError, match="not_a_library"):
        need("broken_library", "llm")


def test_every_extra_of_the_package_is_known() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"dev"}
