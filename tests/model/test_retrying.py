"""What is asked again, after which pause, and what people are told in the end (pitfall 40)."""

from __future__ import annotations

import json
import socket
from email.utils import formatdate
from time import time

import httpx
import pytest

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.model import retrying
from maxcode_lsp.settings import LlmSettings
from maxcode_lsp.testing.model_replies import (
    Reply,
    context_exceeded,
    error,
    no_such_model,
    rate_limited,
    server_error,
)
from maxcode_lsp.testing.model_server import ModelServer
from tests.model.scripted import KEY, QUESTION, asking, trouble_with


@pytest.mark.parametrize(
    ("reply", "fault", "words"),
    [
        (error(400, "Unknown role.", code="invalid"), ModelFault.BAD_REQUEST, "Unknown role"),
        (error(400, "API key not valid. Please pass a valid API key."), ModelFault.KEY_REFUSED, "refused the key"),
        (error(401, "Incorrect API key provided."), ModelFault.KEY_REFUSED, "refused the key"),
        (error(403, "Not for you."), ModelFault.KEY_REFUSED, "refused the key"),
        (no_such_model("any"), ModelFault.NAME_UNKNOWN, "does not know openai/any"),
        (context_exceeded(), ModelFault.CONTEXT_TOO_SMALL, "longer than what openai/any takes"),
        (
            error(400, "'max_tokens' is too large: 4096. This model's maximum context length is 8192 tokens."),
            ModelFault.CONTEXT_TOO_SMALL,
            "longer than what",
        ),
        (error(413, "Prompt is too long."), ModelFault.CONTEXT_TOO_SMALL, "context_tokens"),
        (error(429, "You exceeded your current quota.", code="insufficient_quota"), ModelFault.RATE_LIMITED, "used up"),
        (rate_limited("3600"), ModelFault.RATE_LIMITED, "in 3600 s"),
        (error(501, "No."), ModelFault.SERVER, "HTTP 501"),
        (Reply(status=307, body=b"", headers={"location": "http://127.0.0.1:9/"}), ModelFault.BAD_REQUEST, "api_base"),
        (Reply(body=b"<html>Welcome</html>", headers={"content-type": "text/html"}), ModelFault.BAD_REQUEST, "/v1"),
        (Reply(body=b"{not json"), ModelFault.BAD_REQUEST, "not a model's answer"),
        (Reply(status=400, body=b"\xff\x00<html>"), ModelFault.BAD_REQUEST, "HTTP 400"),
        (Reply(status=400, body=b"[" * 100_000), ModelFault.BAD_REQUEST, "HTTP 400"),
        (Reply(status=404, body=b'{"error": null}'), ModelFault.NAME_UNKNOWN, "does not know"),
    ],
)
async def test_once_is_enough(reply: Reply, fault: ModelFault, words: str) -> None:
    trouble, asked, pauses_s = await trouble_with([reply])
    assert trouble.fault is fault
    assert words in str(trouble)
    assert str(trouble).endswith(".")
    assert (asked, pauses_s) == (1, [])


@pytest.mark.parametrize(
    ("reply", "fault", "tries"),
    [
        (rate_limited(), ModelFault.RATE_LIMITED, 5),
        (server_error(500), ModelFault.SERVER, 4),
        (server_error(502), ModelFault.SERVER, 4),
        (server_error(503), ModelFault.SERVER, 4),
        (error(529, "Overloaded"), ModelFault.SERVER, 4),
        (Reply(drop="before"), ModelFault.SERVER, 3),
        (Reply(text="int x;" * 50, drop="during"), ModelFault.SERVER, 3),
        (Reply(body=b"data: {oops\n\n", headers={"content-type": "text/event-stream"}), ModelFault.SERVER, 3),
        (
            Reply(
                body=b'data: {"error": {"message": "Overloaded"}}\n\n', headers={"content-type": "text/event-stream"}
            ),
            ModelFault.SERVER,
            3,
        ),
    ],
)
async def test_a_few_tries_with_growing_pauses(reply: Reply, fault: ModelFault, tries: int) -> None:
    trouble, asked, pauses_s = await trouble_with([reply])
    assert trouble.fault is fault
    assert "http://127.0.0.1" in str(trouble) or "allows" in str(trouble)
    assert "litellm" not in str(trouble)
    assert asked == tries
    assert len(pauses_s) == tries - 1
    assert all(0.5 * 2**n <= pause_s <= 1.5 * 2**n for n, pause_s in enumerate(pauses_s))


@pytest.mark.parametrize("reply", [rate_limited(), server_error(), Reply(drop="before"), Reply(drop="during")])
async def test_it_goes_on_where_the_trouble_ends(reply: Reply) -> None:
    with ModelServer([reply, "Yes."]) as server:
        async with asking(server.api_base) as (model, pauses):
            assert (await model.ask(QUESTION)).text == "Yes."
    assert len(pauses.taken_s) == 1


@pytest.mark.parametrize("wish", ["20", " 20.0 ", "date"])
async def test_retry_after_is_honoured(wish: str) -> None:
    header = formatdate(time() + 21, usegmt=True) if wish == "date" else wish
    with ModelServer([rate_limited(header), "Yes."]) as server:
        async with asking(server.api_base) as (model, pauses):
            assert (await model.ask(QUESTION)).text == "Yes."
    assert len(pauses.taken_s) == 1
    assert 10 <= pauses.taken_s[0] <= 23


@pytest.mark.parametrize("wish", ["soon", "-5", "nan", "inf", "1e9", "", "Thu, 01 Jan 1970 00:00:00 GMT", "٣"])
async def test_odd_wishes_are_no_reason_to_wait(wish: str) -> None:
    assert not retrying.after_s(httpx.Headers([(b"retry-after", wish.encode())])), wish


async def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        async with asking(f"{address}/v1") as (model, pauses):
            with pytest.raises(ModelTrouble) as trouble:
                await model.ask(QUESTION)
    assert trouble.value.fault is ModelFault.UNREACHABLE
    assert f"cannot be reached at {address}" in str(trouble.value)
    assert len(pauses.taken_s) == 2


@pytest.mark.parametrize("reply", [Reply(wait_s=30), Reply(text="int x;" * 99, pause_s=30)], ids=["at first", "later"])
async def test_silence(reply: Reply) -> None:
    with ModelServer([reply]) as server:
        settings = LlmSettings(connect_s=30, read_s=0.3)
        async with asking(server.api_base, settings=settings) as (model, pauses):
            with pytest.raises(ModelTrouble, match=r"was silent for 0\.3 s") as trouble:
                await model.ask(QUESTION)
    assert trouble.value.fault is ModelFault.TOO_SLOW
    assert len(pauses.taken_s) == 1


async def test_slow_is_not_silent() -> None:
    with ModelServer([Reply(text="int x;" * 8, piece=6, pause_s=0.1)]) as server:
        async with asking(server.api_base, settings=LlmSettings(read_s=2)) as (model, _):
            assert (await model.ask(QUESTION)).text == "int x;" * 8


async def test_no_connection_in_time() -> None:
    """The listener's queue is full: the handshake of TCP never ends."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        full = [socket.socket() for _ in range(4)]
        for one in full:
            one.setblocking(False)
            one.connect_ex(deaf.getsockname())
        settings = LlmSettings(connect_s=0.3, read_s=60)
        async with asking(f"http://127.0.0.1:{deaf.getsockname()[1]}/v1", settings=settings) as (model, _):
            with pytest.raises(
                ModelTrouble, match=r"did not take a connection for openai/any within 0\.3 s"
            ) as trouble:
                await model.ask(QUESTION)
        for one in full:
            one.close()
    assert trouble.value.fault is ModelFault.UNREACHABLE


@pytest.mark.parametrize(
    ("name", "fault", "words"),
    [
        ("nonsense/any", ModelFault.NAME_UNKNOWN, "names no provider"),
        ("any", ModelFault.NAME_UNKNOWN, "names no provider"),
        ("openai/gpt-5-mini", ModelFault.KEY_MISSING, "looked for: OPENAI_API_KEY and the editor"),
        ("anthropic/claude-sonnet-4-5", ModelFault.KEY_MISSING, "looked for: OPENAI_API_KEY and the editor"),
    ],
)
async def test_what_is_not_even_sent(name: str, fault: ModelFault, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(variable, raising=False)
    async with asking("", name=name, key=None, looked_for=("OPENAI_API_KEY", "the editor")) as (model, _):
        with pytest.raises(ModelTrouble) as trouble:
            await model.ask(QUESTION)
    assert trouble.value.fault is fault
    assert words in str(trouble.value)


async def test_an_endpoint_that_wants_a_key_after_all() -> None:
    with ModelServer(key=KEY) as server:
        async with asking(server.api_base, key=None, looked_for=("MY_KEY",)) as (model, _):
            with pytest.raises(ModelTrouble, match="looked for: MY_KEY") as trouble:
                await model.ask(QUESTION)
    assert trouble.value.fault is ModelFault.KEY_MISSING


@pytest.mark.parametrize("status", [400, 401, 402, 404, 418, 429, 500])
async def test_what_a_server_says_can_always_be_written_down(status: int) -> None:
    told = {"error": {"message": "\ud800\udfff \udc80 \ud83d\x1b[31m\u202e\x9b2J no"}}
    trouble, _, _ = await trouble_with([Reply(status=status, body=json.dumps(told).encode())])
    sentence = str(trouble)
    assert sentence.encode().decode() == sentence
    assert " no”" in sentence
    assert not {*"\x1b\x9b\u202e"} & {*sentence}


@pytest.mark.parametrize("wish", ["9" * 4000, "1000000000", "Fri, 31 Dec 9999 23:59:59 GMT"])
async def test_a_wish_to_be_left_alone_for_ever(wish: str) -> None:
    trouble, tries, _ = await trouble_with([rate_limited(wish)])
    assert tries == 1
    assert "Try again later" in str(trouble)
