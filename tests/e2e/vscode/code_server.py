"""VS Code in a browser (code-server) with the extension in it, for tests."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CLIENT = ROOT / "vscode-client"
ENTRY = HERE / "node_modules" / "code-server" / "out" / "node" / "entry.js"
START_S = 90
STORY_S = 540
SETTINGS: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.tips.enabled": False,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "chat.commandCenter.enabled": False,
    "git.enabled": False,
    "editor.minimap.enabled": False,
    "editor.accessibilitySupport": "off",
    "files.simpleDialog.enable": True,
}


def node() -> str:
    """The Node that comes with the development packages."""
    beside = Path(sys.executable).with_name("node")
    return str(beside) if beside.exists() else "node"


def chromium() -> str:
    """A browser; skips where there is none."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("there is no Chromium here: apt install chromium")
    return found


def needed() -> None:
    """Skip where VS Code is not installed (`.ci/editors`)."""
    if not ENTRY.exists():
        pytest.skip("VS Code (code-server) is not installed here: run .ci/editors")
    chromium()


def vsix() -> Path:
    """The packed extension, made anew."""
    subprocess.run([node(), "esbuild.mjs"], cwd=CLIENT, check=True, timeout=120)
    schemas = CLIENT / "schemas"
    schemas.mkdir(exist_ok=True)
    shutil.copy(ROOT / "docs" / "maxcode.schema.json", schemas)
    version = json.loads((CLIENT / "package.json").read_text())["version"]
    packed = CLIENT / f"maxcode-{version}.vsix"
    vsce = CLIENT / "node_modules" / "@vscode" / "vsce" / "vsce"
    env = {**os.environ, "PATH": f"{Path(node()).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [node(), vsce, "package", "--no-dependencies", "--allow-missing-repository", "--out", packed]
    subprocess.run(command, cwd=CLIENT, env=env, check=True, timeout=180, capture_output=True, stdin=subprocess.DEVNULL)
    return packed


def command(data: Path, *more: str | Path) -> list[str | Path]:
    """Of code-server, with all its files below ``data``."""
    return [
        node(),
        ENTRY,
        "--config",
        data / "config.yaml",
        "--disable-telemetry",
        "--disable-update-check",
        "--user-data-dir",
        data / "user",
        "--extensions-dir",
        data / "extensions",
        *more,
    ]


def install(data: Path, extension: Path) -> None:
    """The extension, once for all tests."""
    ended = subprocess.run(
        command(data, "--install-extension", extension),
        check=False,
        timeout=180,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=environment(data),
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def environment(data: Path) -> dict[str, str]:
    """Nothing of it goes to the folders of whoever runs the tests."""
    homes = {f"XDG_{kind}_HOME": str(data / kind.lower()) for kind in ("DATA", "CACHE", "STATE", "CONFIG")}
    return {**os.environ, **homes, "HOME": str(data), "MAXCODE_E2E_MARK": str(data)}


def server_script(data: Path) -> Path:
    """A `maxcode` program that is the code under test."""
    script = data / "bin" / "maxcode"
    script.parent.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(part for part in sys.path if part)
    script.write_text(f"#!/bin/sh\nPYTHONPATH='{path}' exec '{sys.executable}' -m maxcode_lsp \"$@\"\n")
    script.chmod(0o755)
    return script


class CodeServer:
    """One that runs."""

    def __init__(self, data: Path, base: str, process: subprocess.Popen[bytes]) -> None:
        self.data = data
        self.base = base
        self.process = process

    def story(self, name: str, workspace: Path, shots: Path, **given: Any) -> str:
        """Run a story; what it said. Fails with that, where it did not come to its end."""
        told = {"base": self.base, "workspace": str(workspace), "shots": str(shots), "data": str(self.data), **given}
        ended = subprocess.run(
            [node(), HERE / "lib" / "run.mjs", name],
            env={**os.environ, "MAXCODE_E2E": json.dumps(told), "MAXCODE_CHROMIUM": chromium()},
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=STORY_S,
        )
        said = ended.stdout + ended.stderr
        (shots / f"{name}.txt").write_text(said)
        assert ended.returncode == 0 and "story: done" in said, f"{said}\npictures and logs: {shots}\n{self.log()}"
        return said

    def log(self) -> str:
        """The end of what the server and the extension wrote."""
        found = sorted((self.data / "user" / "logs").rglob("*MaxCode*.log"))
        return "\n".join(file.read_text(errors="replace")[-3000:] for file in found)


@contextmanager
def running(
    data: Path, installed: Path, settings: dict[str, Any], *, trust: bool = False, host: bool = False
) -> Generator[CodeServer]:
    """Start one with the extension that is in ``installed``; at the end it is gone, and all that it started.

    ``trust``: folders must be trusted first, as on a desktop. ``host``: tests are run in its extension host, for which
    it needs a switch that also keeps notifications from being shown.
    """
    shutil.copytree(installed / "extensions", data / "extensions")
    script = server_script(data)
    of_user = {**SETTINGS, "security.workspace.trust.enabled": trust, **settings}
    # A window in a browser is a remote one: what belongs to a machine is not taken from the user's settings there.
    of_machine = {"maxcode.server.path": of_user.pop("maxcode.server.path", str(script))}
    for place, told in (("User", of_user), ("Machine", of_machine)):
        (data / "user" / place).mkdir(parents=True)
        (data / "user" / place / "settings.json").write_text(json.dumps(told))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-getting-started-override"]
    options += ["--reconnection-grace-time", "5"]
    options += ["--vscode-option", "enable-smoke-test-driver"] if host else []
    options += [] if trust else ["--disable-workspace-trust"]
    with (data / "code-server.log").open("wb") as log:
        process = subprocess.Popen(
            command(data, *options),
            env=environment(data),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        base = f"http://127.0.0.1:{port}"
        _ready(base, process, data / "code-server.log")
        yield CodeServer(data, base, process)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)


def _ready(base: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(START_S * 10):
        assert process.poll() is None, log.read_text(errors="replace")
        try:
            with urllib.request.urlopen(f"{base}/healthz", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(log.read_text(errors="replace"))
