"""Keys from an editor's secret store: held in memory, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.redaction import redact
from maxcode_lsp.server import custom
from maxcode_lsp.server.serving import Serving
from maxcode_lsp.server.workspace.options import Options, read_options, read_secrets
from maxcode_lsp.server.workspace.uris import uri_of
from tests.engine.processes import with_itself
from tests.server.far_end import FarEnd
from tests.server.raw import Started
from tests.server.scene import PROGRAM

KEY, OTHER = "sk-planted-0a1b2c3d4e5f60718293", "planted-0f1e2d3c4b5a69788796"


def everything(folder: Path) -> bytes:
    """All that a server left on the disk."""
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_a_real_server_tells_nobody_but_its_engine(started: Started, folder: Path) -> None:
    program = folder / "solve.cpp"
    program.write_text(PROGRAM)
    server = started()
    options = {"trusted": False, "secrets": {"OPENAI_API_KEY": KEY, "bad name": OTHER}, "runChanged": True}
    server.initialize(rootUri=uri_of(folder), initializationOptions=options)
    arguments = [{"uri": uri_of(program)}]
    server.notify(custom.SECRETS, {"secrets": {"OPENAI_API_KEY": KEY, "MINE": OTHER}})
    run = server.call("workspace/executeCommand", {"command": custom.START, "arguments": arguments})["result"]["run"]
    # The text is read by a real engine process, which got the keys first.
    while not any(
        message.get("params", {}).get("run") == run and message["params"]["status"] != "running"
        for message in server.messages
        if message.get("method") == custom.RUN_CHANGED
    ):
        server.take()
    processes = with_itself(server.process.pid)
    assert len(processes) > 1
    seen = b""
    for pid in processes:
        seen += Path(f"/proc/{pid}/environ").read_bytes() + Path(f"/proc/{pid}/cmdline").read_bytes()
    assert b"maxcode_lsp.engine.process" in seen
    server.notify(custom.SECRETS, [KEY])
    server.call("maxcode/status", {})
    assert server.stop() == 0
    told = str(server.messages)
    said = [
        message["params"]["message"] for message in server.messages if message.get("method") == "window/showMessage"
    ]
    assert ["should be an object of keys" in sentence for sentence in said].count(True) == 2
    for key in (KEY, OTHER):
        assert key not in told
        assert key.encode() not in seen + everything(server.folder)


def serving(params: dict[str, Any]) -> tuple[Serving, FarEnd]:
    far = FarEnd()
    return Serving(far.server, "utf-16", params), far


async def test_a_change_takes_the_place_of_what_was_before() -> None:
    made, far = serving({"initializationOptions": {"secrets": {"OPENAI_API_KEY": KEY}}})
    engine = made.session.engine
    assert engine._secrets.values == {"OPENAI_API_KEY": KEY}
    assert KEY not in redact(f"the key is {KEY}")
    change = made.handlers()[custom.SECRETS]
    change({"secrets": {"MINE": OTHER, "NONE": None, "EMPTY": ""}})
    assert engine._secrets.values == {"MINE": OTHER}
    assert OTHER not in redact(f"the key is {OTHER}")
    change({"secrets": {}})
    assert engine._secrets.values == {}
    assert far.all("window/showMessage") == []
    await made.close()


@pytest.mark.parametrize(
    "given",
    [
        KEY,
        [KEY],
        3,
        {"OPENAI_API_KEY": [KEY]},
        {"OPENAI_API_KEY": {"key": KEY}},
        {KEY: "x"},
        {"openai": KEY},
        {"": KEY},
        {"LONG": KEY * 1000},
        {f"K{n}": f"{KEY}{n}" for n in range(101)},
    ],
)
def test_what_makes_no_sense_is_left_out_and_not_repeated(given: Any) -> None:
    wrong: list[str] = []
    secrets = read_secrets(given, custom.SECRETS, wrong)
    assert len(secrets) == (100 if isinstance(given, dict) and "K0" in given else 0)
    assert len(wrong) == 1 and "maxcode/secrets should be an object of keys" in wrong[0]
    assert KEY not in wrong[0]
    options, said, _ = read_options({"secrets": given, "buttons": True})
    assert (options.secrets, options.buttons) == (secrets, True)
    assert len(said) == 1 and KEY not in said[0]


def test_none_is_none() -> None:
    assert read_options({"secrets": None}) == (Options(), (), ())


def test_they_are_not_shown() -> None:
    options, _, _ = read_options({"secrets": {"MINE": KEY}})
    assert KEY not in repr(options)
    assert KEY not in repr(custom.SecretsParams({"MINE": KEY}))
