"""A model that this machine serves: its server is held from the first question on, and another comes where it died."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode_lsp.errors import ModelFault, ModelTrouble
from maxcode_lsp.model.ledger import Ledger
from maxcode_lsp.model.local.endpoint import Endpoint, publishing
from maxcode_lsp.model.local.servers import LocalServers
from maxcode_lsp.model.local_model import LocalModel
from maxcode_lsp.model.mixture import Member, Mixture
from maxcode_lsp.model.transport import open_transport
from maxcode_lsp.settings import LlmSettings
from maxcode_lsp.testing.model_server import ModelServer
from tests.model.scripted import QUESTION

KEY = "key-of-a-local-server-123456"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


async def test_it_is_asked_wherever_it_is_served_now() -> None:
    transport = await open_transport(LlmSettings(connect_s=5, read_s=20))
    model = LocalModel("local", "0.5b", 8192, LocalServers(), transport)
    ledger = Ledger(10**6, 0.0)
    mixture = Mixture([Member(model, local=True)], ledger, on_close=[transport.close])
    assert mixture.local
    assert (model.name, model.context_tokens) == ("local", 8192)
    for text in ("one", "two"):
        with ModelServer([text], key=KEY) as server, publishing("0.5b") as publication:
            assert publication is not None
            publication.tell(Endpoint(server.api_base, KEY, "weights", 4096))
            answer = await mixture.ask(model, QUESTION)
            assert server.questions[0].asked["model"] == "weights"
        assert (answer.text, answer.model, answer.usage.cost_usd) == (text, "local", 0.0)
        assert model.context_tokens == 4096
    await mixture.close()
    assert ledger.calls == 2


async def test_without_weights_and_server_it_is_told_how_to_get_them() -> None:
    transport = await open_transport(LlmSettings())
    model = LocalModel("local", "0.5b", 8192, LocalServers(), transport)
    with pytest.raises(ModelTrouble, match="maxcode model pull") as trouble:
        await model.ask(QUESTION)
    assert trouble.value.fault is ModelFault.NOT_PULLED
    await model.close()
    await transport.close()
