from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from maxcode_lsp.messages import titles
from maxcode_lsp.server.workspace.folders import Folders
from maxcode_lsp.server.workspace.trust import Kept, covers, kept, remember, trust_file
from tests.server.far_end import FarEnd

ASK = "window/showMessageRequest"
YES, NO = {"title": titles.trust_yes()}, {"title": titles.trust_no()}


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work" / "sub").mkdir(parents=True)
    return tmp_path / "work"


def opened(folders: list[Path], options: Any = None, answer: Any = None) -> tuple[Folders, FarEnd]:
    far = FarEnd()
    far.answers[ASK] = lambda _: answer
    made = Folders(far.editor)
    made.open(folders, options)
    return made, far


class TestTheFile:
    def test_it_lies_in_the_data_folder(self, own_data: Path) -> None:
        assert trust_file() == own_data / "maxcode" / "trust.json"

    def test_a_yes_is_kept_for_the_folder_and_below_never_above(self, tmp_path: Path) -> None:
        file = tmp_path / "deep" / "trust.json"
        assert kept(file) == Kept()
        assert remember(file, Path("/w/a b"), alone=False)
        known = kept(file)
        assert covers(known, Path("/w/a b"), alone=False) and covers(known, Path("/w/a b/c"), alone=True)
        for other in ("/w", "/", "/w/a", "/w/a bc", "/w/A b"):
            assert not covers(known, Path(other), alone=False)

    def test_a_yes_for_a_single_file_is_for_its_folder_alone(self, tmp_path: Path) -> None:
        file = tmp_path / "trust.json"
        remember(file, Path("/tmp"), alone=True)
        known = kept(file)
        assert covers(known, Path("/tmp"), alone=True)
        assert not covers(known, Path("/tmp"), alone=False)
        assert not covers(known, Path("/tmp/x"), alone=True)

    def test_every_name_of_a_folder_fits(self, tmp_path: Path) -> None:
        file = tmp_path / "trust.json"
        names = [Path(os.fsdecode(b"/w/\xff\xfe")), Path('/w/"\n€'), Path("/w/%41")]
        for name in names:
            assert remember(file, name, alone=False)
        assert all(covers(kept(file), name, alone=False) for name in names)
        assert not covers(kept(file), Path("/w/A"), alone=False)
        assert json.loads(file.read_bytes())["folders"][-1] == "file:///w/%2541"

    def test_the_same_yes_is_kept_once(self, tmp_path: Path) -> None:
        file = tmp_path / "trust.json"
        for name in ("/a", "/b", "/a"):
            remember(file, Path(name), alone=False)
        assert kept(file).folders == ("file:///b", "file:///a")

    @pytest.mark.parametrize(
        "text", [b"", b"{", b"[]", b'{"folders": 3}', b'{"folders": ["' + b"x" * (2 << 20), b"\xff"]
    )
    def test_a_damaged_file_trusts_nothing_and_is_begun_anew(self, tmp_path: Path, text: bytes) -> None:
        file = tmp_path / "trust.json"
        file.write_bytes(text)
        assert kept(file) == Kept()
        assert remember(file, Path("/a"), alone=False)
        assert kept(file) == Kept(folders=("file:///a",))

    def test_nothing_can_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "maxcode").write_text("a file where the folder should be")
        assert not remember(tmp_path / "maxcode" / "trust.json", Path("/a"), alone=False)

    def test_many_windows_write_at_once(self, tmp_path: Path) -> None:
        file = tmp_path / "trust.json"
        code = (
            "import sys; from pathlib import Path; from maxcode_lsp.server.workspace.trust import remember\n"
            "for i in range(20): assert remember(Path(sys.argv[1]), Path(f'/{sys.argv[2]}/{i}'), alone=i % 2 == 0)"
        )
        writers = [subprocess.Popen([sys.executable, "-c", code, str(file), str(n)]) for n in range(4)]
        assert [writer.wait(60) for writer in writers] == [0] * 4
        known = kept(file)
        assert set(known.alone) == {f"file:///{n}/{i}" for n in range(4) for i in range(0, 20, 2)}
        assert set(known.folders) == {f"file:///{n}/{i}" for n in range(4) for i in range(1, 20, 2)}
        assert {path.name for path in tmp_path.iterdir()} == {"trust.json", "trust.lock"}


class TestAsking:
    async def test_yes_is_remembered_for_the_next_session(self, work: Path) -> None:
        folders, far = opened([work], answer=YES)
        file = work / "sub" / "x.cpp"
        assert folders.trusted(file) is None
        assert await folders.ask_trust(file) is True
        assert folders.trusted(file) is True
        (question,) = far.all(ASK)
        assert str(work) in question["message"] and "builds and runs code" in question["message"]
        assert [action["title"] for action in question["actions"]] == ["Trust this folder", "Not now"]

        later, far = opened([work])
        assert later.trusted(file) is True and await later.ask_trust(file) is True
        assert opened([work / "sub"])[0].trusted(file) is True
        assert opened([work.parent])[0].trusted(file) is None
        assert opened([])[0].trusted(work / ".." / "x.cpp") is None
        assert far.all(ASK) == []

    @pytest.mark.parametrize("answer", [NO, None, {"title": "Something else"}])
    async def test_not_now_is_asked_again_at_the_next_start(self, work: Path, answer: Any) -> None:
        folders, far = opened([work], answer=answer)
        for count in (1, 2):
            assert await folders.ask_trust(work / "x.cpp") is False
            assert folders.trusted(work / "x.cpp") is None
            assert len(far.all(ASK)) == count
        assert not trust_file().exists()

    async def test_two_starts_at_once_ask_once(self, work: Path) -> None:
        folders, far = opened([work])
        del far.answers[ASK]
        starts = [asyncio.create_task(folders.ask_trust(work / name)) for name in ("a.cpp", "b.cpp", "sub/c.cpp")]
        await far.wait_for(ASK)
        starts[0].cancel()
        await asyncio.wait([starts[0]])
        far.answers[ASK] = lambda _: YES
        far.answer(far.sent[-1])
        assert await asyncio.gather(*starts[1:]) == [True, True]
        assert len(far.all(ASK)) == 1

    async def test_another_window_said_yes_meanwhile(self, work: Path) -> None:
        folders, far = opened([work])
        assert folders.trusted(work / "x.cpp") is None
        other, _ = opened([work], answer=YES)
        assert await other.ask_trust(work / "x.cpp")
        assert await folders.ask_trust(work / "x.cpp") is True
        assert far.all(ASK) == []

    async def test_links_are_followed(self, work: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(work)
        folders, _ = opened([tmp_path / "link"], answer=YES)
        assert await folders.ask_trust(tmp_path / "link" / "x.cpp")
        assert opened([work])[0].trusted(work / "x.cpp") is True
        (tmp_path / "link").unlink()
        (tmp_path / "evil").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "evil")
        assert opened([tmp_path / "link"])[0].trusted(tmp_path / "link" / "x.cpp") is None

    async def test_a_single_file(self, work: Path) -> None:
        folders, far = opened([], answer=YES)
        assert await folders.ask_trust(work / "x.cpp")
        assert str(work) in far.all(ASK)[0]["message"]
        assert folders.trusted(work / "y.cpp") is True
        again, _ = opened([])
        assert again.trusted(work / "y.cpp") is True
        assert again.trusted(work / "sub" / "y.cpp") is None
        assert opened([work])[0].trusted(work / "x.cpp") is None

    async def test_a_yes_that_cannot_be_written_holds_until_the_end(self, work: Path, own_data: Path) -> None:
        own_data.write_text("a file where the folder should be")
        folders, far = opened([work], answer=YES)
        assert await folders.ask_trust(work / "x.cpp")
        assert folders.trusted(work / "x.cpp") is True
        (message,) = far.all("window/showMessage")
        assert "trust.json" in message["message"]

    async def test_closing_ends_the_wait(self, work: Path) -> None:
        folders, far = opened([work])
        del far.answers[ASK]
        start = asyncio.create_task(folders.ask_trust(work / "x.cpp"))
        await far.wait_for(ASK)
        folders.close()
        assert await start is False


class TestTheEditorSays:
    @pytest.mark.parametrize("trusted", [True, False])
    async def test_it_wins_and_nobody_is_asked(self, work: Path, trusted: bool) -> None:
        remember(trust_file(), work, alone=False)
        folders, far = opened([work], {"trusted": trusted}, YES)
        assert folders.trusted(work / "x.cpp") is trusted
        assert await folders.ask_trust(work / "x.cpp") is trusted
        assert far.all(ASK) == []

    @pytest.mark.parametrize("trusted", ["true", 1, [], {}])
    async def test_nonsense_is_no_yes(self, work: Path, trusted: Any) -> None:
        folders, far = opened([work], {"trusted": trusted})
        assert folders.trusted(work / "x.cpp") is None
        assert "trusted should be true or false" in far.all("window/showMessage")[0]["message"]

    async def test_a_workspace_cannot_trust_itself(self, work: Path) -> None:
        (work / "maxcode.toml").write_text("trusted = true\n[editor]\ntrusted = true\n")
        folders, _ = opened([work], {"settings": {"trusted": True, "editor": {"trusted": True}}})
        await folders.configured({"maxcode": {"trusted": True}})
        await folders.settings(work / "x.cpp")
        assert folders.trusted(work / "x.cpp") is None
