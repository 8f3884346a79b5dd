from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.server.raw import Raw, Started


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals, caches, logs and remembered trust of a test stay in its own folder."""
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / f".{name.lower()}"))
    for name in ("MAXCODE_MODEL", "MAXCODE_API_BASE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The workspace's folder."""
    made = tmp_path / "w"
    made.mkdir()
    return made


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    """Starts servers that are gone at the end of the test."""
    servers: list[Raw] = []

    def start(*arguments: str, extra: Mapping[str, str] | None = None) -> Raw:
        place = tmp_path / f"server-{len(servers)}"
        place.mkdir()
        servers.append(Raw(place, *arguments, extra=extra))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
