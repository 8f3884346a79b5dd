"""Answers of earlier runs: known by everything that matters, private, and never in the way."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path
from typing import Any

import diskcache
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from maxcode_lsp.model.cache import AnswerCache, key_of
from maxcode_lsp.model.model import Answer, Ending, Message, Question, Role, Usage

QUESTION = Question(messages=(Message(Role.SYSTEM, "a"), Message(Role.USER, "b")), max_tokens=100)
ANSWER = Answer(model="p/m", text="int main() {}", ending=Ending.STOP, usage=Usage(7, 9, 0.5), elapsed_s=2.0)
KNOWN = replace(ANSWER, usage=Usage(0, 0, 0.0), elapsed_s=0.0, cached=True)
KEY = key_of("p/m", "", QUESTION)


async def test_round_trip_to_another_process(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers")
    assert await cache.get(KEY) is None
    await cache.put(KEY, ANSWER)
    await cache.close()
    await cache.close()
    assert await cache.get(KEY) is None
    again = AnswerCache(tmp_path / "answers")
    assert await again.get(KEY) == KNOWN
    await again.close()


CHANGES: list[Any] = [
    ("p/n", "", QUESTION),
    ("p/m", "http://h/v1", QUESTION),
    ("p/m", "", replace(QUESTION, max_tokens=101)),
    ("p/m", "", replace(QUESTION, temperature=0.7)),
    ("p/m", "", replace(QUESTION, top_p=0.9)),
    ("p/m", "", replace(QUESTION, sample=1)),
    ("p/m", "", replace(QUESTION, schema=b"{}")),
    ("p/m", "", replace(QUESTION, schema=b"")),
    ("p/m", "", replace(QUESTION, messages=QUESTION.messages[1:])),
    ("p/m", "", replace(QUESTION, messages=QUESTION.messages[::-1])),
    ("p/m", "", replace(QUESTION, messages=(Message(Role.USER, "a"), Message(Role.USER, "b")))),
    ("p/m", "", replace(QUESTION, messages=(Message(Role.SYSTEM, "ab"), Message(Role.USER, "")))),
]


def test_everything_that_matters_is_in_the_key() -> None:
    keys = {KEY, *(key_of(*changed) for changed in CHANGES)}
    assert len(keys) == 1 + len(CHANGES)
    assert key_of("p/m", "", msgspec.msgpack.decode(msgspec.msgpack.encode(QUESTION), type=Question)) == KEY


@given(st.text(st.characters(exclude_categories=()), max_size=20), st.text(max_size=20))
def test_any_text_has_a_key(one: str, other: str) -> None:
    def key(text: str) -> str:
        return key_of("p/m", "", replace(QUESTION, messages=(Message(Role.USER, text),)))

    assert (key(one) == key(other)) is (one == other)


@pytest.mark.parametrize(
    ("ending", "kept"),
    [
        (Ending.STOP, True),
        (Ending.LENGTH, True),
        (Ending.REFUSED, False),
        (Ending.EMPTY, False),
        (Ending.THINKING_ONLY, False),
    ],
)
async def test_what_would_come_again_is_kept(tmp_path: Path, ending: Ending, kept: bool) -> None:
    cache = AnswerCache(tmp_path)
    await cache.put(KEY, replace(ANSWER, ending=ending))
    assert (await cache.get(KEY) is not None) is kept
    await cache.close()


async def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir(mode=0o755)
    cache = AnswerCache(folder)
    await cache.put(KEY, replace(ANSWER, text="x" * 200_000))
    assert await cache.get(KEY) is not None
    files = list(folder.rglob("*"))
    assert files and all(file.name.startswith("cache.db") for file in files)
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (folder, *files)} == {0}
    await cache.close()


@pytest.mark.parametrize("damage", [b"not a database at all" * 500, b"", b"\0" * 4096])
async def test_a_damaged_cache_is_begun_anew(tmp_path: Path, damage: bytes) -> None:
    folder = tmp_path / "answers"
    cache = AnswerCache(folder)
    await cache.put(KEY, ANSWER)
    await cache.close()
    for file in folder.glob("cache.db*"):
        file.write_bytes(damage)
    again = AnswerCache(folder)
    await again.put(KEY, ANSWER)
    assert await again.get(KEY) == KNOWN
    await again.close()


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, ("raise SystemExit('unpickled')",))


@pytest.mark.parametrize("planted", [Bomb(), b"\xff\xff", "text", 5])
async def test_what_is_not_ours_is_a_miss(tmp_path: Path, planted: object) -> None:
    with diskcache.Cache(str(tmp_path)) as folder:
        folder[KEY] = planted
    cache = AnswerCache(tmp_path)
    assert await cache.get(KEY) is None
    await cache.put(KEY, ANSWER)
    assert await cache.get(KEY) == KNOWN
    await cache.close()


async def test_a_place_that_cannot_be_used_is_a_miss(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = AnswerCache(tmp_path / "file" / "answers")
    await cache.put(KEY, ANSWER)
    assert await cache.get(KEY) is None
    await cache.close()


async def test_two_at_once(tmp_path: Path) -> None:
    caches = [AnswerCache(tmp_path) for _ in range(2)]
    keys = [key_of("p/m", "", replace(QUESTION, sample=n)) for n in range(20)]
    await asyncio.gather(*(cache.put(key, ANSWER) for cache in caches for key in keys))
    for cache in caches:
        assert [await cache.get(key) for key in keys] == [KNOWN] * 20
        await cache.close()


async def test_it_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode_lsp.model.cache.SIZE_BYTES", 1 << 20)
    cache = AnswerCache(tmp_path)
    for n in range(60):
        await cache.put(key_of("p/m", "", replace(QUESTION, sample=n)), replace(ANSWER, text="x" * 100_000))
    await cache.close()
    assert sum(file.stat().st_size for file in tmp_path.rglob("*")) < 4 << 20
