"""Models each of which cannot be asked for another reason, and what people are to be told of it."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from maxcode_lsp.testing.model_replies import Reply, Said, error, no_such_model, rate_limited
from maxcode_lsp.testing.model_server import Call, ModelServer
from tests.e2e.gains import KEY

TOLD = {
    "down": ("cannot be reached at", "Check that the endpoint runs"),
    "silent": ("was silent for 0.5 s", "llm.read_s"),
    "busy": ("as many questions as its provider allows", "Try again in 90 s"),
    "locked": ("refused the key for", "still valid"),
    "unknown": ("does not know openai/unknown", "Check the name"),
}
"""What is said of each, and what to do."""
LIMITS: dict[str, Any] = {"at_once": 1, "critic": "none", "connect_s": 5, "read_s": 0.5}


def _script(call: Call) -> Said:
    match call.asked["model"]:
        case "silent":
            return Reply(wait_s=60)
        case "busy":
            return rate_limited("90")
        case "locked":
            return error(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key")
        case name:
            return no_such_model(name)


@contextmanager
def models_in_trouble() -> Generator[list[dict[str, Any]]]:
    """Entries of the setting ``models``, as long as their server is there."""
    with ModelServer(_script) as server, socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        closed = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        yield [{"name": f"openai/{name}", "api_base": closed if name == "down" else server.api_base} for name in TOLD]


def missing(said: str) -> list[str]:
    """What of all that should be told is not."""
    return [words for both in TOLD.values() for words in both if words not in said]
