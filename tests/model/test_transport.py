"""Whatever the provider, every request goes through the one client: its proxy, its authorities (pitfall 42)."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.errors import ModelFault, ModelTrouble, SettingsError
from maxcode_lsp.model.model import Ending
from maxcode_lsp.model.transport import open_transport
from maxcode_lsp.settings import LlmSettings
from maxcode_lsp.testing.model_replies import Reply, Said
from maxcode_lsp.testing.model_server import Call, ModelServer
from tests.model.scripted import KEY, QUESTION, asking

HOSTS = (
    "api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "mine.openai.azure.com",
    "openrouter.ai", "api.groq.com", "api.mistral.ai", "api.deepseek.com", "api.x.ai", "inside.example",
)  # fmt: skip
EVENTS = {"content-type": "text/event-stream"}


def events(*told: dict[str, Any]) -> bytes:
    return b"".join(f"data: {json.dumps(one)}\n\n".encode() for one in told)


ANTHROPIC = Reply(
    headers=EVENTS,
    body=events(
        {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 9}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Yes."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ),
)
GEMINI = Reply(
    headers=EVENTS,
    body=events({"candidates": [{"content": {"parts": [{"text": "Yes."}], "role": "model"}, "finishReason": "STOP"}]}),
)
OLLAMA = Reply(
    headers={"content-type": "application/x-ndjson"},
    body=b'{"model": "q", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": "Yes."}, '
    b'"done": false}\n{"model": "q", "message": {"role": "assistant", "content": ""}, "done": true, '
    b'"created_at": "2026-01-01T00:00:00Z", "done_reason": "stop", "prompt_eval_count": 9, "eval_count": 2}\n',
)


def in_its_own_way(call: Call) -> Said:
    ways = {"/v1/messages": ANTHROPIC, "streamGenerateContent": GEMINI, "/api/chat": OLLAMA}
    return next((reply for path, reply in ways.items() if path in call.path), "Yes.")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A certificate that is its own authority, and a server's side of it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate, and is not installed")
    folder = tmp_path_factory.mktemp("authority")
    authority, key = folder / "authority.pem", folder / "key.pem"
    names = ",".join(["IP:127.0.0.1", *(f"DNS:{host}" for host in HOSTS)])
    make = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    make += ["-days", "2", "-subj", "/CN=scripted", "-addext", f"subjectAltName={names}"]
    subprocess.run([*make, "-keyout", str(key), "-out", str(authority)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority, key)
    return authority, context


@pytest.mark.parametrize(
    ("name", "address", "host"),
    [
        ("openai/gpt-5-mini", "", "api.openai.com"),
        ("anthropic/claude-sonnet-4-5", "", "api.anthropic.com"),
        ("gemini/gemini-2.5-flash", "", "generativelanguage.googleapis.com"),
        ("azure/deployed", "https://mine.openai.azure.com", "mine.openai.azure.com"),
        ("openrouter/qwen/qwen3-coder", "", "openrouter.ai"),
        ("groq/llama-3.3-70b-versatile", "", "api.groq.com"),
        ("mistral/codestral-latest", "", "api.mistral.ai"),
        ("deepseek/deepseek-chat", "", "api.deepseek.com"),
        ("xai/grok-4", "", "api.x.ai"),
        ("ollama_chat/qwen", "https://inside.example", "inside.example"),
        ("hosted_vllm/qwen", "https://inside.example/v1", "inside.example"),
        ("openai/qwen", "https://inside.example/v1", "inside.example"),
    ],
)
async def test_proxy_and_authority_of_every_provider(
    name: str, address: str, host: str, certificate: tuple[Path, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE"):
        monkeypatch.delenv(variable, raising=False)
    authority, context = certificate
    with ModelServer(in_its_own_way, tls=context) as proxy:
        settings = LlmSettings(proxy=proxy.address.replace("https", "http"), ca=str(authority))
        async with asking(address, name=name, settings=settings) as (model, pauses):
            answer = await model.ask(QUESTION)
    assert (answer.text, answer.ending) == ("Yes.", Ending.STOP)
    assert pauses.taken_s == []
    assert [(call.method, call.path) for call in proxy.calls[:1]] == [("CONNECT", f"{host}:443")]
    [question] = proxy.questions
    assert any(KEY in value for value in question.headers.values())
    assert KEY not in question.path
    assert "tools" not in question.asked


async def test_a_proxy_without_a_tunnel() -> None:
    with ModelServer() as proxy:
        settings = LlmSettings(proxy=proxy.address)
        async with asking("http://inside.example/v1", settings=settings) as (model, _):
            await model.ask(QUESTION)
    assert proxy.calls[0].path == "http://inside.example/v1/chat/completions"


async def test_this_machine_is_not_behind_the_proxy() -> None:
    with ModelServer() as proxy, ModelServer() as server:
        async with asking(server.api_base, settings=LlmSettings(proxy=proxy.address)) as (model, _):
            await model.ask(QUESTION)
    assert (len(proxy.calls), len(server.calls)) == (0, 1)


async def test_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        monkeypatch.setenv("NO_PROXY", "")
        async with asking("http://inside.example/v1") as (model, _):
            await model.ask(QUESTION)
    assert len(proxy.calls) == 1


@pytest.mark.parametrize("name", ["openai/any", "anthropic/claude-sonnet-4-5"])
async def test_an_authority_that_is_not_trusted(name: str, certificate: tuple[Path, ssl.SSLContext]) -> None:
    with ModelServer(tls=certificate[1]) as server:
        async with asking(server.address, name=name) as (model, _):
            with pytest.raises(ModelTrouble, match=r"llm\.ca") as trouble:
                await model.ask(QUESTION)
    assert trouble.value.fault is ModelFault.UNREACHABLE
    assert server.questions == []


@pytest.mark.parametrize("proxy", ["ftp://inside.example", "http://[", "http://a:b:c"])
async def test_what_is_no_proxy(proxy: str) -> None:
    with pytest.raises(SettingsError, match=r"llm\.proxy"):
        await open_transport(LlmSettings(proxy=proxy))


async def test_what_is_no_file_of_authorities(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_text("nothing")
    for name in ("missing.pem", "empty.pem", "."):
        with pytest.raises(SettingsError, match=r"llm\.ca"):
            await open_transport(LlmSettings(ca=str(tmp_path / name)))


async def test_a_redirection_takes_no_key_along() -> None:
    with ModelServer() as elsewhere:
        reply = Reply(status=307, body=b"", headers={"location": f"{elsewhere.api_base}/chat/completions"})
        with ModelServer([reply]) as server:
            for name in ("openai/any", "anthropic/claude-sonnet-4-5"):
                async with asking(server.api_base, name=name) as (model, _):
                    with pytest.raises(ModelTrouble, match="not followed"):
                        await model.ask(QUESTION)
    assert elsewhere.calls == []
