"""Keys at the command and in an editor, with real litellm and a server that gives away what it was sent."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from maxcode_lsp.testing.model_replies import Reply, error
from maxcode_lsp.testing.model_server import Call, ModelServer
from tests.e2e.programs import TIGHT
from tests.planted.keys import environment, keys_of, leaks
from tests.planted.test_process import homes
from tests.server.raw import Raw

LIMIT_S = 240.0
FOREIGN = (*keys_of("text of a 401")[:3], *keys_of("error body that echoes the header")[:3])
"""Keys that only the server knows."""


def told(call: Call, keys: Sequence[str]) -> str:
    """What a server can give away."""
    return f"{call.headers.get('authorization')} of {call.path}; see {' '.join(keys)}"


def generous(call: Call) -> Reply:
    """Errors of every kind, then replies, all of them with the key that came in and with those of the server."""
    number = len(server_of(call).questions)
    match number:
        case 1:
            return error(500, told(call, FOREIGN))
        case 2:
            locations = [f"https://u:{key}@host/?key={key}" for key in keys_of("location of a redirection")]
            return Reply(status=307, headers={"location": locations[0]}, body=" ".join(locations).encode())
        case _:
            code = f"// {told(call, keys_of('code of a reply'))}\n{OTHER}"
            return Reply(text=f"I divide: {told(call, keys_of('rationale of a reply'))}.\n\n```cpp\n{code}```\n")


OTHER = TIGHT.replace("x & 255u", "x % 256u")
SERVERS: list[ModelServer] = []


def server_of(_call: Call) -> ModelServer:
    return SERVERS[-1]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(generous) as made:
        SERVERS.append(made)
        yield made


def maxcode(
    folder: Path, *arguments: str, extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    (folder / "tight.cpp").write_text(TIGHT)
    return subprocess.run(
        [sys.executable, "-m", "maxcode_lsp", *arguments],
        cwd=folder,
        env={**homes(folder / "home"), **(extra or {})},
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
    )


def test_a_run_and_what_is_left_of_it(tmp_path: Path, server: ModelServer) -> None:
    key = keys_of("environment")[3]
    asked = ("--model", "openai/any", "--api-base", server.api_base, "--budget", "3", "--seconds", "150")
    ended = maxcode(tmp_path, "optimize", "tight.cpp", *asked, extra={"OPENAI_API_KEY": f" {key}\n"})
    assert server.questions[0].headers["authorization"] == f"Bearer {key}"
    assert len(server.questions) > 2, ended
    assert b"llm:openai/any" in ended.stdout
    said = {"run": ended.stdout + ended.stderr}
    for arguments in (("runs",), ("runs", "--json"), ("runs", "show", "RUN"), ("runs", "show", "RUN", "--json")):
        run = next((tmp_path / "home/data/maxcode/runs").glob("*.jsonl")).stem
        shown = maxcode(tmp_path, *(run if part == "RUN" else part for part in arguments))
        assert (shown.returncode, run.encode() in shown.stdout or b"tight" in shown.stdout) == (0, True)
        said[" ".join(arguments)] = shown.stdout + shown.stderr
    assert leaks(tmp_path, **said) == {}


def test_doctor(tmp_path: Path) -> None:
    def refuse(call: Call) -> Reply:
        return error(401, told(call, (*keys_of("doctor"), *FOREIGN)), code="invalid_api_key")

    extra = {"MAXCODE_MODEL": "openai/any", "OPENAI_API_KEY": keys_of("environment")[0]}
    with ModelServer(refuse) as server:
        ended = maxcode(tmp_path, "doctor", extra={**extra, "MAXCODE_API_BASE": server.api_base})
        assert server.questions
    assert b"refused the key" in ended.stdout
    assert b"[secret]" in ended.stdout
    assert leaks(tmp_path, stdout=ended.stdout, stderr=ended.stderr) == {}


def test_addresses_that_hold_a_key(tmp_path: Path) -> None:
    """They are refused, and not repeated: at the command, in the environment, in the user's own file."""
    user, query = keys_of("user of an address"), keys_of("query of an address")
    addresses = [f"https://me:{quote(key, safe='')}@h.example/v1" for key in user]
    addresses += [f"https://h.example/v1?key={quote(key, safe='')}" for key in query]
    said: dict[str, bytes] = {}
    for number, address in enumerate(addresses):
        extra = {"OPENAI_API_KEY": keys_of("environment")[1]}
        match number % 3:
            case 0:
                ended = maxcode(tmp_path, "optimize", "tight.cpp", "--model", "openai/a", "--api-base", address)
                assert ended.returncode == 2
            case 1:
                extra |= {"MAXCODE_MODEL": "openai/a", "MAXCODE_API_BASE": address, "MAXCODE_LLM_PROXY": address}
                ended = maxcode(tmp_path, "optimize", "tight.cpp", "--threshold", "0.5", extra=extra)
            case _:
                own = tmp_path / "home/config/maxcode/maxcode.toml"
                own.parent.mkdir(parents=True, exist_ok=True)
                own.write_text(f'model = "openai/a"\napi_base = "{address}"\n')
                ended = maxcode(tmp_path, "optimize", "tight.cpp", "--threshold", "0.5", extra=extra)
                own.unlink()  # it is the user's own, and holds it
        said[f"said {number}"] = ended.stdout + ended.stderr
        assert ended.stderr
    assert leaks(tmp_path, **said) == {}


def test_an_editor(tmp_path: Path) -> None:
    secrets = dict(
        zip(("OPENAI_API_KEY", "B_KEY", "C_KEY", "D_KEY", "E_KEY"), keys_of("editor's secrets"), strict=True)
    )

    def refuse(call: Call) -> Reply:
        return error(401, told(call, (*secrets.values(), *FOREIGN)), code="invalid_api_key")

    file = tmp_path / "tight.cpp"
    file.write_text(TIGHT)
    with ModelServer(refuse) as server:
        raw = Raw(tmp_path, extra={**environment(), "MAXCODE_API_BASE": server.api_base})
        try:
            settings = {"model": "openai/any", "budget": 3, "seconds": 150}
            options = {"trusted": True, "runChanged": True, "secrets": secrets, "settings": settings}
            folders = [{"uri": tmp_path.as_uri(), "name": "it"}]
            raw.initialize(initializationOptions=options, workspaceFolders=folders)
            item = {"uri": file.as_uri(), "languageId": "cpp", "version": 1, "text": TIGHT}
            raw.notify("textDocument/didOpen", {"textDocument": item})
            started = raw.call(
                "workspace/executeCommand", {"command": "maxcode.start", "arguments": [{"uri": file.as_uri()}]}
            )
            assert started["result"]["run"], started
            while not over(raw.take(LIMIT_S)):
                pass
            assert server.questions
            assert server.questions[0].headers["authorization"] == f"Bearer {secrets['OPENAI_API_KEY']}"
            explain = {"command": "maxcode.explain", "arguments": [{"run": started["result"]["run"]}]}
            assert "result" in raw.call("workspace/executeCommand", explain)
            raw.stop()
        finally:
            raw.close()
    said = json.dumps(raw.messages).encode()
    (journal,) = (tmp_path / "data/maxcode/runs").glob("*.jsonl")
    assert b"refused the key for openai/any" in journal.read_bytes()
    assert b"[secret]" in journal.read_bytes()
    assert leaks(tmp_path, messages=said) == {}


def over(message: dict[str, Any]) -> bool:
    return message.get("method") == "maxcode/runChanged" and message["params"]["status"] != "running"
