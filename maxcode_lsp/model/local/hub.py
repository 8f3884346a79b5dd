"""Weights from the Hugging Face hub, over HTTPS."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

from maxcode_lsp.messages import local_models
from maxcode_lsp.model.local.catalogue import Weights
from maxcode_lsp.model.local.source import Partial, SourceFailed
from maxcode_lsp.settings import LlmSettings

if TYPE_CHECKING:
    import httpx

NAME = "the Hugging Face hub"
ADDRESS = "https://huggingface.co"
CONNECT_S = 5.0
"""Ours: the next source is tried soon."""
READ_S = 30.0
TRIES = 4
"""Ours: so often in a row a connection may break off without having brought anything."""
_FOUND, _PART, _OUT_OF_RANGE = 200, 206, 416


def fetch(
    weights: Weights, partial: Partial, settings: LlmSettings, environment: Mapping[str, str] = os.environ
) -> None:
    """Add what is missing. Raises SourceFailed, and OSError where it cannot be written.

    ``HF_ENDPOINT`` (a mirror) and ``HF_HUB_OFFLINE`` hold, as in the hub's own tools.
    """
    if partial.whole:
        return
    if environment.get("HF_HUB_OFFLINE", "").lower() in {"1", "on", "yes", "true"}:
        raise SourceFailed(local_models.hub_offline())
    try:
        import httpx
    except ImportError as error:
        raise SourceFailed(local_models.client_missing()) from error
    address = environment.get("HF_ENDPOINT", "").rstrip("/") or ADDRESS
    try:
        client = httpx.Client(
            follow_redirects=True,
            timeout=httpx.Timeout(READ_S, connect=min(CONNECT_S, settings.connect_s)),
            proxy=settings.proxy or None,
            verify=ssl.create_default_context(cafile=settings.ca or None),
        )
    except (OSError, ValueError, httpx.InvalidURL) as error:
        raise SourceFailed(local_models.hub_unreachable(str(error))) from error
    with client:
        _go_on(httpx, client, address + weights.address, weights, partial)


def _go_on(library: ModuleType, client: httpx.Client, address: str, weights: Weights, partial: Partial) -> None:
    failures, reached = 0, False
    while True:
        before, why = partial.size, "it ended early"
        try:
            _once(client, address, weights, partial)
            reached = True
        except (library.HTTPError, library.InvalidURL) as error:
            why = str(error) or type(error).__name__
        if partial.whole:
            return
        reached = reached or partial.size > before
        failures = 0 if partial.size > before else failures + 1
        if not reached:
            raise SourceFailed(local_models.hub_unreachable(why))
        if failures == TRIES:
            raise SourceFailed(local_models.hub_broke_off(why))
        time.sleep(0.1 * 2**failures)


def _once(client: httpx.Client, address: str, weights: Weights, partial: Partial) -> None:
    """One request for all that is missing."""
    headers = {"Accept-Encoding": "identity"}
    if partial.size:
        headers["Range"] = f"bytes={partial.size}-"
    with client.stream("GET", address, headers=headers) as response:
        if response.status_code == _OUT_OF_RANGE:
            partial.truncate()
            raise SourceFailed(local_models.hub_refuses(_OUT_OF_RANGE))
        if response.status_code not in {_FOUND, _PART}:
            raise SourceFailed(local_models.hub_refuses(response.status_code))
        if response.status_code == _FOUND and partial.size:
            partial.truncate()  # it sends all of it once more
        _check_size(response, weights, partial)
        try:
            # As they come: what is gathered to larger blocks is lost where the connection breaks off.
            for block in response.iter_raw():
                partial.add(block)
        except ValueError as error:
            raise SourceFailed(local_models.other_file(weights.size_bytes, partial.size)) from error


def _check_size(response: httpx.Response, weights: Weights, partial: Partial) -> None:
    """That it is a file of the right length is known before any of it is fetched."""
    told = response.headers.get("Content-Range", "").rpartition("/")[2]
    if response.status_code == _FOUND:
        told = response.headers.get("Content-Length", "")
    elif not response.headers.get("Content-Range", "").startswith(f"bytes {partial.size}-"):
        raise SourceFailed(local_models.hub_refuses(response.status_code))
    if told.isdecimal() and int(told) != weights.size_bytes:
        raise SourceFailed(local_models.other_file(weights.size_bytes, int(told)))
