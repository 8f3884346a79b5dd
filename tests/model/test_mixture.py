"""Models that are mixed: who is chosen, what is cached and counted, and that closing ends every question."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.model.cache import AnswerCache
from maxcode_lsp.model.catalogue import FREE, Price
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.mixture import Member, Mixture
from maxcode_lsp.model.model import Ending
from maxcode_lsp.model.through_litellm import LitellmModel
from maxcode_lsp.model.transport import open_transport
from maxcode_lsp.settings import LlmSettings
from maxcode_lsp.testing.model_replies import Reply, error
from maxcode_lsp.testing.model_server import ModelServer
from tests.model.scripted import KEY, QUESTION, until


@asynccontextmanager
async def mixed(
    server: ModelServer,
    ledger: Ledger | None = None,
    *,
    weights: Sequence[float] = (1.0,),
    folder: Path | None = None,
    price: Price | None = None,
) -> AsyncGenerator[Mixture]:
    """Models of one server, ``openai/m0``, ``openai/m1`` …; ``folder``: of the cache."""
    transport = await open_transport(LlmSettings(connect_s=5, read_s=20))
    members = [
        Member(
            LitellmModel(f"openai/m{n}", transport, api_base=server.api_base, key=KEY),
            weight,
            (f"openai/m{n}", server.api_base),
            price,
        )
        for n, weight in enumerate(weights)
    ]
    cache = AnswerCache(folder) if folder is not None else None
    mixture = Mixture(members, ledger or Ledger(10**6, 1.0), cache, on_close=[transport.close])
    try:
        yield mixture
    finally:
        await mixture.close()


async def test_the_same_draw_gets_the_same_model_and_weights_hold() -> None:
    with ModelServer() as server:
        async with mixed(server, weights=(1, 3, 0.001)) as mixture, mixed(server, weights=(1, 3, 0.001)) as again:
            draws = [f"lane {n}" for n in range(4000)]
            chosen = [mixture.choose(draw).name for draw in draws]
            assert chosen == [again.choose(draw).name for draw in draws]
            assert mixture.names == ("openai/m0", "openai/m1", "openai/m2")
            counts = Counter(chosen)
            assert 0.2 < counts["openai/m0"] / len(draws) < 0.3
            assert counts["openai/m2"] < 40
            assert mixture.choose("\ud800").name in mixture.names


@given(st.lists(st.floats(1e-6, 1000), min_size=1, max_size=5), st.text())
def test_any_weights_and_any_draw(weights: list[float], draw: str) -> None:
    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

    members = [Member(Named(str(n)), weight) for n, weight in enumerate(weights)]  # type: ignore[arg-type]
    mixture = Mixture(members, Ledger(1, 1))
    assert mixture.choose(draw).name in mixture.names


async def test_a_known_answer_is_not_asked_for_again(tmp_path: Path) -> None:
    ledger = Ledger(10**6, 1.0)
    with ModelServer(["one", "two", "three"]) as server:
        async with mixed(server, ledger, folder=tmp_path) as mixture:
            model = mixture.choose("")
            first = await mixture.ask(model, QUESTION)
            used = ledger.usage
            again = await mixture.ask(model, QUESTION)
            assert (first.text, first.cached, again.text, again.cached) == ("one", False, "one", True)
            assert again.usage.cost_usd == 0
            assert (ledger.calls, ledger.cached, ledger.usage) == (2, 1, used)
            assert (await mixture.ask(model, replace(QUESTION, sample=1))).text == "two"
        async with mixed(server, ledger, folder=tmp_path) as later:
            assert (await later.ask(later.choose(""), QUESTION)).text == "one"
        async with mixed(server, ledger) as without:
            assert (await without.ask(without.choose(""), QUESTION)).text == "three"
        assert len(server.questions) == 3


async def test_a_known_answer_comes_also_where_nothing_may_be_spent(tmp_path: Path) -> None:
    with ModelServer(["one"]) as server:
        async with mixed(server, folder=tmp_path) as mixture:
            await mixture.ask(mixture.choose(""), QUESTION)
        async with mixed(server, Ledger(0, 0.0), folder=tmp_path) as poor:
            assert (await poor.ask(poor.choose(""), QUESTION)).text == "one"
            with pytest.raises(ModelTrouble, match=r"llm\.max_tokens"):
                await poor.ask(poor.choose(""), replace(QUESTION, sample=1))
        assert len(server.questions) == 1


async def test_a_question_that_may_exceed_the_caps_is_not_sent() -> None:
    with ModelServer() as server:
        async with mixed(server, Ledger(QUESTION.max_tokens, 1.0)) as mixture:
            with pytest.raises(ModelTrouble) as trouble:
                await mixture.ask(mixture.choose(""), QUESTION)
            assert trouble.value.fault is ModelFault.CAP_REACHED
        dear = Price(0.0, 0.005, 0.0, 0.005)
        async with mixed(server, Ledger(10**6, 1.0), price=dear) as mixture:
            with pytest.raises(ModelTrouble, match=r"llm\.max_cost_usd"):
                await mixture.ask(mixture.choose(""), QUESTION)
        assert server.questions == []


async def test_what_an_answer_really_took_counts_whatever_it_was_allowed() -> None:
    """A server that counts more than it was allowed to (pitfall: lying lengths)."""
    ledger = Ledger(2000, 1.0)
    with ModelServer([Reply(text="x", usage=(900, 1000))]) as server:
        async with mixed(server, ledger) as mixture:
            await mixture.ask(mixture.choose(""), QUESTION)
            assert (ledger.usage.tokens_in, ledger.usage.tokens_out) == (900, 1000)
            with pytest.raises(ModelTrouble):
                await mixture.ask(mixture.choose(""), QUESTION)
        assert len(server.questions) == 1


async def test_trouble_is_neither_cached_nor_counted(tmp_path: Path) -> None:
    ledger = Ledger(10**6, 1.0)
    with ModelServer([error(400, "no"), "fine"]) as server:
        async with mixed(server, ledger, folder=tmp_path) as mixture:
            with pytest.raises(ModelTrouble):
                await mixture.ask(mixture.choose(""), QUESTION)
            assert (ledger.calls, ledger.asking) == (0, 0)
            assert (await mixture.ask(mixture.choose(""), QUESTION)).text == "fine"


async def test_a_refusal_is_asked_again(tmp_path: Path) -> None:
    with ModelServer([Reply(text=None, refusal="I will not."), "fine"]) as server:
        async with mixed(server, folder=tmp_path) as mixture:
            assert (await mixture.ask(mixture.choose(""), QUESTION)).ending is Ending.REFUSED
            assert (await mixture.ask(mixture.choose(""), QUESTION)).text == "fine"


async def test_a_key_that_comes_back_in_an_answer_goes_no_further(tmp_path: Path) -> None:
    with ModelServer(lambda call: f"Your key is {call.headers['authorization']}.") as server:
        async with mixed(server, folder=tmp_path) as mixture:
            first = await mixture.ask(mixture.choose(""), QUESTION)
            again = await mixture.ask(mixture.choose(""), QUESTION)
    assert first.text == again.text == "Your key is Bearer [secret]."
    assert KEY.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


async def test_closing_ends_all_questions() -> None:
    ledger = Ledger(10**6, 1.0)
    with ModelServer([Reply(text="late", wait_s=60)]) as server:
        async with mixed(server, ledger, weights=(1, 1), price=FREE) as mixture:
            asking = [
                asyncio.create_task(mixture.ask(mixture.choose(str(n)), replace(QUESTION, sample=n))) for n in range(3)
            ]
            assert await until(lambda: len(server.questions) == 3)
            async with asyncio.timeout(10):
                await mixture.close()
                results = await asyncio.gather(*asking, return_exceptions=True)
            assert [type(result) for result in results] == [ModelTrouble] * 3
            assert ledger.asking == 0
            assert await until(lambda: all(call.gone for call in server.questions))
            with pytest.raises(ModelTrouble, match="the run is over"):
                await mixture.ask(mixture.choose(""), QUESTION)
            await mixture.close()


async def test_cancelling_one_question_leaves_the_others() -> None:
    ledger = Ledger(10**6, 1.0)

    def script(_: object) -> Reply:
        return Reply(text="fine", wait_s=60 if len(server.questions) == 1 else 0)

    with ModelServer(script) as server:
        async with mixed(server, ledger, price=FREE) as mixture:
            slow = asyncio.create_task(mixture.ask(mixture.choose(""), QUESTION))
            assert await until(lambda: bool(server.questions))
            quick = asyncio.create_task(mixture.ask(mixture.choose(""), QUESTION))
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
            assert (await quick).text == "fine"
            assert (ledger.calls, ledger.asking) == (1, 0)
