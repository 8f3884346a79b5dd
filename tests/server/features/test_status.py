from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types
from msgspec.structs import replace

from maxcode_lsp.engine.client import EngineState
from maxcode_lsp.records import RunStatus
from maxcode_lsp.server.custom import StatusInfo, StatusParams
from maxcode_lsp.server.features.status import Status
from tests.server.scene import PREPARED, RESULT, Scene, evaluated, searching
from tests.server.skipping import skipping

REASON = "No measurable difference. 64 versions were tried."


def status(folder: Path, story: Callable[[Scene], object], *, of_server: bool = False) -> StatusInfo:
    async def whole() -> StatusInfo:
        scene = Scene(folder)
        made = Status(scene.session)
        scene.having(made)
        story(scene)
        return await made.status(StatusParams(None if of_server else scene.uri))

    return skipping(whole())


def running(scene: Scene) -> None:
    scene.open()
    scene.tell(scene.begin(), PREPARED, evaluated(1, best=True), searching(14))


def test_a_run_that_goes_on(tmp_path: Path) -> None:
    said = status(tmp_path, running)
    assert (said.state, said.running, said.trusted) == ("running", 1, True)
    assert said.reason == "solve.cpp — best 1.9× · 14 of 64 · building 2, measuring 1"
    assert status(tmp_path, running, of_server=True).state == "running"


def test_nothing_is_going_on(tmp_path: Path) -> None:
    said = status(tmp_path, lambda scene: scene.open())
    assert (said.state, said.running) == ("idle", 0)
    assert said.reason.startswith("Ready")
    assert said.engine == "stopped"
    assert status(tmp_path, lambda _: None, of_server=True).state == "idle"


def test_what_the_last_run_brought(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        scene.open()
        scene.tell(scene.begin(), replace(RESULT, status=RunStatus.NO_IMPROVEMENT, speedup=None, reason=REASON))

    said = status(tmp_path, story)
    assert (said.state, said.reason) == ("idle", REASON)


def test_a_file_without_main_is_no_program(tmp_path: Path) -> None:
    said = status(tmp_path, lambda scene: scene.open("int f() { return 1; }\n"))
    assert said.state == "idle"
    assert "no main function" in said.reason


def test_a_document_that_is_not_open(tmp_path: Path) -> None:
    said = status(tmp_path, lambda _: None)
    assert said.state == "inactive"
    assert "not open" in said.reason


def test_a_file_that_is_not_served(tmp_path: Path) -> None:
    said = status(tmp_path, lambda scene: scene.open("int main() {}\n" + " " * 2_000_001))
    assert said.state == "inactive"
    assert "solve.cpp" in said.reason


def test_an_untrusted_folder(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        scene.session.folders.open([tmp_path], {"trusted": False})
        scene.open()

    said = status(tmp_path, story)
    assert (said.state, said.trusted) == ("inactive", False)
    assert "not trusted" in said.reason


def test_an_engine_that_cannot_be_started(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        scene.open()
        scene.session.engine.state = EngineState.FAILED
        scene.session.engine_trouble = "The engine died again and again."

    said = status(tmp_path, story)
    assert (said.state, said.reason, said.engine) == ("inactive", "The engine died again and again.", "failed")


@pytest.mark.parametrize(
    ("settings", "named"), [("", "a C++ compiler"), ('compiler = "g++-99"\n', "the compiler g++-99")]
)
def test_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, named: str) -> None:
    (tmp_path / "maxcode.toml").write_text(settings)
    monkeypatch.setenv("PATH", str(tmp_path))
    said = status(tmp_path, lambda scene: scene.open())
    assert said.state == "inactive"
    assert named in said.reason


def test_one_that_is_installed_meanwhile_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    async def story() -> list[str]:
        scene = Scene(tmp_path)
        made = Status(scene.session)
        scene.open()
        states = [(await made.status(StatusParams(scene.uri))).state]
        compiler = tmp_path / "clang++"
        compiler.touch(0o755)
        states.append((await made.status(StatusParams(scene.uri))).state)
        compiler.unlink()  # what was found once is not looked for again
        return [*states, (await made.status(StatusParams(scene.uri))).state]

    assert skipping(story()) == ["inactive", "idle", "idle"]


def test_a_server_that_ends(tmp_path: Path) -> None:
    def story(scene: Scene) -> None:
        running(scene)
        scene.session.closing = True

    assert status(tmp_path, story).state == "inactive"


def test_untitled_and_strange_uris_are_answered(tmp_path: Path) -> None:
    async def story() -> list[str]:
        scene = Scene(tmp_path)
        made = Status(scene.session)
        item = types.TextDocumentItem("untitled:Untitled-1", "cpp", 1, "int main() {}")
        scene.session.tell_document(scene.documents.open(item))
        return [(await made.status(StatusParams(uri))).state for uri in ("untitled:Untitled-1", "", "%%%", "file:")]

    assert skipping(story()) == ["inactive"] * 4
