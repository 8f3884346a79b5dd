"""``docs/models.md`` holds: each set-up reaches where it says, with its key; each sentence is one of ours."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import ssl
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec import Struct

from maxcode_lsp.critique.opinion import OpinionEnd
from maxcode_lsp.engine.events import RunResult, Spent
from maxcode_lsp.engine.wording import models_line
from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.messages import local_models
from maxcode_lsp.messages import models as sentences
from maxcode_lsp.model.cache import KEPT_S, SIZE_BYTES
from maxcode_lsp.model.catalogue import UNKNOWN_CONTEXT_TOKENS
from maxcode_lsp.model.keys import Keys, names_of
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.library import VERSION
from maxcode_lsp.model.local.catalogue import CATALOGUE
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.model.opening import open_models
from maxcode_lsp.model.retrying import AGAIN, BROKEN, SLOW
from maxcode_lsp.policy.llm.replies.reply import ReplyEnd
from maxcode_lsp.records import RunStatus
from maxcode_lsp.settings import LlmSettings, Settings
from maxcode_lsp.testing.model_server import Call, ModelServer
from tests.model.scripted import QUESTION
from tests.model.test_transport import in_its_own_way

PAGE = (Path(__file__).parents[1] / "docs" / "models.md").read_text(encoding="utf-8")
KEY = "key-of-the-docs-5a4b3c2d1e0f"


class SetUp(Struct, frozen=True):
    """One line of the table."""

    title: str
    model: str
    key: str
    api_base: str
    address: str
    header: str

    @property
    def needs_key(self) -> bool:
        return not self.key.startswith("optional")

    @property
    def variable(self) -> str:
        return self.key.removeprefix("optional: ")


def table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, cells without back ticks."""
    after = PAGE.partition(heading)[2]
    rows = re.search(r"(?:^\|.*\|\n)+", after, re.MULTILINE)
    assert rows is not None
    lines = rows.group().splitlines()[2:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines]


SETUPS = [SetUp(*row) for row in table("## Set-ups")]
ASKED = [one for one in SETUPS if one.address]
HOSTS = sorted({urlsplit(one.address).hostname or "" for one in ASKED})


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of its own, and no address or key from the environment of whoever runs this."""
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for name in os.environ:
        if name.endswith(("_API_BASE", "_BASE_URL", "_API_KEY", "_API_VERSION", "_PROXY", "_proxy")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A certificate for all hosts of the table, and a server's side of it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate, and is not installed")
    folder = tmp_path_factory.mktemp("authority")
    authority, key = folder / "authority.pem", folder / "key.pem"
    make = [
        openssl,
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    make += ["-subj", "/CN=docs", "-addext", f"subjectAltName={','.join(f'DNS:{host}' for host in HOSTS)}"]
    subprocess.run([*make, "-keyout", str(key), "-out", str(authority)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority, key)
    return authority, context


async def ask(settings: Settings, environment: dict[str, str]) -> str:
    models = await open_models(settings, Keys({}, environment), Ledger(10**9, 10**6), LocalServers())
    try:
        return (await models.ask(models.choose(""), QUESTION)).text
    finally:
        await models.close()


async def reached(one: SetUp, environment: dict[str, str], certificate: tuple[Path, ssl.SSLContext]) -> Call:
    """The question as it came in: at this machine's own port, or through a proxy that stands for every host."""
    wanted = urlsplit(one.address)
    if wanted.hostname == "localhost":
        with ModelServer(in_its_own_way) as server:
            base = urlsplit(one.api_base)
            assert base.netloc == wanted.netloc
            api_base = f"{server.address}{base.path}"
            settings = Settings(model=one.model, api_base=api_base, llm=LlmSettings(cache=False))
            assert await ask(settings, environment) == "Yes."
        [call] = server.calls
        return call
    authority, context = certificate
    with ModelServer(in_its_own_way, tls=context) as proxy:
        llm = LlmSettings(cache=False, proxy=proxy.address.replace("https", "http"), ca=str(authority))
        settings = Settings(model=one.model, api_base=one.api_base, llm=llm)
        assert await ask(settings, environment) == "Yes."
    tunnel, call = proxy.calls
    assert (tunnel.method, tunnel.path) == ("CONNECT", f"{wanted.hostname}:443".lower())
    return call


@pytest.mark.parametrize("one", ASKED, ids=lambda one: one.title)
async def test_a_set_up_reaches_where_it_says(one: SetUp, certificate: tuple[Path, ssl.SSLContext]) -> None:
    assert one.variable in names_of(one.model.partition("/")[0])
    call = await reached(one, {one.variable: KEY}, certificate)
    assert call.path.partition("?")[0] == urlsplit(one.address).path
    sent = {name: value for name, value in call.headers.items() if KEY in value}
    assert list(sent) == [one.header.lower()]
    assert KEY not in call.path
    assert KEY.encode() not in call.body
    name = one.model.partition("/")[2]
    assert name in (call.asked.get("model"), *call.path.replace(":", "/").split("/"))


@pytest.mark.parametrize("one", [one for one in ASKED if not one.needs_key], ids=lambda one: one.title)
async def test_a_key_that_is_optional_is(one: SetUp, certificate: tuple[Path, ssl.SSLContext]) -> None:
    call = await reached(one, {}, certificate)
    assert call.headers.get("authorization", "Bearer none") == "Bearer none"


@pytest.mark.parametrize("one", [one for one in ASKED if one.needs_key], ids=lambda one: one.title)
async def test_a_key_that_is_needed_is_missed_before_anything_is_asked(one: SetUp) -> None:
    provider = one.model.partition("/")[0]
    assert Keys({}, {}).lacks(provider)
    if not one.api_base:
        with pytest.raises(ModelTrouble, match=one.variable) as trouble:
            await open_models(Settings(model=one.model), Keys({}, {}), Ledger(1, 1), LocalServers())
        assert trouble.value.fault is ModelFault.KEY_MISSING


async def test_a_set_up_on_this_machine() -> None:
    [local] = [one for one in SETUPS if not one.address]
    with pytest.raises(ModelTrouble, match="maxcode model pull") as trouble:
        await open_models(Settings(model=local.model), Keys({}, {}), Ledger(1, 1), LocalServers())
    assert trouble.value.fault is ModelFault.NOT_PULLED


async def test_the_set_ups_that_were_promised_are_there() -> None:
    titles = " ".join(one.title for one in SETUPS)
    for name in ("OpenAI", "Anthropic", "Gemini", "Ollama", "vLLM", "llama.cpp", "Azure", "this machine"):
        assert name in titles


async def test_azures_version_comes_from_the_environment(
    certificate: tuple[Path, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    [azure] = [one for one in ASKED if one.model.startswith("azure/")]
    monkeypatch.setenv("AZURE_API_VERSION", "2031-01-01")
    call = await reached(azure, {azure.variable: KEY}, certificate)
    assert call.path.endswith("?api-version=2031-01-01")
    for name in ("azure/my-gpt-5", "azure/gpt5_series/mine"):
        other = SetUp(azure.title, name, azure.key, azure.api_base, azure.address, azure.header)
        call = await reached(other, {azure.variable: KEY}, certificate)
        assert f"/openai/deployments/{name.rpartition('/')[2]}/" in call.path
        assert "max_completion_tokens" in call.asked


def test_the_local_models_are_those_that_can_be_pulled() -> None:
    rows = {name: (download, memory) for name, _, download, memory, _ in table("## A local model\n")}
    assert list(rows) == [weights.name for weights in CATALOGUE]
    for weights in CATALOGUE:
        download, memory = rows[weights.name]
        assert (download, memory) == (
            local_models.size(weights.size_bytes),
            f"{weights.memory_bytes / 1e9:.1f} GB",
        )
        assert weights.licence in PAGE


def result(spent: Spent, replies: dict[str, int]) -> RunResult:
    return RunResult("a.cpp", RunStatus.IMPROVED, None, None, 0, {}, 1.0, "", "", spent=spent, replies=replies)


def test_every_end_of_a_reply_is_explained() -> None:
    explained = {part.strip() for first, _ in table("### In the report") for part in first.split(",")}
    for end in (*ReplyEnd, OpinionEnd.MALFORMED, OpinionEnd.FAILED):
        line = models_line(result(Spent(5), {end.value: 5}))
        assert any(f"5 {words}" in line for words in explained), line


def test_the_line_of_the_report_is_as_reports_have_it() -> None:
    spent = Spent(12, 3, 30_000, 4_000, 0.034)
    replies = {"program": 5, "hunks": 2, "no_code": 3, "truncated": 2}
    assert models_line(result(spent, replies)) in PAGE


def test_what_a_message_says_is_what_we_say() -> None:
    ours = inspect.getsource(sentences) + inspect.getsource(local_models)
    phrases = [phrase for phrase, _ in table("### What a message means")]
    assert [phrase for phrase in phrases if phrase not in ours] == []
    assert len(phrases) >= len(ModelFault)


def test_how_often_it_is_asked_again() -> None:
    times = {"once": 1, "twice": SLOW, "3 times": BROKEN, "4 times": 4, "5 times": 5}
    told: dict[int, int] = {}
    for what, how_often in table("## When something fails"):
        for first, last in re.findall(r"\b(\d{3})(?: to (\d{3}))?", re.sub(r"\(\d+\)", "", what)):
            told |= dict.fromkeys(range(int(first), int(last or first) + 1), times[how_often])
    assert {status: tries for status, tries in told.items() if tries > 1} == AGAIN


def test_the_figures_are_those_of_the_code() -> None:
    defaults = LlmSettings()
    assert f"`llm.max_tokens` ({defaults.max_tokens:,})" in PAGE
    assert f"`llm.max_cost_usd` ({defaults.max_cost_usd:g})" in PAGE
    assert f"`llm.read_s` ({defaults.read_s:g})" in PAGE
    assert f"`llm.connect_s` ({defaults.connect_s:g})" in PAGE
    assert f"exactly one release, {VERSION}:" in PAGE
    assert f"{UNKNOWN_CONTEXT_TOKENS} tokens are assumed" in PAGE
    assert f"for {KEPT_S / 86400:.0f} days, in {SIZE_BYTES >> 20} MiB" in PAGE
