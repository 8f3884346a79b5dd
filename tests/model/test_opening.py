"""From settings to models: names, weights, addresses, keys, and what is said where something is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from maxcode_lsp.errors import ModelFault, ModelTrouble, SettingsError
from maxcode_lsp.model.keys import Keys
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.model.mixture import Mixture
from maxcode_lsp.model.opening import open_critic, open_models
from maxcode_lsp.settings import LlmSettings, ModelSettings, Settings
from maxcode_lsp.testing.model_server import ModelServer
from tests.model.scripted import QUESTION

KEYS = {"OPENAI_API_KEY": "sk-opening-0123456789abcdef", "MY_OWN": "key-of-my-own-123456789"}


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


async def opened(settings: Settings, environment: dict[str, str] | None = None) -> Mixture:
    keys = Keys({}, KEYS if environment is None else environment)
    return await open_models(settings, keys, Ledger(10**6, 1.0), LocalServers())


async def critic(settings: Settings) -> Mixture | None:
    return await open_critic(settings, Keys({}, KEYS), Ledger(10**6, 1.0), LocalServers())


async def test_one_model_is_asked_at_its_address_with_its_key() -> None:
    with ModelServer(["fine"]) as server:
        mixture = await opened(Settings(model="openai/any", api_base=server.api_base))
        answer = await mixture.ask(mixture.choose(""), QUESTION)
        await mixture.close()
        (call,) = server.questions
    assert (answer.text, answer.model, mixture.names) == ("fine", "openai/any", ("openai/any",))
    assert call.headers["authorization"] == f"Bearer {KEYS['OPENAI_API_KEY']}"
    assert call.asked["model"] == "any"
    assert not mixture.local


async def test_several_by_weight_each_with_its_own_key_and_context() -> None:
    with ModelServer(["fine"]) as server:
        more = (
            ModelSettings(name="openai/b", weight=0.1, api_base=server.api_base, key_env="MY_OWN"),
            ModelSettings(name="hosted_vllm/c/d:e", weight=2, api_base=server.api_base, context_tokens=4096),
        )
        mixture = await opened(Settings(model="openai/gpt-5-mini", api_base=server.api_base, models=more))
        assert mixture.names == ("openai/gpt-5-mini", "openai/b", "hosted_vllm/c/d:e")
        models = {model.name: model for model in (mixture.choose(str(n)) for n in range(500))}
        assert {name: model.context_tokens for name, model in models.items()} == {
            "openai/gpt-5-mini": 272_000,
            "openai/b": 8192,
            "hosted_vllm/c/d:e": 4096,
        }
        await mixture.ask(models["openai/b"], QUESTION)
        await mixture.ask(models["hosted_vllm/c/d:e"], QUESTION)
        await mixture.close()
    sent = [call.headers.get("authorization") for call in server.questions]
    assert sent[0] == f"Bearer {KEYS['MY_OWN']}"
    assert KEYS["OPENAI_API_KEY"] not in str(sent[1])


async def test_the_price_list_caps_before_anything_is_asked() -> None:
    settings = Settings(model="openai/gpt-5-mini")
    mixture = await open_models(settings, Keys({}, KEYS), Ledger(10**6, 0.0004), LocalServers())
    with pytest.raises(ModelTrouble, match=r"llm\.max_cost_usd") as trouble:
        await mixture.ask(mixture.choose(""), QUESTION)
    assert trouble.value.fault is ModelFault.CAP_REACHED
    assert "$0.0005" in str(trouble.value)
    await mixture.close()


@pytest.mark.parametrize(
    "name",
    [
        "gpt-5-mini",
        "http://evil.example/v1",
        "huggingface/http://evil.example",
        "openai/https://evil.example/x",
        "openai/a b",
        "openai/a\nb",
        "openai/",
        "/a",
        "openai//a",
        "openai/-x",
        "openai/a?key=b",
        "openai/../a",
        "öpenai/a",
        "",
        "none",
        "locale",
        "aiohttp_openai/any",
        "bedrock/agentcore/arn:aws:bedrock-agentcore:evil.example/x:1:runtime/y",
        "bedrock/agentcore/a:b:c:evil.example/x",
    ],
)
async def test_names_that_are_none(name: str, tmp_path: Path) -> None:
    file = tmp_path / "maxcode.toml"
    file.write_text(f'budget = 3\n[[models]]\nname = "{name!r}"\n', encoding="utf-8")
    settings = Settings(models=(ModelSettings(name=name),), file=str(file))
    with pytest.raises(SettingsError, match="models") as wrong:
        await opened(settings)
    assert "provider/name" in str(wrong.value)
    assert (wrong.value.path, wrong.value.line) == (str(file), 2)


@pytest.mark.parametrize(
    "name",
    [
        "openai/gpt-5-mini",
        "openrouter/qwen/qwen-2.5-coder-32b-instruct:free",
        "azure/my_deployment-1",
        "vertex_ai/claude-sonnet-4@20250514",
        "ollama_chat/qwen2.5-coder:7b",
        "huggingface/together/Qwen/Qwen2.5-Coder-32B",
        "cloudflare/@cf/meta/llama-3",
        "bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0",
    ],
)
async def test_names_that_are_some(name: str) -> None:
    mixture = await opened(Settings(models=(ModelSettings(name=name, api_base="http://127.0.0.1:9/v1"),)))
    assert mixture.names == (name,)
    await mixture.close()


async def test_a_missing_key_is_told_with_where_it_was_looked_for() -> None:
    with pytest.raises(ModelTrouble, match="ANTHROPIC_API_KEY") as trouble:
        await opened(Settings(model="anthropic/claude-sonnet-4-5"))
    assert trouble.value.fault is ModelFault.KEY_MISSING
    with pytest.raises(ModelTrouble, match="GEMINI_API_KEY and GOOGLE_API_KEY"):
        await opened(Settings(model="gemini/gemini-2.5-pro"))
    one = ModelSettings(name="openai/a", api_base="http://127.0.0.1:9/v1", key_env="NOT_THERE")
    with pytest.raises(ModelTrouble, match="NOT_THERE"):
        await opened(Settings(models=(one,)))


async def test_an_endpoint_of_ones_own_needs_no_key() -> None:
    with ModelServer(["fine"]) as server:
        mixture = await opened(Settings(model="openai/any", api_base=server.api_base), {})
        assert (await mixture.ask(mixture.choose(""), QUESTION)).text == "fine"
        await mixture.close()


async def test_a_key_that_cannot_be_one() -> None:
    with pytest.raises(ModelTrouble) as trouble:
        await opened(Settings(model="openai/a"), {"OPENAI_API_KEY": "sk-ab\r\nX-Evil: 1 23456789"})
    assert trouble.value.fault is ModelFault.KEY_REFUSED
    assert "23456789" not in str(trouble.value)


async def test_weights_that_were_not_pulled() -> None:
    with pytest.raises(ModelTrouble, match="maxcode model pull") as trouble:
        await opened(Settings(model="local"))
    assert trouble.value.fault is ModelFault.NOT_PULLED
    with pytest.raises(ModelTrouble) as trouble:
        await opened(Settings(model="local/70b"))
    assert trouble.value.fault is ModelFault.NAME_UNKNOWN


CRITICS = {
    ("openai/a", "", ""): "openai/a",
    ("openai/a", "", "none"): None,
    ("openai/a", "openai/b", "openai/b"): "openai/b",
    ("", "openai/b", ""): "openai/b",
    ("local", "", ""): None,
    ("local", "openai/b", ""): "openai/b",
    ("openai/a", "", "openai/c"): "openai/c",
    ("", "", ""): None,
    ("", "", "openai/c"): None,
}


@pytest.mark.parametrize(("first", "second", "named"), CRITICS)
async def test_who_criticises(first: str, second: str, named: str) -> None:
    more = (ModelSettings(name=second),) if second else ()
    settings = Settings(model=first, models=more, llm=LlmSettings(critic=named))
    assert settings.asks_models is bool(first or second)
    found = await critic(settings)
    assert (found.names[0] if found else None) == CRITICS[first, second, named]
    if found:
        await found.close()


async def test_the_critic_is_asked_where_the_same_model_is() -> None:
    with ModelServer(["fine"]) as server:
        one = ModelSettings(name="openai/b", weight=5, api_base=server.api_base, key_env="MY_OWN")
        settings = Settings(model="openai/a", models=(one,), llm=LlmSettings(cache=False))
        found = await critic(settings)
        assert found is not None and found.names == ("openai/b",)
        await found.ask(found.choose(""), QUESTION)
        await found.close()
        assert server.questions[0].headers["authorization"] == f"Bearer {KEYS['MY_OWN']}"
    with pytest.raises(SettingsError, match=r"llm\.critic"):
        await critic(replace(settings, llm=LlmSettings(critic="odd")))


async def test_answers_are_kept_in_the_users_cache_unless_told_otherwise(tmp_path: Path) -> None:
    with ModelServer(["fine"]) as server:
        settings = Settings(model="openai/a", api_base=server.api_base, llm=LlmSettings(cache=False))
        for kept in (False, True):
            mixture = await opened(replace(settings, llm=LlmSettings(cache=kept)))
            await mixture.ask(mixture.choose(""), QUESTION)
            await mixture.close()
            assert (tmp_path / "cache" / "maxcode" / "answers").exists() is kept


@pytest.mark.parametrize(
    "name",
    [
        "openai/ft:gpt-4o-mini-2024-07-18:my-org:my-suffix:abc123",
        "openai/ft:gpt-4o-mini-2024-07-18:my-org::abc123",
        "openrouter/qwen/qwen3-coder:free",
        "ollama_chat/hf.co/Qwen/Qwen2.5-Coder-7B-Instruct-GGUF:Q4_K_M",
        "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "bedrock/converse/arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc",
        "bedrock/agentcore/arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-abc",
    ],
)
async def test_names_with_more_in_them(name: str) -> None:
    keys = {"OPENAI_API_KEY": "sk-opening-0123456789abcdef", "OPENROUTER_API_KEY": "sk-or-0123456789abcdef"}
    mixture = await opened(Settings(model=name), keys)
    assert mixture.names == (name,)
    await mixture.close()
