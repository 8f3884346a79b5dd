"""URIs and paths: one function each way, so that two spellings of one file are one document."""

from __future__ import annotations

from pathlib import Path


def normalised(uri: str) -> str:
    """One spelling for all spellings of a URI: percent-encoding, scheme and host in lower case. Never raises."""
    raise NotImplementedError


def path_of(uri: str) -> Path | None:
    """The absolute path of a ``file:`` URI; None for anything else."""
    raise NotImplementedError


def uri_of(path: Path) -> str:
    """The normalised ``file:`` URI of an absolute path, also of one that is not UTF-8."""
    raise NotImplementedError
