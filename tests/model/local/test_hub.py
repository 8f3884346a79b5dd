"""The Hugging Face hub, as a server on the loopback interface that helps or does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from maxcode_lsp.model.local.hub import fetch
from maxcode_lsp.model.local.source import Partial, SourceFailed
from maxcode_lsp.settings import LlmSettings
from tests.model.local.scripted import DATA, PART_BYTES, WEIGHTS, Reply, Request, hub


@pytest.fixture
def file(home: Path, tmp_path: Path) -> Path:
    return tmp_path / "partial"


def get(file: Path, address: str, settings: LlmSettings | None = None, **environment: str) -> int:
    """Bytes that were fetched."""
    with Partial(file, WEIGHTS, lambda _: None) as partial:
        fetch(WEIGHTS, partial, settings or LlmSettings(), {"HF_ENDPOINT": address} | environment)
        assert partial.whole
        return partial.added


def test_all_of_it(file: Path) -> None:
    with hub(lambda request: request.give(DATA)) as (address, seen):
        assert get(file, f"{address}/") == len(DATA)
        assert get(file, address) == 0
    assert seen == [0]
    assert file.read_bytes() == DATA


def test_the_rest_of_it(file: Path) -> None:
    file.write_bytes(DATA[:PART_BYTES])
    with hub(lambda request: request.give(DATA)) as (address, seen):
        assert get(file, address) == len(DATA) - PART_BYTES
    assert seen == [PART_BYTES]
    assert file.read_bytes() == DATA


def test_connections_that_break_off_are_taken_up_again(file: Path) -> None:
    with hub(lambda request: request.give(DATA, cut=40_000)) as (address, seen):
        assert get(file, address) == len(DATA)
    assert seen == [0, 40_000, 80_000]
    assert file.read_bytes() == DATA


def test_a_hub_without_ranges_sends_all_once_more(file: Path) -> None:
    file.write_bytes(DATA[:5])
    with hub(lambda request: request.give(DATA, ranges=False)) as (address, seen):
        assert get(file, address) == len(DATA)
    assert seen == [5]
    assert file.read_bytes() == DATA


def test_it_is_followed_to_where_it_keeps_its_files(file: Path) -> None:
    with hub(lambda request: request.give(DATA)) as (address, seen):

        def elsewhere(request: Request) -> None:
            request.send_response(302)
            request.send_header("Location", f"{address}/blob")
            request.send_header("Content-Length", "0")
            request.end_headers()

        with hub(elsewhere) as (front, _):
            file.write_bytes(DATA[:5])
            assert get(file, front) == len(DATA) - 5
    assert seen == [5]


REPLIES: dict[str, tuple[Reply, str]] = {
    "missing": (lambda request: request.refuse(404), "it answers with status 404"),
    "limited": (lambda request: request.refuse(429), "it answers with status 429"),
    "range": (lambda request: request.refuse(416), "it answers with status 416"),
    "short": (lambda request: request.give(DATA[:-1]), "it has another file of that name"),
    "long": (lambda request: request.give(DATA + b"x"), "it has another file of that name"),
    "nothing": (lambda request: request.give(DATA, cut=0), "it cannot be reached"),
}


@pytest.mark.parametrize(("reply", "said"), REPLIES.values(), ids=REPLIES)
def test_a_hub_that_does_not_help(file: Path, reply: Reply, said: str) -> None:
    with hub(reply) as (address, seen), pytest.raises(SourceFailed, match=said):
        get(file, address)
    assert seen == [0]
    assert file.read_bytes() == b""


def test_a_connection_that_brings_nothing_any_more_is_given_up(file: Path) -> None:
    file.write_bytes(DATA[:5])
    cuts = iter([10])
    with (
        hub(lambda request: request.give(DATA, cut=next(cuts, 0))) as (address, seen),
        pytest.raises(SourceFailed, match="broke off again and again"),
    ):
        get(file, address)
    assert seen == [5, 15, 15, 15, 15]
    assert file.read_bytes() == DATA[:15]


def test_a_range_that_was_not_asked_for(file: Path) -> None:
    file.write_bytes(DATA[:5])

    def reply(request: Request) -> None:
        request.send_response(206)
        request.send_header("Content-Range", f"bytes 0-9/{len(DATA)}")
        request.send_header("Content-Length", "10")
        request.end_headers()
        request.wfile.write(DATA[:10])

    with hub(reply) as (address, _), pytest.raises(SourceFailed):
        get(file, address)
    assert file.read_bytes() == DATA[:5]


def test_the_proxy_of_the_user(file: Path) -> None:
    with hub(lambda request: request.give(DATA)) as (address, seen):
        assert get(file, "http://hub.invalid", LlmSettings(proxy=address)) == len(DATA)
    assert seen == [0]


@pytest.mark.parametrize(
    ("settings", "environment", "said"),
    [
        (LlmSettings(ca="/nowhere/ca.pem"), {}, "it cannot be reached"),
        (LlmSettings(proxy="what://is this"), {}, "it cannot be reached"),
        (LlmSettings(), {}, "it cannot be reached"),
        (LlmSettings(), {"HF_ENDPOINT": "http://[::1"}, "it cannot be reached"),
        (LlmSettings(), {"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE is set"),
    ],
    ids=["authorities", "proxy", "nobody there", "address", "offline"],
)
def test_what_cannot_be_reached(file: Path, settings: LlmSettings, environment: dict[str, str], said: str) -> None:
    with pytest.raises(SourceFailed, match=said):
        get(file, os.environ["HF_ENDPOINT"], settings, **environment)
