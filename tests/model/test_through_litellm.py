"""A model behind real litellm, asked on the loopback interface; the pitfalls of peers, one by one."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import msgspec
import pytest

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.model.model import Answer, Ending, Message, Question, Role
from maxcode_lsp.testing.conformance import check_model
from maxcode_lsp.testing.model_replies import Reply, error, unsupported
from maxcode_lsp.testing.model_server import ModelServer
from tests.model.scripted import KEY, QUESTION, answer_to, asking, until


async def test_it_keeps_the_contract() -> None:
    with ModelServer() as server:
        async with asking(server.api_base) as (model, _):
            await check_model(model)


async def test_what_is_asked() -> None:
    schema = b'{"type": "object", "properties": {"findings": {"type": "array"}}}'
    with ModelServer(["{}"]) as server:
        async with asking(server.api_base) as (model, _):
            await model.ask(msgspec.structs.replace(QUESTION, schema=schema, temperature=0.25))
    [call] = server.calls
    assert call.path == "/v1/chat/completions"
    assert call.headers["authorization"] == f"Bearer {KEY}"
    assert call.asked["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello?"}]
    assert (call.asked["model"], call.asked["stream"], call.asked["n"]) == ("any", True, 1)
    assert (call.asked["temperature"], call.asked["top_p"], call.asked["max_tokens"]) == (0.25, 0.95, 256)
    assert call.asked["response_format"]["json_schema"]["schema"] == msgspec.json.decode(schema)
    assert None not in call.asked.values()
    assert not {"tools", "functions", "tool_choice"} & call.asked.keys()


@pytest.mark.parametrize(
    ("reply", "text", "ending"),
    [
        (Reply(text="int main() {}"), "int main() {}", Ending.STOP),
        (Reply(text="int main() {", finish="length"), "int main() {", Ending.LENGTH),
        (Reply(text="int main() {", finish=None), "int main() {", Ending.LENGTH),
        (Reply(text="int main() {", finish="content_filter"), "int main() {", Ending.REFUSED),
        (Reply(text=None, refusal="I cannot help with that."), "", Ending.REFUSED),
        (error(400, "Filtered by our content management policy.", code="content_filter"), "", Ending.REFUSED),
        (Reply(choices=0), "", Ending.EMPTY),
        (Reply(message=False), "", Ending.EMPTY),
        (Reply(text=None), "", Ending.EMPTY),
        (Reply(text="  \n"), "  \n", Ending.EMPTY),
        (Reply(text="", finish="length"), "", Ending.LENGTH),
        (Reply(text="", reasoning="Let me see."), "", Ending.THINKING_ONLY),
        (Reply(text="", reasoning="Let me see.", finish="length"), "", Ending.THINKING_ONLY),
        (Reply(text="int x;", reasoning="Let me see."), "int x;", Ending.STOP),
        (Reply(text="<think>\nA loop.\n</think>\n\nint x;"), "int x;", Ending.STOP),
        (Reply(text="A loop.\n</think>\nint x;"), "int x;", Ending.STOP),
        (Reply(text="<think>\nA loop", finish="length"), "", Ending.THINKING_ONLY),
        (Reply(text='auto s = "<think>x</think>";'), 'auto s = "<think>x</think>";', Ending.STOP),
        (Reply(text='int x;\nauto s = "</think>";'), 'int x;\nauto s = "</think>";', Ending.STOP),
    ],
)
async def test_how_answers_end(reply: Reply, text: str, ending: Ending) -> None:
    """Pitfalls 37 and 38: whatever comes is typed, and what is cut off never passes for whole."""
    answer = await answer_to([reply])
    assert (answer.text, answer.ending) == (text, ending)


@pytest.mark.parametrize("piece", [1, 3, 7, 1000])
async def test_the_pieces_do_not_matter(piece: int) -> None:
    text = "<think>ä</think>// größer – 大\r\nint main() { return 0; }\n"
    assert (await answer_to([Reply(text=text, piece=piece)])).text == text.partition("</think>")[2]


@pytest.mark.parametrize(
    ("claimed", "tokens"),
    [((40, 90), (40, 90)), (None, None), ((-5, -9), None), ((0, 1), None), ((10**12, 10**12), None)],
)
async def test_lies_about_lengths(claimed: tuple[int, int] | None, tokens: tuple[int, int] | None) -> None:
    text = "for (int i = 0; i < n; ++i) sum += a[i];\n" * 8
    usage = (await answer_to([Reply(text=text, usage=claimed)])).usage
    if tokens is not None:
        assert (usage.tokens_in, usage.tokens_out) == tokens
    assert 3 <= usage.tokens_in <= 100
    assert 80 <= usage.tokens_out <= 400
    assert usage.cost_usd == 0, "what this machine serves costs nothing"


async def test_an_answer_without_an_end_is_cut() -> None:
    with ModelServer([Reply(text="int x;\n" * 100, piece=700, endless=True)]) as server:
        async with asking(server.api_base) as (model, _):
            answer = await model.ask(msgspec.structs.replace(QUESTION, max_tokens=16))
        assert answer.ending is Ending.LENGTH
        assert len(answer.text) < 100_000
        assert await until(lambda: server.calls[0].gone)


async def test_a_parameter_that_is_not_taken_is_left_out_from_then_on() -> None:
    """Pitfall 40."""
    both = error(400, "`temperature` and `top_p` cannot both be specified for this model.")
    with ModelServer([both, unsupported("temperature"), "Yes."]) as server:
        async with asking(server.api_base) as (model, pauses):
            assert (await model.ask(QUESTION)).text == "Yes."
            assert (await model.ask(QUESTION)).text == "Yes."
    assert [{"top_p", "temperature"} & call.asked.keys() for call in server.calls] == [
        {"top_p", "temperature"}, {"temperature"}, set(), set()
    ]  # fmt: skip
    assert pauses.taken_s == []


async def test_the_newer_name_of_the_limit() -> None:
    refused = error(
        400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param="max_tokens"
    )
    with ModelServer([refused, "Yes."]) as server:
        async with asking(server.api_base) as (model, _):
            assert (await model.ask(QUESTION)).text == "Yes."
    assert "max_tokens" not in server.calls[-1].asked
    assert server.calls[-1].asked["max_completion_tokens"] == QUESTION.max_tokens


@pytest.mark.parametrize("reply", [Reply(wait_s=30), Reply(text="int x;" * 100, pause_s=5)], ids=["before", "within"])
async def test_cancelling_closes_the_connection(reply: Reply) -> None:
    with ModelServer([reply]) as server:
        async with asking(server.api_base) as (model, _):
            asked = asyncio.create_task(model.ask(QUESTION))
            assert await until(lambda: server.calls)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            assert await until(lambda: server.calls[0].gone)


@pytest.mark.parametrize("turns", [0, 1, 2, 5, 20])
async def test_cancelling_before_anything_is_sent(turns: int) -> None:
    with ModelServer([Reply(wait_s=30)]) as server:
        async with asking(server.api_base) as (model, _):
            asked = asyncio.create_task(model.ask(QUESTION))
            for _ in range(turns):
                await asyncio.sleep(0.001)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            await model.close()
            assert await until(lambda: all(call.gone for call in server.calls))


async def test_closing_ends_what_is_asked() -> None:
    with ModelServer([Reply(wait_s=30)]) as server:
        async with asking(server.api_base) as (model, _):
            asked = asyncio.create_task(model.ask(QUESTION))
            assert await until(lambda: server.calls)
            await model.close()
            with pytest.raises(asyncio.CancelledError):
                await asked
        assert await until(lambda: server.calls[0].gone)


async def test_many_at_once() -> None:
    with ModelServer(lambda call: call.prompt.rpartition(" ")[2]) as server:
        async with asking(server.api_base) as (model, _):
            questions = [Question(messages=(Message(Role.USER, f"Say {n}"),), max_tokens=64) for n in range(16)]
            answers = await asyncio.gather(*(model.ask(question) for question in questions))
    assert [answer.text for answer in answers] == [str(n) for n in range(16)]


@pytest.mark.parametrize("key", ["sk-abc\r\nX-Evil: 1", "sk-abc\ndef", "sk-ä", "sk-\x00x"])
async def test_a_key_that_cannot_be_one_is_not_sent(key: str) -> None:
    """Pitfall 41."""
    with ModelServer() as server, pytest.raises(ModelTrouble, match="line break") as trouble:
        async with asking(server.api_base, key=key):
            pass
    assert trouble.value.fault is ModelFault.KEY_REFUSED
    assert "sk-" not in str(trouble.value)
    assert server.calls == []


async def test_a_key_is_without_white_space() -> None:
    with ModelServer() as server:
        async with asking(server.api_base, key=f" {KEY}\r\n") as (model, _):
            await model.ask(QUESTION)
    assert server.calls[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_key_is_told_to_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """Pitfall 41: not in a sentence, a log, on standard output or in an address."""
    caplog.set_level(logging.DEBUG)
    echo = [error(status, f"Incorrect API key provided: {KEY}. ({status})") for status in (400, 401, 403, 404, 409)]
    out = io.StringIO()
    said: list[str] = []
    with redirect_stdout(out), redirect_stderr(out):
        for reply in [*echo, Reply(body=b"data: {oops " + KEY.encode())]:
            with ModelServer([reply]) as server:
                async with asking(server.api_base) as (model, _):
                    try:
                        said.append(str(await model.ask(QUESTION)))
                    except ModelTrouble as trouble:
                        said += [str(trouble), repr(trouble.__cause__), repr(trouble.__context__)]
            assert all(KEY not in call.path for call in server.calls)
    assert len(said) >= 6
    assert out.getvalue() == ""
    litellm = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "asyncio"))]
    for text in [*said, *(record.getMessage() for record in litellm)]:
        assert KEY not in text


async def test_the_price_of_a_model_far_away() -> None:
    """Through a proxy that answers for every host itself."""
    from maxcode_lsp.settings import LlmSettings

    with ModelServer([Reply(text="int x;", usage=(1000, 100))]) as server:
        settings = LlmSettings(proxy=server.address)
        for name, known in (("openai/gpt-4o", True), ("openai/qwen-of-ours", False)):
            async with asking("http://far.example/v1", name=name, settings=settings) as (model, _):
                cost_usd = (await model.ask(QUESTION)).usage.cost_usd
            assert (cost_usd is not None and cost_usd > 0) is known


@pytest.mark.parametrize(
    ("pieces", "text"),
    [(("a\ud83d", "\ude00b"), "a\U0001f600b"), (("a\ud83d", "b"), "a\ufffdb"), (("\udc80", ""), "\ufffd")],
)
async def test_halves_of_characters_are_no_text(pieces: tuple[str, str], text: str) -> None:
    """What comes can be kept, printed and sent on: no program of ours writes a half."""
    deltas: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces
    ]
    deltas.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    body = "".join(f"data: {json.dumps(delta)}\n\n" for delta in deltas) + "data: [DONE]\n\n"
    answer = await answer_to([Reply(body=body.encode(), headers={"content-type": "text/event-stream"})])
    assert (answer.text, answer.ending) == (text, Ending.STOP)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(answer), type=Answer) == answer


async def test_an_event_without_an_end() -> None:
    """Nothing of it is kept to look for a refusal, and what comes after is read as ever."""
    whole = "".join(event.decode() for event in Reply(text="fine").events({}))
    body = f": {'a' * (1 << 20)}\n\n{whole}".encode()
    answer = await answer_to([Reply(body=body, headers={"content-type": "text/event-stream"})])
    assert (answer.text, answer.ending) == ("fine", Ending.STOP)
