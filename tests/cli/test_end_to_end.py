"""The command as a user types it, on a real program."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COLUMNS_FIRST = """\
#include <cstdio>
#include <vector>

int main() {
    const int n = 1200;
    std::vector<double> cells(n * n, 1.5);
    for (int round = 0; round < 4; round++) {
        for (int column = 0; column < n; column++) {
            for (int row = 0; row < n; row++) {
                cells[row * n + column] = cells[row * n + column] * 0.5 + row;
            }
        }
    }
    double sum = 0;
    for (double cell : cells) sum += cell;
    std::printf("%.6f\\n", sum);
}
"""
GONE_WITHIN_S = 10.0
"""Much longer than is promised: a machine may be busy, and what is left behind stays for good."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that sandboxes under other user ids may enter; its name is in the arguments of all children."""
    folder = Path(tempfile.mkdtemp(prefix="maxcode-test-ü-"))
    folder.chmod(0o755)
    (folder / "tmp").mkdir(mode=0o1777)
    (folder / "tmp").chmod(0o1777)
    (folder / "sum of cells.cpp").write_text(COLUMNS_FIRST)
    yield folder
    shutil.rmtree(folder)


def start(place: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the command with all its folders in ``place``."""
    homes = {f"XDG_{kind}_HOME": str(place / kind.lower()) for kind in ("CACHE", "DATA", "STATE")}
    return subprocess.Popen(
        [sys.executable, "-c", "from maxcode_lsp.cli.app import main; main()", *arguments],
        cwd=ROOT,
        env={**os.environ, **homes, "TMPDIR": str(place / "tmp")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )


def children(place: Path) -> list[str]:
    """Command lines of all live processes that name the folder."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(place) in line:
            found.append(line)
    return found


def left_behind(place: Path) -> list[str]:
    """What is still alive after a while."""
    deadline_s = time.monotonic() + GONE_WITHIN_S
    while (alive := children(place)) and time.monotonic() < deadline_s:
        time.sleep(0.1)
    return alive


def test_a_program_is_made_faster_and_its_proof_holds(place: Path) -> None:
    file = place / "sum of cells.cpp"
    run = start(place, "optimize", str(file), "--seconds", "40", "--budget", "6", "--json", "--apply")
    out, errors = run.communicate(timeout=110)
    assert run.returncode == 0, errors
    said = json.loads(out)
    assert said["status"] == "improved", said
    assert said["ci95"][0] > 1.05
    assert "-        for (int column" in said["diff"]
    assert file.read_text() != COLUMNS_FIRST
    assert "Applied to" not in out
    (proof,) = (place / "data" / "maxcode" / "results").iterdir()
    again = start(place, "verify", str(proof), "--json")
    out, errors = again.communicate(timeout=110)
    assert again.returncode == 0, errors
    judged = json.loads(out)
    assert (judged["outcome"], judged["verdict"]) == ("correct", "faster")
    assert left_behind(place) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_says_so_and_leaves_nothing(place: Path, number: signal.Signals) -> None:
    file = place / "sum of cells.cpp"
    run = start(place, "optimize", str(file), "--seconds", "100", "--json")
    wait_for_children(place, run)
    run.send_signal(number)
    out, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert json.loads(out)["status"] == "cancelled"
    assert "Stopping" in errors
    assert "Traceback" not in errors
    assert left_behind(place) == []
    assert file.read_text() == COLUMNS_FIRST


def test_nothing_survives_a_killed_run(place: Path) -> None:
    run = start(place, "optimize", str(place / "sum of cells.cpp"), "--seconds", "100", "--json")
    wait_for_children(place, run)
    run.kill()
    run.communicate(timeout=60)
    assert left_behind(place) == []


def wait_for_children(place: Path, run: subprocess.Popen[str]) -> None:
    """Until the run has started a sandbox of its own."""
    while len(children(place)) < 2:
        assert run.poll() is None
        time.sleep(0.05)
