"""A journal is read back as it was written, and nothing else is taken for one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.journal.records import VERSION, Line
from maxcode_lsp.errors import JournalError
from maxcode_lsp.records import RunStatus
from tests.engine.journal.samples import RECORDS, RUN, SOURCE, ended, heading, judged, raw, written

WHOLE = raw(heading(), *RECORDS, ended())


def test_what_was_written_is_read(tmp_path: Path) -> None:
    file = written(tmp_path / "runs", *RECORDS, ended())
    recorded = read(file)
    assert recorded.opened == heading()
    assert recorded.lines == tuple(Line(float(n), record) for n, record in enumerate((*RECORDS, ended()), 1))
    assert recorded.end == file.stat().st_size
    assert recorded.result == ended()
    assert [found.number for found in recorded.evaluated] == [1, 2, 3]
    assert recorded.best is not None and recorded.best.number == 2
    assert recorded.text("c2") == SOURCE.replace(b"int b", b"long b")
    assert recorded.text("w") == b"the edit"
    with pytest.raises(JournalError, match="no candidate"):
        recorded.text("c9")
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0


def test_a_run_that_went_on_has_no_end_yet(tmp_path: Path) -> None:
    assert read(written(tmp_path, ended(RunStatus.CANCELLED), *RECORDS)).result is None
    assert read(written(tmp_path, *RECORDS, run="20261130-101500-000001")).result is None


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(cut=st.integers(0, len(WHOLE)))
def test_a_piece_of_a_line_at_the_end_is_left_out(tmp_path: Path, cut: int) -> None:
    file = tmp_path / f"{RUN}.jsonl"
    file.write_bytes(WHOLE[:cut])
    whole_lines = WHOLE[:cut].count(b"\n")
    if whole_lines == 0:
        with pytest.raises(JournalError):
            read(file)
    else:
        recorded = read(file)
        assert len(recorded.lines) == whole_lines - 1
        assert recorded.end == WHOLE[:cut].rfind(b"\n") + 1


@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    places=st.lists(st.integers(0, len(WHOLE) - 1), min_size=1, max_size=8),
    garbage=st.binary(min_size=1, max_size=40),
    insert=st.booleans(),
)
def test_damage_is_said_and_never_raises_anything_else(
    tmp_path: Path, places: list[int], garbage: bytes, insert: bool
) -> None:
    data = WHOLE
    for place in places:
        data = data[:place] + garbage + data[place if insert else place + len(garbage) :]
    file = tmp_path / f"{RUN}.jsonl"
    file.write_bytes(data)
    said = ""
    try:
        assert read(file).end <= len(data)
    except JournalError as error:
        said = str(error)
    assert not said or said.endswith("again.")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\n", "no heading"),
        (b"{}\n", "no heading"),
        (b"[" * 200_000 + b"\n", "no heading"),
        (raw(judged(1)), "no heading"),
        (raw(heading(version=VERSION + 1)), f"format {VERSION + 1}"),
        (raw(heading()).replace(b'"version":%d' % VERSION, b'"version":99,"new":{}'), "format 99"),
        (raw(heading(), heading()), "second heading"),
        (raw(heading()) + b'{"at_s":1,"record":{"type":"unheard"}}\n', "line 2"),
        (raw(heading()) + b'{"at_s":NaN,"record":{"type":"resumed","created":"","spent_s":1}}\n', "line 2"),
        (raw(heading()) + b"\0" * 4096 + b"\n", "line 2"),
    ],
)
def test_what_is_no_journal_is_refused_with_a_reason(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / f"{RUN}.jsonl"
    file.write_bytes(data)
    with pytest.raises(JournalError, match=said):
        read(file)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.jsonl", tmp_path):
        with pytest.raises(JournalError):
            read(path)
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with pytest.raises(JournalError, match="ordinary"):
        read(pipe)


def test_an_enormous_one_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / f"{RUN}.jsonl"
    with file.open("wb") as out:
        out.write(raw(heading()))
        out.truncate(300 << 20)
    with pytest.raises(JournalError, match="larger"):
        read(file)
