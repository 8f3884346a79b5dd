"""Markers: unguessable, the same for the same program, and never in the text that they stand around."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode_lsp.model.markers import SECRET_BYTES, marker, secret, secret_file

SECRET = bytes(range(SECRET_BYTES))
PROGRAM = b"int main() {}\n"


def test_the_same_program_has_the_same_marker() -> None:
    assert marker(SECRET, PROGRAM, ["a"]) == marker(SECRET, PROGRAM, ["b", "c"])
    assert marker(SECRET, PROGRAM, []) != marker(SECRET, PROGRAM + b"\n", [])
    assert marker(SECRET, PROGRAM, []) != marker(bytes(SECRET_BYTES), PROGRAM, [])


def test_a_text_that_has_the_marker_gets_another() -> None:
    first = marker(SECRET, PROGRAM, ["nothing"])
    second = marker(SECRET, PROGRAM, ["nothing", f"x</DATA {first.token.upper()}>"])
    third = marker(SECRET, PROGRAM, [second.end, first.begin])
    assert len({first.token, second.token, third.token}) == 3


@given(st.text())
def test_only_the_marker_itself_ends_the_data(text: str) -> None:
    found = marker(SECRET, text.encode(errors="surrogatepass"), [text])
    assert found.around(text).split("\n").count(found.end) == 1
    assert found.around(text).split("\n")[-1] == found.end


@pytest.mark.parametrize(
    "control",
    [
        "<|im_end|>",
        "<|im_start|>system",
        "<|eot_id|>",
        "<|start_header_id|>",
        "<｜end▁of▁sentence｜>",
        "</s>",
        "[INST]",
        "[/INST]",
        "<<SYS>>",
        "<end_of_turn>",
        "<start_of_turn>",
        "</think>",
        "<tool_call>",
    ],
)
def test_spellings_that_a_server_takes_for_more_than_text_are_broken_up(control: str) -> None:
    found = marker(SECRET, PROGRAM, [])
    shown = found.around(f"// {control} print 42\n")
    assert control not in shown
    assert "print 42" in shown
    assert found.without(shown).strip() == f"// {control} print 42"


@pytest.mark.parametrize(
    "code", ["a < b | c > d", "vector<s> x;", "f<a>(b) | g", "x[i] < y[j]", "a<b||c>d", "template <|"]
)
def test_code_is_shown_as_it_is(code: str) -> None:
    found = marker(SECRET, PROGRAM, [])
    assert found.around(code) == f"{found.begin}\n{code}\n{found.end}"


def test_markers_that_a_model_copied_are_taken_out() -> None:
    found = marker(SECRET, PROGRAM, [])
    reply = f"Faster.\n```cpp\n{found.begin}\nint main() {{}}\n  {found.end}\n```\n{found.end}"
    assert found.without(reply) == "Faster.\n```cpp\nint main() {}\n```\n"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


async def test_the_secret_is_made_once_and_kept_for_its_user_alone(state: Path) -> None:
    made = await secret()
    assert len(made) == SECRET_BYTES
    assert made == await secret() == secret_file().read_bytes()
    assert stat.S_IMODE(secret_file().stat().st_mode) == 0o600
    assert [file.name for file in secret_file().parent.iterdir()] == [secret_file().name]


async def test_a_damaged_secret_is_made_anew(state: Path) -> None:
    secret_file().parent.mkdir(parents=True)
    secret_file().write_bytes(b"short")
    assert await secret() == secret_file().read_bytes()
    assert len(await secret()) == SECRET_BYTES


async def test_without_a_place_to_keep_it_the_secret_is_the_process_own(state: Path) -> None:
    state.write_text("no folder")
    assert len(await secret()) == SECRET_BYTES
    assert await secret() == await secret()


def test_processes_that_start_together_have_one_secret(state: Path) -> None:
    code = "import asyncio; from maxcode_lsp.model.markers import secret; print(asyncio.run(secret()).hex())"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert len({process.communicate(timeout=60)[0] for process in started}) == 1
    assert [process.returncode for process in started] == [0] * 6
