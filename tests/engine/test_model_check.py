"""Whether a model can be asked, in plain words: one tiny question to a scripted server behind real litellm."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from msgspec.structs import replace

from maxcode_lsp.engine.health import Check, State
from maxcode_lsp.engine.model_check import QUESTION, model_checks
from maxcode_lsp.settings import LlmSettings, ModelSettings, Settings
from maxcode_lsp.testing.model_replies import Reply, context_exceeded, no_such_model, server_error
from maxcode_lsp.testing.model_server import ModelServer, Script

KEY = "sk-doctor-planted-6c1d9e0fb2a3"


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of its own, and one key."""
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


async def checked(settings: Settings, **limits: float) -> list[Check]:
    found = [check async for check in model_checks(settings, **limits)]
    for check in found:
        assert check.name == "model"
        assert KEY not in f"{check.detail} {check.remedy}"
        assert "Traceback" not in check.detail
    return found


def at(server: ModelServer, *, read_s: float = 20) -> Settings:
    llm = LlmSettings(connect_s=5, read_s=read_s)
    return Settings(model="openai/gpt-5-mini", api_base=server.api_base, llm=llm)


async def asked(script: Script, key: str | None = KEY) -> Check:
    with ModelServer(script, key=key) as server:
        [check] = await checked(at(server))
    return check


async def test_without_a_model_nothing_is_asked() -> None:
    assert await checked(Settings()) == []
    assert await checked(Settings(llm=LlmSettings(critic="openai/gpt-5-mini"))) == []


async def test_one_that_answers() -> None:
    with ModelServer(["ready"], key=KEY) as server:
        [check] = await checked(at(server))
        [call] = server.questions
    assert check.state is State.OK
    assert check.detail.startswith("openai/gpt-5-mini answered in ")
    assert "272k tokens" in check.detail
    assert call.prompt == QUESTION
    assert not check.needed


async def test_it_is_asked_anew_each_time(tmp_path: Path) -> None:
    with ModelServer(["ready"]) as server:
        await checked(at(server))
        await checked(at(server))
        assert len(server.questions) == 2
    assert not (tmp_path / "cache" / "maxcode" / "answers").exists()


async def test_a_key_that_is_wrong() -> None:
    check = await asked(["ready"], key="sk-another-one-0123456789")
    assert check.state is State.MISSING
    assert "refused the key for openai/gpt-5-mini" in check.detail


async def test_a_key_that_is_missing() -> None:
    [check] = await checked(Settings(model="gemini/gemini-2.5-flash"))
    assert (check.state, check.needed) == (State.MISSING, True), "a run with it would be refused"
    assert "GEMINI_API_KEY and GOOGLE_API_KEY" in check.detail
    assert "--model none" in check.detail


async def test_a_key_that_was_named_and_is_not_there() -> None:
    with ModelServer(["ready"]) as server:
        one = ModelSettings(name="openai/ours", api_base=server.api_base, key_env="NOT_SET_ANYWHERE")
        [check] = await checked(Settings(models=(one,)))
        assert server.calls == []
    assert "NOT_SET_ANYWHERE" in check.detail


async def test_a_name_that_its_endpoint_does_not_know() -> None:
    check = await asked([no_such_model("gpt-5-mini")])
    assert check.state is State.MISSING
    assert "does not know openai/gpt-5-mini" in check.detail


async def test_a_name_without_a_provider() -> None:
    [check] = await checked(Settings(model="gpt-5-mini"))
    assert (check.state, check.needed) == (State.MISSING, True)
    assert "provider/name" in check.detail


async def test_a_provider_that_there_is_not() -> None:
    [check] = await checked(Settings(model="nobody/any"))
    assert check.state is State.MISSING
    assert "names no provider that is known" in check.detail


async def test_an_address_at_which_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and not listening
        base = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        [check] = await checked(Settings(model="openai/any", api_base=base))
    assert check.state is State.MISSING
    assert "cannot be reached at http://127.0.0.1:" in check.detail
    assert not check.needed, "a run goes on without it"


async def test_an_endpoint_that_is_silent() -> None:
    with ModelServer([Reply(wait_s=60)]) as server:
        [check] = await checked(at(server, read_s=0.2))
    assert check.state is State.MISSING
    assert "was silent for 0.2 s" in check.detail


async def test_one_that_never_comes_to_an_end() -> None:
    with ModelServer([Reply(text="ready " * 999, pause_s=0.1)]) as server:
        [check] = await checked(at(server), limit_s=0.5)
    assert check.state is State.MISSING
    assert "did not answer a simple question within" in check.detail


async def test_one_that_is_slow() -> None:
    with ModelServer(["ready"]) as server:
        [check] = await checked(at(server), slow_s=0)
    assert check.state is State.LIMITED
    assert "slow" in check.remedy


async def test_a_context_that_is_small() -> None:
    with ModelServer(["ready"]) as server:
        one = ModelSettings(name="openai/ours", api_base=server.api_base, context_tokens=4096)
        [check] = await checked(Settings(models=(one,)))
        assert check.state is State.LIMITED
        assert "llm.answer_tokens" in check.remedy
        [check] = await checked(Settings(models=(one,), llm=LlmSettings(answer_tokens=1024)))
        assert check.state is State.OK


async def test_a_context_that_not_even_this_fits_into() -> None:
    check = await asked([context_exceeded(64)])
    assert check.state is State.MISSING
    assert "longer than what openai/gpt-5-mini takes" in check.detail


async def test_an_endpoint_that_is_no_models() -> None:
    check = await asked([Reply(body=b"<html>Welcome</html>", headers={"content-type": "text/html"})])
    assert check.state is State.MISSING
    assert "api_base" in check.detail


async def test_an_endpoint_that_is_broken_says_what_it_said() -> None:
    check = await asked([server_error(501)])
    assert check.state is State.MISSING
    assert "HTTP 501" in check.detail


@pytest.mark.parametrize(
    ("reply", "how"),
    [
        (Reply(text="", finish="stop"), "empty"),
        (Reply(text=None, refusal="No."), "refused"),
        (Reply(text="", reasoning="Hm."), "thinking only"),
        (Reply(text="ready" * 9, finish="length"), "length"),
    ],
)
async def test_an_answer_that_is_none(reply: Reply, how: str) -> None:
    check = await asked([reply])
    assert check.state is State.LIMITED
    assert check.detail.endswith(how)


async def test_money_that_may_not_be_spent() -> None:
    settings = Settings(model="openai/gpt-5-mini", llm=LlmSettings(max_cost_usd=0))
    [check] = await checked(settings)
    assert check.state is State.MISSING
    assert "llm.max_cost_usd" in check.detail


async def test_weights_that_are_not_here() -> None:
    [check] = await checked(Settings(model="local"))
    assert (check.state, check.needed) == (State.MISSING, True)
    assert "maxcode model pull" in check.detail


async def test_a_proxy_that_is_none() -> None:
    [check] = await checked(Settings(model="openai/gpt-5-mini", llm=LlmSettings(proxy="ftp://inside.example")))
    assert check.state is State.MISSING
    assert "llm.proxy" in check.detail


async def test_every_model_has_a_line_and_the_critic_too() -> None:
    with ModelServer(lambda call: "ready" if call.asked["model"] != "c" else no_such_model("c")) as server:
        more = tuple(ModelSettings(name=f"openai/{name}", api_base=server.api_base) for name in ("b", "c"))
        settings = replace(at(server), models=more)
        found = await checked(settings)
        assert [check.state for check in found] == [State.OK, State.OK, State.MISSING]
        assert "openai/c" in found[-1].detail
        assert [call.asked["model"] for call in server.questions] == ["gpt-5-mini", "b", "c"]
        critic = replace(settings, llm=replace(settings.llm, critic="gemini/gemini-2.5-pro"))
        found = await checked(critic)
        assert len(found) == 4
        assert "GEMINI_API_KEY" in found[-1].detail
        same = replace(settings, llm=replace(settings.llm, critic="openai/b"))
        assert len(await checked(same)) == 3
