from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode_lsp.engine.events import RunResult
from maxcode_lsp.engine.journal.listing import PIECE_BYTES, summaries, summary
from maxcode_lsp.engine.journal.reader import read
from maxcode_lsp.engine.journal.records import Record, Resumed
from maxcode_lsp.engine.journal.writer import Journal
from maxcode_lsp.errors import JournalError
from maxcode_lsp.records import RunStatus
from tests.engine.journal.samples import RECORDS, RUN, ended, heading, judged, written


def test_one_that_was_proven(tmp_path: Path) -> None:
    said = summary(written(tmp_path, *RECORDS, ended()))
    assert (said.run, said.status, said.best, said.ci95) == (RUN, "improved", 1.9, (1.8, 2.0))
    assert (said.evaluations, said.budget, said.reason, said.live) == (2, 7, "Why.", False)
    assert (said.target, said.file, said.created) == ("b.cpp", heading().file, heading().created)


def test_one_that_was_interrupted(tmp_path: Path) -> None:
    said = summary(written(tmp_path, *RECORDS))
    assert (said.status, said.best, said.ci95, said.evaluations, said.reason) == ("interrupted", 2.5, None, 3, "")


def test_one_that_was_stopped_and_went_on(tmp_path: Path) -> None:
    stopped = written(tmp_path, judged(1, 2.0, best=True), ended(RunStatus.CANCELLED))
    assert (summary(stopped).status, summary(stopped).best) == ("cancelled", 2.0)
    resumed = written(tmp_path, ended(RunStatus.CANCELLED), *RECORDS, run="20261130-101500-000002")
    assert summary(resumed).status == "interrupted"


def test_one_that_goes_on(tmp_path: Path) -> None:
    journal = Journal.begin(tmp_path, heading())
    assert (summary(journal.path).status, summary(journal.path).live) == ("running", True)
    journal.close()
    assert (summary(journal.path).status, summary(journal.path).live) == ("interrupted", False)
    assert (summary(journal.path).best, summary(journal.path).evaluations) == (None, 0)


def test_the_best_may_be_far_from_the_end(tmp_path: Path) -> None:
    many = [judged(n, 1.1, text=b"int a;\n" * 500) for n in range(2, 60)]
    file = written(tmp_path, judged(1, 3.0, best=True), *many)
    assert file.stat().st_size > 3 * PIECE_BYTES
    assert (summary(file).best, summary(file).evaluations) == (3.0, 59)


def test_newest_first_and_without_what_cannot_be_read(tmp_path: Path) -> None:
    for digit in "132":
        written(tmp_path, run=f"20261130-10150{digit}-000000")
    (tmp_path / "20261130-101504-000000.jsonl").write_bytes(b"nothing\n")
    (tmp_path / "note.txt").touch()
    assert [said.run[14] for said in summaries(tmp_path)] == ["3", "2", "1"]
    assert [said.run[14] for said in summaries(tmp_path, 2)] == ["3", "2"]
    assert summaries(tmp_path / "nothing") == []
    with pytest.raises(JournalError, match="no journal"):
        summary(tmp_path / "nothing.jsonl")


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    records=st.lists(
        st.one_of(
            st.builds(
                judged,
                st.integers(1, 99),
                st.floats(1.0, 9.0),
                best=st.booleans(),
                text=st.binary(max_size=3000).map(lambda data: data.replace(b"\r", b"")),
            ),
            st.sampled_from(RECORDS),
            st.just(ended()),
            st.just(ended(RunStatus.CANCELLED)),
        ),
        max_size=40,
    ),
    piece=st.sampled_from([64, 1000, PIECE_BYTES]),
)
def test_it_says_what_reading_all_of_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, records: list[Record], piece: int
) -> None:
    monkeypatch.setattr("maxcode_lsp.engine.journal.listing.PIECE_BYTES", piece)
    file = tmp_path / f"{RUN}.jsonl"
    file.unlink(missing_ok=True)
    # Behind an end there is nothing, or the run goes on.
    gone_on = [next(r for r in RECORDS if isinstance(r, Resumed))]
    several = [
        r for record in records[:-1] for r in ((record, *gone_on) if isinstance(record, RunResult) else (record,))
    ]
    written(tmp_path, *several, *records[-1:])
    said, recorded = summary(file), read(file)
    result, best = recorded.result, recorded.best
    assert said.status == (result.status if result is not None else "interrupted")
    if result is not None and result.speedup is not None:
        assert said.best == result.speedup
    else:
        assert said.best == (best.speedup if best is not None else None)
        assert said.evaluations == (
            result.evaluations if result is not None else recorded.evaluated[-1].number if recorded.evaluated else 0
        )
