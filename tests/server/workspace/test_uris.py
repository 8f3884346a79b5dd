from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode_lsp.server.workspace.uris import normalised, path_of, uri_of

NAMES = st.binary(min_size=1, max_size=12).filter(lambda name: b"/" not in name and b"\0" not in name)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: Path(os.fsdecode(b"/" + b"/".join(names))))


@settings(deadline=None)
@given(PATHS)
def test_every_path_comes_back(path: Path) -> None:
    uri = uri_of(path)
    assert path_of(uri) == path
    assert normalised(uri) == uri
    assert re.fullmatch(r"file:///[A-Za-z0-9%/:._~-]+", uri)


@settings(deadline=None)
@given(PATHS, st.data())
def test_spellings_are_one(path: Path, data: st.DataObject) -> None:

    def spelt(escape: re.Match[str]) -> str:
        character = chr(int(escape.group()[1:], 16))
        spellings = [escape.group().lower(), escape.group().upper()]
        return data.draw(st.sampled_from([*spellings, character] if character in " !#?&+=@;" else spellings))

    rest = re.sub(r"%..", spelt, uri_of(path).removeprefix("file://"))
    scheme = data.draw(st.sampled_from(["file://", "FILE://", "file://localhost", "File://LOCALHOST", "file:"]))
    assert normalised(scheme + rest) == uri_of(path)
    assert path_of(scheme + rest) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.cpp", "/a/b.cpp"),
        ("file:///a%20b/c%23d.cpp", "/a b/c#d.cpp"),
        ("file:///a b/c#d?.cpp", "/a b/c#d?.cpp"),
        ("file:///caf%c3%A9/é.cpp", "/café/é.cpp"),
        ("file://localhost/a", "/a"),
        ("file:/a", "/a"),
        ("file:///a/./b//c/", "/a/b/c"),
        ("file:////a", "/a"),
        ("file:///C:/Users/x.cpp", "/C:/Users/x.cpp"),
        ("file:///c%3A/Users/x.cpp", "/c:/Users/x.cpp"),
        ("file:///100%25.cpp", "/100%.cpp"),
        ("file:///100%.cpp", "/100%.cpp"),
        ("file:///", "/"),
    ],
)
def test_paths(uri: str, path: str) -> None:
    assert path_of(uri) == Path(path)
    assert normalised(uri) == uri_of(Path(path))


def test_a_name_that_is_not_utf8() -> None:
    path = Path(os.fsdecode(b"/a/\xff\xe9.cpp"))
    assert uri_of(path) == "file:///a/%FF%E9.cpp"
    assert path_of("file:///a/%ff%e9.cpp") == path


@pytest.mark.parametrize(
    "uri",
    [
        "",
        ":",
        "::",
        "file",
        "file:",
        "file:x",
        "file://",
        "file://server/share/x.cpp",
        "file:///a%00b",
        "untitled:Untitled-1",
        "git:/a/b.cpp?%7B%22path%22%7D",
        "vscode-vfs://github/a/b.cpp",
        "%",
        "%zz%",
        "\ud800\n\0",
        "/a/b.cpp",
    ],
)
def test_what_is_no_file_here(uri: str) -> None:
    assert path_of(uri) is None
    assert normalised(normalised(uri)) == normalised(uri)


def test_other_schemes_have_one_spelling_too() -> None:
    assert normalised("UNTITLED:Untitled%2d1") == "untitled:Untitled-1"
    assert normalised("vscode-vfs://GitHub/A%2fb é") == "vscode-vfs://github/A%2Fb%20%C3%A9"
    assert normalised("file://Server/Share") == "file://server/Share"


@settings(deadline=None)
@given(st.one_of(st.text(), st.text().map(lambda rest: "file:///" + rest), st.from_regex(r"[fF]ile:/*(%.?.?|.)*")))
def test_anything_is_taken_and_spelt_once(uri: str) -> None:
    once = normalised(uri)
    assert normalised(once) == once
    assert path_of(once) == path_of(uri)
    once.encode("ascii")


def test_huge() -> None:
    assert len(normalised("file:///" + "%41/" * 300_000)) == len("file:///") + 600_000 - 1
    assert len(normalised("x:" + "%2f" * 300_000)) == 900_002
