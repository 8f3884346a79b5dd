"""The scripted server itself: what is built on it must be able to rely on it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from maxcode_lsp.testing.model_replies import Reply, rate_limited
from maxcode_lsp.testing.model_server import Call, ModelServer

ASKED: dict[str, Any] = {"model": "any", "messages": [{"role": "user", "content": "Hello?"}]}


def test_answers_come_in_order_and_the_last_again_and_again() -> None:
    with ModelServer(["one", "two"]) as server, httpx.Client() as client:
        said = [client.post(f"{server.api_base}/chat/completions", json=ASKED).json() for _ in range(3)]
    assert [one["choices"][0]["message"]["content"] for one in said] == ["one", "two", "two"]
    assert said[0]["usage"]["total_tokens"] > 0
    assert [call.prompt for call in server.calls] == ["Hello?"] * 3


def test_a_stream_says_the_same() -> None:
    with ModelServer([Reply(text="one two three", piece=4, usage=(7, 3))]) as server, httpx.Client() as client:
        whole = client.post(
            f"{server.api_base}/chat/completions",
            json={**ASKED, "stream": True, "stream_options": {"include_usage": True}},
        )
    assert whole.headers["content-type"] == "text/event-stream"
    assert whole.text.count('"content": ') == 5
    assert '"prompt_tokens": 7, "completion_tokens": 3' in whole.text
    assert whole.text.endswith("data: [DONE]\n\n")


def test_models_headers_and_keys() -> None:
    with ModelServer([rate_limited("3")], models=["a", "b"], key="k") as server, httpx.Client() as client:
        assert client.get(f"{server.api_base}/models").status_code == 401
        right = {"authorization": "Bearer k"}
        listed = client.get(f"{server.api_base}/models", headers=right).json()["data"]
        limited = client.post(f"{server.api_base}/chat/completions", json=ASKED, headers=right)
    assert [one["id"] for one in listed] == ["a", "b"]
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "3")
    assert len(server.questions) == 1


@pytest.mark.parametrize("reply", [Reply(drop="before"), Reply(text="x" * 100, drop="during")])
@pytest.mark.parametrize("stream", [True, False])
def test_connections_break(reply: Reply, stream: bool) -> None:
    with ModelServer([reply]) as server, httpx.Client() as client, pytest.raises(httpx.RemoteProtocolError):
        client.post(f"{server.api_base}/chat/completions", json={**ASKED, "stream": stream})


def test_what_is_slow_ends_with_the_client_and_with_the_server() -> None:
    with ModelServer([Reply(wait_s=600)]) as server, httpx.Client() as client:
        with pytest.raises(httpx.ReadTimeout):
            client.post(f"{server.api_base}/chat/completions", json=ASKED, timeout=0.1)
        with pytest.raises(httpx.ReadTimeout):
            client.post(f"{server.api_base}/chat/completions", json=ASKED, timeout=0.1)
    assert len(server.calls) == 2
    assert all(call.done for call in server.calls)


def test_a_fault_of_the_script_is_a_fault_of_the_test() -> None:
    def script(call: Call) -> str:
        raise KeyError(call.path)

    with pytest.raises(KeyError), ModelServer(script) as server, httpx.Client() as client:
        assert client.post(f"{server.api_base}/chat/completions", json=ASKED).status_code == 500
