from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.server import app, custom
from maxcode_lsp.server.features import actions
from tests.server.raw import LIMIT_S, Started, environment

HOVER = {"textDocument": {"uri": "file:///no/such.cpp"}, "position": {"line": 0, "character": 0}}


def test_a_whole_life(started: Started) -> None:
    server = started()
    result = server.initialize()
    assert result["serverInfo"]["name"] == "maxcode"
    assert result["capabilities"]["textDocumentSync"]["openClose"] is True
    assert server.call("textDocument/hover", HOVER)["result"] is None
    assert server.stop() == 0
    assert not server.stderr.read_text()
    assert "ERROR" not in server.log()


def test_what_is_offered_is_what_is_handled() -> None:
    assert app.COMMANDS == custom.COMMANDS
    offered = app._offered("utf-8")
    assert (
        offered["codeActionProvider"]["codeActionKinds"]
        == [app.ACTION_KIND, "quickfix"]
        == [actions.KIND, actions.QUICK_FIX]
    )
    assert offered["executeCommandProvider"]["commands"] == list(custom.COMMANDS)


def test_exit_without_shutdown_is_a_failure(started: Started) -> None:
    server = started()
    server.initialize()
    server.notify("exit")
    assert server.ended() == 1


def test_exit_before_anything_else(started: Started) -> None:
    server = started()
    server.notify("exit")
    assert server.ended() == 1


@pytest.mark.parametrize("after_shutdown", [False, True])
def test_the_end_of_standard_input_ends_the_server(started: Started, after_shutdown: bool) -> None:
    server = started()
    server.initialize()
    if after_shutdown:
        server.call("shutdown")
    server.hang_up()
    assert server.ended() == (0 if after_shutdown else 1)


def test_an_input_that_is_empty_from_the_start(started: Started) -> None:
    server = started()
    server.hang_up()
    assert server.ended() == 1


def test_an_input_may_be_a_file(tmp_path: Path) -> None:
    said = tmp_path / "said"
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
    said.write_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    with said.open("rb") as stdin:
        command = [sys.executable, "-m", "maxcode_lsp", "lsp", "--stdio"]
        ended = subprocess.run(
            command, stdin=stdin, capture_output=True, env=environment(tmp_path), timeout=LIMIT_S, check=False
        )
    assert ended.returncode == 1
    assert b'"id":1,"result":{"capabilities"' in ended.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_the_server(started: Started, number: signal.Signals) -> None:
    server = started()
    server.initialize()
    server.process.send_signal(number)
    assert server.ended() == 1


def test_the_server_ends_with_its_editor(started: Started) -> None:
    editor = subprocess.Popen(["sleep", "600"])
    try:
        server = started()
        server.initialize(processId=editor.pid)
        server.call("textDocument/hover", HOVER)
        assert server.process.poll() is None
    finally:
        editor.kill()
        editor.wait(LIMIT_S)
    assert server.ended() == 1


@pytest.mark.parametrize("process", [None, 0, -1, True, "x", 1 << 22, 1 << 80, {}])
def test_an_editor_that_is_not_seen_from_here_is_served(started: Started, process: Any) -> None:
    server = started()
    server.initialize(processId=process)
    assert server.call("textDocument/hover", HOVER)["result"] is None
    assert server.stop() == 0


ENCODINGS: list[tuple[Any, str]] = [
    (["utf-32", "utf-8"], "utf-32"),
    (["utf-7", "utf-8", "utf-16"], "utf-8"),
    ([], "utf-16"),
    ([None, {}], "utf-16"),
    ("utf-8", "utf-16"),
    (None, "utf-16"),
]


@pytest.mark.parametrize(("named", "chosen"), ENCODINGS)
def test_the_encoding_of_positions(named: Any, chosen: str) -> None:
    assert app._encoding({"capabilities": {"general": {"positionEncodings": named}}}) == chosen


@pytest.mark.parametrize("params", [{}, {"capabilities": []}, {"capabilities": {"general": 3}}, {"capabilities": None}])
def test_the_encoding_where_hardly_anything_is_said(params: Any) -> None:
    assert app._encoding(params) == "utf-16"


def test_over_a_socket(started: Started) -> None:
    server = started("--socket", "0")
    server.connect()
    server.initialize()
    assert server.call("textDocument/hover", HOVER)["result"] is None
    assert server.stop() == 0


NOISE = """
import os, subprocess, sys, threading, time

def noise():
    while "maxcode_lsp.server.app" not in sys.modules:
        time.sleep(0.001)
    while True:
        print("printed", flush=True)
        sys.__stdout__.write("written\\n")
        sys.__stdout__.flush()
        os.write(1, b"to the descriptor\\n")
        subprocess.run("echo from a child; cat", shell=True)
        time.sleep(0.001)

threading.Thread(target=noise, daemon=True).start()
"""


def test_what_is_printed_neither_disturbs_the_stream_nor_is_lost(started: Started, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOISE)
    server = started(extra={"PYTHONPATH": str(tmp_path)})
    server.initialize()
    for _ in range(200):
        assert server.call("textDocument/hover", HOVER)["result"] is None
    assert server.stop() == 0
    said = server.stderr.read_text()
    assert all(line in said for line in ("printed", "written", "to the descriptor", "from a child"))


STUCK = """
import asyncio, threading, time
from pathlib import Path

make = asyncio.new_event_loop

def stick():
    Path({marker!r}).touch()
    time.sleep(600)

def recorded():
    loop = make()
    threading.Timer(0.5, loop.call_soon_threadsafe, [stick]).start()
    return loop

asyncio.new_event_loop = recorded
"""


@pytest.mark.parametrize("how", ["end of input", "signal"])
def test_a_loop_that_hangs_keeps_no_server_alive(started: Started, tmp_path: Path, how: str) -> None:
    marker = tmp_path / "stuck"
    (tmp_path / "sitecustomize.py").write_text(STUCK.format(marker=str(marker)))
    server = started(extra={"PYTHONPATH": str(tmp_path)})
    while not marker.exists():
        assert server.process.poll() is None
        time.sleep(0.02)
    if how == "signal":
        server.process.send_signal(signal.SIGTERM)
    else:
        server.hang_up()
    assert server.ended() == 1


def test_a_client_that_reads_late_gets_every_answer(started: Started) -> None:
    server = started()
    server.initialize()
    server.call("textDocument/hover", HOVER)
    server.reading.clear()
    idents = [server.request("no such method, and a name that makes the answers long" * 2) for _ in range(5000)]
    server.reading.set()
    for ident in idents:
        assert server.answer(ident)["error"]["code"] == -32601
        server.messages.clear()
    assert server.stop() == 0


def test_a_client_that_reads_nothing_does_not_keep_the_server_alive(started: Started) -> None:
    server = started()
    server.initialize()
    server.reading.clear()
    for _ in range(2000):
        server.request("no such method, and a name that makes the answers long" * 2)
    server.hang_up()
    assert server.ended() == 1


def test_the_server_is_light_while_it_starts() -> None:
    heavy = [
        "tree_sitter",
        "rich",
        "typer",
        "scipy",
        "numpy",
        "diskcache",
        "platformdirs",
        "yaml",
        "websockets",
        "maxcode_lsp.server.serving",
    ]
    said = f"import maxcode_lsp.server.app, sys; print([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, timeout=LIMIT_S, check=True)
    assert ended.stdout == "[]\n"


def test_the_server_stays_without_what_only_the_engine_needs() -> None:
    heavy = ["rich", "typer", "scipy", "numpy", "yaml", "maxcode_lsp.search", "maxcode_lsp.policy"]
    said = f"import maxcode_lsp.server.serving, sys; print([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, timeout=LIMIT_S, check=True)
    assert ended.stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--help"], 0),
        (["--stdio", "--socket", "1"], 2),
        (["--socket", "70000"], 2),
        (["--socket", "x"], 2),
        (["?"], 2),
    ],
)
def test_arguments_are_read_like_those_of_every_command(tmp_path: Path, arguments: list[str], code: int) -> None:
    command = [sys.executable, "-m", "maxcode_lsp", "lsp", *arguments]
    ended = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env=environment(tmp_path),
        check=False,
    )
    assert ended.returncode == code
    assert "maxcode lsp" in ended.stdout + ended.stderr and "Traceback" not in ended.stderr


def test_closed_streams_are_told_in_a_sentence(tmp_path: Path) -> None:
    command = f"exec {sys.executable} -m maxcode_lsp lsp <&-"
    ended = subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env=environment(tmp_path),
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("maxcode: ") and "Traceback" not in ended.stderr


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [sys.executable, "-m", "maxcode_lsp", "lsp", "--socket", str(taken.getsockname()[1])]
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT_S, env=environment(tmp_path), check=False
        )
    assert ended.returncode == 1
    assert ended.stderr.startswith("maxcode: ") and "Traceback" not in ended.stderr


def test_modules_in_the_workspace_do_not_stand_in_for_others(tmp_path: Path) -> None:
    """An editor starts the server in the workspace, and an empty entry of ``PYTHONPATH`` means just that folder."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name in ("random", "platformdirs", "msgspec", "queue", "lsprotocol"):
        (workspace / f"{name}.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'w')\n")
    code = "from maxcode_lsp.cli.entry import main; main()"
    env = environment(tmp_path)
    env["PYTHONPATH"] = os.pathsep + env["PYTHONPATH"]
    message = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    exit_message = b'{"jsonrpc":"2.0","method":"exit"}'
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code, "lsp"],
        input=b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in (message, exit_message)),
        capture_output=True,
        cwd=workspace,
        env=env,
        timeout=LIMIT_S,
        check=False,
    )
    assert b'"serverInfo"' in ended.stdout, ended.stderr
    assert not (tmp_path / "taken").exists()


def test_a_person_at_a_terminal_is_told_who_starts_it(tmp_path: Path) -> None:
    keyboard, terminal = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "maxcode_lsp", "lsp"],
        stdin=terminal,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as server:
        os.close(terminal)
        assert server.stderr is not None
        said = server.stderr.readline().decode()
        assert server.poll() is None
        os.close(keyboard)
        server.wait(LIMIT_S)
    assert said == "This is a language server; an editor starts it. See README, “In an editor”.\n"


def test_the_help_says_how_to_listen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "maxcode_lsp", "lsp", "--help"]
    told = subprocess.run(
        command, capture_output=True, text=True, timeout=LIMIT_S, env=environment(tmp_path), check=True
    )
    assert "Listen on 127.0.0.1:PORT for one client" in " ".join(told.stdout.replace("│", " ").split())
