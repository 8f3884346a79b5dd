from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from msgspec.structs import replace

from maxcode_lsp.benchmarks.search.episode import VERSION, Comparison, Episode, Step
from maxcode_lsp.benchmarks.search.journal import Journal, merged, read_journal
from maxcode_lsp.errors import Refused
from maxcode_lsp.records import Outcome

ABOUT = Comparison(
    version=VERSION,
    suite="dev",
    methods=("beam", "beam+maxcode"),
    programs=("a", "b"),
    seeds=2,
    budget=8,
    replay=False,
    model="",
    machine="a machine",
    compiler="g++",
    command="maxcode bench search",
    created="2026-12-01T00:00:00+00:00",
)
STEP = Step("0123456789ab", None, 1, "rewrites", ("a",), Outcome.CORRECT, True, 2.0, 1.9, 2.0)


def episode(program: str = "a", method: str = "beam", seed: int = 0, trouble: str = "") -> Episode:
    return Episode(program, method, seed, 8, (STEP,) * 3, "budget", 4.5, trouble=trouble)


def test_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "journal.jsonl"
    first = Journal(file, ABOUT)
    first.add(episode())
    first.close()
    with file.open("ab") as out:
        out.write(b'{"program":"a","method"')  # the process died in the middle of a line
    again = Journal(file, replace(ABOUT, seeds=5, methods=("greedy",), command="another"))
    assert again.known("a", "beam", 0) and not again.known("a", "beam", 1)
    again.add(episode(seed=1))
    again.close()
    heading, episodes = read_journal(file)
    assert heading == ABOUT
    assert episodes == [episode(), episode(seed=1)]
    packed = tmp_path / "journal.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert read_journal(packed) == (heading, episodes)


def test_what_trouble_cut_short_is_taken_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl", ABOUT)
    journal.add(episode(trouble="The disk was full."))
    assert not journal.known("a", "beam", 0)
    journal.add(episode())
    journal.close()
    assert read_journal(journal.file)[1] == [episode()]


@pytest.mark.parametrize("change", [{"budget": 9}, {"suite": "test"}, {"model": "local"}, {"replay": True}])
def test_another_comparison_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    Journal(tmp_path / "j.jsonl", ABOUT).close()
    with pytest.raises(Refused, match=f"its {next(iter(change))} is not the same"):
        Journal(tmp_path / "j.jsonl", replace(ABOUT, **change))


@pytest.mark.parametrize("data", [b"", b"\n", b"[1]\n", b"\x00\xff\n", b"{}\n"])
def test_what_is_no_journal_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "j.jsonl"
    file.write_bytes(data)
    with pytest.raises(Refused, match="is no journal"):
        read_journal(file)


def test_a_heading_names_what_there_is() -> None:
    found = merged(ABOUT, [episode("b", "greedy"), episode("b", "beam")])
    assert (found.methods, found.programs) == (("beam", "greedy"), ("b",))
